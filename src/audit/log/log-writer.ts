import type { Head } from "./log-store.ts";

/** What a process has written down and the log may not have yet: lines of JSON, each an event, the last one perhaps cut off. */
export type Spool = {
  /** Told apart from those of all other processes, for good. */
  readonly name: string;
  /** From this byte on; at most so many. */
  read(from: number, maxBytes: number): Promise<Uint8Array>;
  /**
   * Whether it is still there, asked in the transaction that takes what was read. Another process may have taken all of it,
   * removed it and forgotten it since then: it would come in twice.
   */
  isThere(): boolean;
};

export type LogWriter = {
  /** Takes all whole lines of it that the log does not have yet, in transactions of some thousand; tells where the chain ends then. */
  take(spool: Spool): Promise<Head | undefined>;
  /** It is in the log as a whole, and removed. */
  forget(name: string): Promise<void>;
  close(): Promise<void>;
};
