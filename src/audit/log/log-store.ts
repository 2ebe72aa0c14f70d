import type { LogFilter } from "../query/filter.ts";

/** Where the chain ends: the sequence of the last event (the first has 1), and the chain's hash there. */
export type Head = { readonly sequence: number; readonly hash: Uint8Array };

/**
 * A row of the log. `leaf` is SHA-256 of the event's line (of its sealed bytes where the log is sealed), `hash` that of the
 * hash before and the leaf. `body` is gone where retention took the event out: leaf and hash stay.
 */
export type LogRow = {
  readonly sequence: number;
  readonly body: string | undefined;
  readonly leaf: Uint8Array;
  readonly hash: Uint8Array;
  /** What can be asked for, as it stands in columns of its own: it must say what the body says. */
  readonly columns: LogColumns;
};

export type LogColumns = {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  readonly outcome: string;
  readonly session: string | null;
  readonly principal: string | null;
  readonly client: string | null;
  readonly run: string | null;
  readonly call: string | null;
  readonly server: string | null;
  readonly tool: string | null;
  /** 0 low … 3 critical. */
  readonly risk: number | null;
};

/**
 * A signed statement: "after event `sequence` the chain's hash is `hash`, and the Merkle root of the events after the
 * checkpoint before, up to this one, is `root`". `isHead`: of the last batch; replaced by the next one, unless it is due.
 */
export type Checkpoint = {
  readonly sequence: number;
  /** The first event under its root. */
  readonly first: number;
  readonly at: number;
  readonly hash: Uint8Array;
  readonly root: Uint8Array;
  readonly key: string;
  readonly signature: Uint8Array;
};

/** A public key that signed checkpoints, and the signature of the key before it. */
export type KeyRow = {
  readonly key: string;
  readonly publicKey: Uint8Array;
  readonly since: number;
  readonly previous: string | null;
  readonly endorsement: Uint8Array | null;
};

/** What the writer of a batch makes of it: all of it is written in one transaction, or nothing. */
export type Batch = {
  readonly rows: readonly LogRow[];
  readonly checkpoint: Checkpoint;
  /** Checkpoints from this sequence on are replaced: that of the batch before, where it does not stay; else only what stands beyond the end. */
  readonly replacedFrom: number;
  /** Up to which byte each spool is in the log with this batch. */
  readonly taken: TakenSpool;
};

/**
 * Up to which byte a spool is in the log. `proof` is a signature (`signed-texts.ts`): whoever writes the table can't have events
 * left out by a number of their own; nor by one that we signed, when the events that came in with it are gone. `end` is where the
 * log ended then: the table has its sequence, the hash is that of the event which stands there now (empty where none does).
 */
export type TakenSpool = {
  readonly spool: string;
  readonly bytes: number;
  readonly end: Head;
  readonly proof: Uint8Array;
};

/** The state from which the next batch is made, read in the transaction that writes it. */
export type LogState = {
  readonly head: Head | undefined;
  readonly lastCheckpoint: Checkpoint | undefined;
  /** Leaves since the last checkpoint that stays. */
  readonly openLeaves: readonly Uint8Array[];
};

/** So many checkpoints, keys, spools are read at once; a log has far fewer keys and spools. */
export const PAGE_ROWS = 10_000;

export type BodyPage = {
  readonly rows: readonly Pick<LogRow, "sequence" | "body">[];
  readonly next?: number;
};

export type EventPage = { readonly rows: readonly LogRow[]; readonly next?: number };

export type PageRequest = {
  readonly limit: number;
  /** Sequences below (newest first) or above (oldest first) this one. */
  readonly after?: number;
  /** Not beyond this sequence, which is the last that may be in it. */
  readonly until?: number;
  readonly order: "newest" | "oldest";
};

/**
 * The tables of a log, on SQLite or PostgreSQL. It knows nothing of keys: it keeps what it is given, in transactions that
 * several processes take in turns. One conformance suite for all (`test/fixtures/audit/log-store-conformance.ts`).
 */
export type LogStore = {
  readonly kind: "sqlite" | "postgres";
  /**
   * One writer at a time over all processes. `make` is given the state and how much of the spool is in the log already, and
   * returns what is to be written, or nothing.
   */
  append(
    spool: string,
    make: (state: LogState, taken: TakenSpool | undefined) => Batch | undefined,
  ): Promise<Head | undefined>;
  head(): Promise<Head | undefined>;
  /** In the order of the chain, from a sequence on. */
  rows(from: number, limit: number): Promise<readonly LogRow[]>;
  /** The first one of this id. */
  rowOfEvent(id: string): Promise<LogRow | undefined>;
  find(filter: LogFilter, page: PageRequest): Promise<EventPage>;
  /** The same, the oldest first, of the rows only what a reader needs: where there is a faster way to it. */
  bodies?(filter: LogFilter, page: Omit<PageRequest, "order">): Promise<BodyPage>;
  /** A page of them, by sequence: whoever writes the tables can add as many as they like. The same holds for keys and spools. */
  checkpoints(from?: number): Promise<readonly Checkpoint[]>;
  keys(): Promise<readonly KeyRow[]>;
  addKey(row: KeyRow): Promise<void>;
  /** Takes the bodies and columns of these out of the log; tells how many. */
  prune(ranges: readonly (readonly [from: number, to: number])[]): Promise<number>;
  /** Spools that the log knows of, so that one that is in the log as a whole can be removed. */
  forgetSpool(spool: string): Promise<void>;
  takenBytes(spool: string): Promise<number>;
  spools(): Promise<readonly TakenSpool[]>;
  /** What stands in the store beside its tables and would act on them, a trigger for example; an index that says something else. */
  strangers(): Promise<readonly string[]>;
  /** How many rows each table has that belongs to events, up to a sequence: one more than the chain has is somebody's. */
  counts(to?: number): Promise<{ readonly events: number; readonly columns: number }>;
  close(): Promise<void>;
};
