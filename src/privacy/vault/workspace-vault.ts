import { type PiiClass, toPiiClass } from "../../pii-classes.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { isBusy } from "../../store/database/store-error.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { createPace } from "../../text/slices.ts";
import { normalise } from "../normal.ts";
import { type Forgetting, findForgotten } from "./forgetting.ts";
import { createSightings, type Sighting } from "./sightings.ts";
import type { TurnMember, TurnTransaction } from "./turn-transaction.ts";
import {
  addVaultRow,
  eraseVaultRows,
  readErasures,
  readLastNumbers,
  readVaultNumbers,
  readVaultRows,
  type VaultRow,
  writeLastNumber,
} from "./vault-rows.ts";
import type { WorkspaceCipher } from "./workspace-cipher.ts";

/** A value and its token. The same object as long as it is known. */
export type VaultEntry = { readonly token: string; readonly class: PiiClass; readonly value: string };

export type VaultChange = { readonly added: readonly VaultEntry[]; readonly removed: readonly VaultEntry[] };

/** One workspace's values, in memory, as the database has them. */
export type WorkspaceVault = {
  /**
   * The value's token: its own if it has one, or a new one, which is in the database when `commit` has ended. Nothing with it may
   * leave before.
   */
  tokenOf(kind: PiiClass, value: string, seen: Seen): string;
  /** Fails where what was given since the last time could not be kept: none of it counts then. */
  commit(): Promise<void>;
  valueOf(token: string): string | undefined;
  /** Whether a token of this class was ever given. */
  hasGiven(kind: PiiClass): boolean;
  entries(): Iterable<VaultEntry>;
  /** The tokens that mean nothing any more. */
  forget(what: Forgetting): Promise<string[]>;
  stats(): VaultStats;
  /** Tells of what this process and others add and erase. */
  onChange(listener: (change: VaultChange) => void): () => void;
  /** Looks at what other processes did, unless that was done a moment ago. */
  look(everyMs?: number): void;
};

export type Seen = Sighting & {
  /** The spelling by which it is the same as others, where the finder knows better: a phone number with its country. */
  readonly normal?: string;
};

export type VaultStats = {
  readonly entries: number;
  readonly byClass: Readonly<Partial<Record<PiiClass, number>>>;
  /** Rows that could not be opened. */
  readonly damaged: number;
};

/** A known value, with where it stands. */
type Known = VaultEntry & { readonly number: number; readonly normal: string; seenAt: number };

const DAY_MS = 24 * 60 * 60 * 1000;
const LOOK_EVERY_MS = 5;
/** A text can be full of tokens that nobody has given. */
const LOOK_FOR_UNKNOWN_MS = 1;
const MAX_PLACE = 999_999_999;

export async function openWorkspaceVault(
  db: Database,
  turn: TurnTransaction,
  cipher: WorkspaceCipher,
  now: () => number,
): Promise<WorkspaceVault> {
  const byToken = new Map<string, Known>();
  const byNormal = new Map<string, Known>();
  const listeners = new Set<(change: VaultChange) => void>();
  const sightings = createSightings(cipher);
  const damaged = new Set<number>();
  let lastNumbers = new Map<string, number>();
  let lastRow = 0;
  let erasures = 0;
  let version: unknown;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** What this turn's transaction has added. */
  let fresh: Known[] = [];

  const member: TurnMember = {
    onBegin: readNew,
    onEnd() {
      for (const kind of new Set(fresh.map((entry) => entry.class)))
        writeLastNumber(db, cipher, kind, lastNumbers.get(kind) ?? 0);
      sightings.write(db);
      fresh = [];
    },
    onFailure() {
      const removed = fresh;
      fresh = [];
      for (const entry of removed) drop(entry);
      sightings.clear();
      tell({ added: [], removed });
    },
  };

  function tell(change: VaultChange): void {
    if (change.added.length + change.removed.length === 0) return;
    for (const listener of listeners) listener(change);
  }

  function keep(known: Known): void {
    byToken.set(known.token, known);
    byNormal.set(toKey(known.class, known.normal), known);
  }

  function drop(known: Known): void {
    byToken.delete(known.token);
    byNormal.delete(toKey(known.class, known.normal));
    sightings.forget(known.number);
  }

  function take(rows: readonly VaultRow[]): Known[] {
    const added: Known[] = [];
    for (const row of rows) {
      lastRow = Math.max(lastRow, row.number);
      const known = toKnown(row);
      if (known === undefined) damaged.add(row.number);
      else if (!byToken.has(known.token)) {
        keep(known);
        added.push(known);
      }
    }
    return added;
  }

  function toKnown({ class: kind, place, value, number, seenAt }: VaultRow): Known | undefined {
    const known = toPiiClass(kind);
    if (known === undefined || value === undefined) return undefined;
    const [normal = "", spelling = ""] = splitSealed(value);
    return { token: toToken(known, place), class: known, value: spelling, number, normal, seenAt };
  }

  function readNew(): void {
    const removed = removeErased();
    const added: Known[] = [];
    for (
      let rows = readVaultRows(db, cipher, lastRow);
      rows.length > 0;
      rows = readVaultRows(db, cipher, lastRow)
    )
      for (const known of take(rows)) added.push(known);
    lastNumbers = readLastNumbers(db, cipher);
    tell({ added, removed });
  }

  function removeErased(): Known[] {
    const found = readErasures(db, cipher);
    if (found === erasures) return [];
    erasures = found;
    const there = readVaultNumbers(db, cipher);
    const removed = [...byToken.values()].filter(({ number }) => !there.has(number));
    for (const known of removed) drop(known);
    return removed;
  }

  function look(everyMs: number): void {
    const time = performance.now();
    if (time - lookedAt < everyMs || turn.isOpen()) return;
    lookedAt = time;
    try {
      const [[found] = []] = db.all("PRAGMA data_version");
      if (found === version) return;
      readNew();
      version = found;
    } catch (error) {
      // Another process writes in this moment: the next look will see it.
      if (!isBusy(error)) throw error;
    }
  }

  function add(kind: PiiClass, value: string, normal: string): Known {
    turn.begin(member);
    const known = byNormal.get(toKey(kind, normal));
    if (known !== undefined) return known;
    const place = (lastNumbers.get(kind) ?? 0) + 1;
    if (place > MAX_PLACE) throw new RangeError(`No number is left for ${kind}`);
    const lookup = cipher.lookup(kind, normal);
    const seenAt = now();
    const number = addVaultRow(db, cipher, {
      class: kind,
      place,
      lookup,
      seenAt,
      value: joinSealed(normal, value),
    });
    lastNumbers.set(kind, place);
    lastRow = Math.max(lastRow, number);
    const added: Known = { token: toToken(kind, place), class: kind, value, number, normal, seenAt };
    keep(added);
    fresh.push(added);
    tell({ added: [added], removed: [] });
    return added;
  }

  erasures = readErasures(db, cipher);
  const pace = createPace();
  for (let rows = readVaultRows(db, cipher, 0); rows.length > 0; rows = readVaultRows(db, cipher, lastRow)) {
    take(rows);
    await pace();
  }
  lastNumbers = readLastNumbers(db, cipher);

  async function commit(): Promise<void> {
    turn.end(member);
    if (!sightings.isWritten()) {
      await whenFree(() => {
        turn.end(member);
        db.transaction(() => sightings.write(db));
      });
    }
    db.assertInPlace();
  }

  return {
    tokenOf(kind, value, { session, together, normal = normalise(kind, value) }) {
      look(LOOK_EVERY_MS);
      const known = byNormal.get(toKey(kind, normal)) ?? add(kind, value, normal);
      const isOld = now() - known.seenAt > DAY_MS;
      if (isOld) known.seenAt = now();
      sightings.note(
        known.number,
        { session, ...(together === undefined ? {} : { together }) },
        isOld ? known.seenAt : undefined,
      );
      return known.token;
    },
    commit,
    valueOf(token) {
      look(LOOK_EVERY_MS);
      if (!byToken.has(token)) look(LOOK_FOR_UNKNOWN_MS);
      return byToken.get(token)?.value;
    },
    hasGiven: (kind) => (lastNumbers.get(kind) ?? 0) > 0,
    entries: () => byToken.values(),
    async forget(what) {
      await commit();
      const removed = await whenFree(() => {
        turn.end(member);
        return db.transaction(() => {
          readNew();
          const found = findForgotten(db, cipher, what, byToken.values());
          eraseVaultRows(db, cipher, found);
          return [...byToken.values()].filter(({ number }) => found.has(number));
        });
      });
      readNew();
      // What was erased is still in the log; the next one who writes takes it out where this can't.
      await whenFree(() => db.all("PRAGMA wal_checkpoint(TRUNCATE)")).catch(() => {});
      return removed.map(({ token }) => token);
    },
    stats() {
      const byClass: { [kind in PiiClass]?: number } = {};
      for (const { class: kind } of byToken.values()) byClass[kind] = (byClass[kind] ?? 0) + 1;
      return { entries: byToken.size, byClass, damaged: damaged.size };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look: (everyMs = LOOK_EVERY_MS) => look(everyMs),
  };
}

function toKey(kind: PiiClass, normal: string): string {
  return `${kind}\0${normal}`;
}

function toToken(kind: PiiClass, place: number): string {
  return `[${kind}_${place}]`;
}

/** The normal spelling is kept as well: a finder may have known it, and the rules for it may change. */
function joinSealed(normal: string, value: string): string {
  return `${normal.length}\n${normal}${value}`;
}

function splitSealed(text: string): [normal: string, value: string] {
  const end = text.indexOf("\n");
  const start = end + 1;
  const length = Number(text.slice(0, end));
  return [text.slice(start, start + length), text.slice(start + length)];
}
