import { KeyholeError } from "../../errors.ts";
import { createWorkspaceCipher, type WorkspaceCipher } from "../../privacy/vault/workspace-cipher.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { isRecord } from "../../text/is-record.ts";
import { createPace } from "../../text/slices.ts";
import { assertRoom, readStateKey, toStateText } from "./state-bounds.ts";
import { parseSpaceText, type StateSpace, toSpaceText } from "./state-space.ts";

/** What programs remember between runs, by keys: in the database, sealed, and on the disk before a program hears of it. */
export type StateStore = {
  get(space: StateSpace, key: unknown): Promise<StateEntry | undefined>;
  /** Nothing where it is not as `expected` any more: somebody else was faster. */
  set(space: StateSpace, key: unknown, written: StateWrite): Promise<StateWritten>;
  /** Whether there was one. */
  delete(space: StateSpace, key: unknown, once?: OnceWritten): Promise<boolean>;
  /** The keys that begin so, in order. */
  list(space: StateSpace, prefix?: string): Promise<readonly StateKey[]>;
  /** Of everybody: how much each is, and when it was used last. */
  spaces(): Promise<readonly StateUse[]>;
  /** All of a space; with `unusedSince`, unless it was used after that. Whether anything was removed. */
  remove(space: StateSpace, unusedSince?: number): Promise<boolean>;
  /** A run has come to its end: nobody asks again what its writes came to. */
  forgetRun(run: string): Promise<void>;
  /** A session is over, and what was its own with it. */
  endSession(session: string): Promise<void>;
};

export type StateEntry = {
  readonly value: unknown;
  /** Another one after each write, also of the same value. 0: there is none. */
  readonly version: number;
  readonly origin: StateOrigin;
};

/** How a value was written: as it is, or with tokens in the place of personal values, which mean something to that principal. */
export type StateOrigin = { readonly hasTokens: boolean; readonly principal: string };

export type StateKey = { readonly key: string; readonly origin: StateOrigin };

export type StateWrite = {
  readonly value: unknown;
  readonly origin: StateOrigin;
  /** The version that was read; 0 where there was none. Absent: whatever is there is replaced. */
  readonly expected?: number;
  readonly once?: OnceWritten;
};

/** Which of a run's calls it is: made again after a kill, it is not done again, and answered as it was. */
export type OnceWritten = { readonly run: string; readonly number: number; readonly argumentsHash: string };

export type StateWritten =
  | { readonly isWritten: true; readonly version: number }
  | { readonly isWritten: false; readonly current: StateEntry | undefined };

export type StateUse = {
  readonly space: StateSpace;
  readonly entries: number;
  readonly bytes: number;
  readonly usedAt: number;
};

export type StateStoreOptions = {
  readonly database: () => Promise<Database>;
  /** Whoever has it can read what is kept: 32 bytes. */
  readonly key: Buffer;
  readonly onWritten?: (db: Database) => void;
  readonly now?: () => number;
};

const HOUR_MS = 60 * 60 * 1000;
const MAX_CIPHERS = 200;
/** What a row takes beside its texts. */
const ROW_BYTES = 200;

export function createStateStore({
  database,
  key,
  onWritten = () => {},
  now = Date.now,
}: StateStoreOptions): StateStore {
  const ciphers = new Map<string, WorkspaceCipher>();
  /** When this process has noted last that a space was read. */
  const noted = new Map<string, number>();
  /** Runs that wrote something here that must not be written again. */
  const onceRuns = new Set<string>();
  /** Sessions that wrote something here: for others nothing is opened when they end. */
  const used = new Set<string>();

  function cipherOf(space: string): WorkspaceCipher {
    const known = ciphers.get(space);
    if (known !== undefined) return known;
    if (ciphers.size >= MAX_CIPHERS) ciphers.clear();
    const cipher = createWorkspaceCipher(key, space);
    ciphers.set(space, cipher);
    return cipher;
  }

  /** A run that starts over after a kill does not do again what it did: its answer is written in the same transaction. */
  function onlyOnce<T>(
    db: Database,
    once: OnceWritten | undefined,
    parse: (answer: unknown) => T,
    work: () => T,
  ): T {
    if (once === undefined) return work();
    onceRuns.add(once.run);
    const identity = [once.run, once.number, once.argumentsHash];
    const [made] = db.all(MADE, identity);
    if (made !== undefined) return parse(JSON.parse(String(made[0])));
    const answer = work();
    // Who was not faster has written nothing, and asks anew.
    if (!isRecord(answer) || answer["isWritten"] === true)
      db.run(MAKE, [...identity, JSON.stringify(answer), now()]);
    return answer;
  }

  async function inTransaction<T>(work: (db: Database) => T): Promise<T> {
    const db = await database();
    const result = await whenFree(() => db.transaction(() => work(db)));
    // What was written to files that are gone is nowhere.
    db.assertInPlace();
    onWritten(db);
    return result;
  }

  function toPlace(space: StateSpace, key: string): Place {
    const text = toSpaceText(space);
    const cipher = cipherOf(text);
    return { space: text, key, cipher, lookup: cipher.lookup("key", key) };
  }

  async function noteRead(space: string): Promise<void> {
    const at = now();
    if (at - (noted.get(space) ?? 0) < HOUR_MS) return;
    if (noted.size >= MAX_CIPHERS) noted.clear();
    noted.set(space, at);
    await inTransaction((db) => void db.run(USED, [at, space]));
  }

  function remove(space: StateSpace, unusedSince = Number.MAX_SAFE_INTEGER): Promise<boolean> {
    const text = toSpaceText(space);
    return inTransaction((db) => {
      if (db.run(REMOVE, [text, unusedSince]) === 0) return false;
      db.run("DELETE FROM state_entries WHERE space = ?", [text]);
      return true;
    });
  }

  return {
    async get(space, given) {
      const place = toPlace(space, readStateKey(given));
      const db = await database();
      const found = await whenFree(() => readEntry(db, place));
      await noteRead(place.space);
      return found;
    },

    async set(space, given, { value, origin, expected, once }) {
      const place = toPlace(space, readStateKey(given));
      const text = toStateText(place.key, value);
      const sealed = {
        name: place.cipher.seal(toNamePlace(place.lookup), sealedOf(origin, place.key)),
        value: place.cipher.seal(toValuePlace(place.lookup), sealedOf(origin, text)),
      };
      noted.set(place.space, now());
      if (space.kind === "session") used.add(space.name);
      return inTransaction((db) =>
        onlyOnce(db, once, parseWritten, () => {
          const [[number = 0, before = 0] = []] = db.all(FIND, [place.space, place.lookup]);
          if (expected !== undefined && Number(number) !== expected)
            return { isWritten: false, current: readEntry(db, place) };
          const bytes = sealed.name.length + sealed.value.length + ROW_BYTES;
          const isNew = number === 0;
          grow(db, place.space, isNew ? 1 : 0, bytes - Number(before), now());
          if (!isNew) db.run(DELETE, [place.space, place.lookup]);
          const values = [place.space, place.lookup, sealed.name, sealed.value, bytes, now()];
          const [[version] = []] = db.all(INSERT, values);
          return { isWritten: true, version: Number(version) };
        }),
      );
    },

    async delete(space, given, once) {
      const place = toPlace(space, readStateKey(given));
      return inTransaction((db) =>
        onlyOnce(db, once, Boolean, () => {
          const [found] = db.all(FIND, [place.space, place.lookup]);
          if (found === undefined) return false;
          db.run(DELETE, [place.space, place.lookup]);
          grow(db, place.space, -1, -Number(found[1]), now());
          return true;
        }),
      );
    },

    async list(space, prefix = "") {
      const text = toSpaceText(space);
      const cipher = cipherOf(text);
      const db = await database();
      const rows = await whenFree(() => db.all(NAMES, [text]));
      const pace = createPace();
      const found: StateKey[] = [];
      for (const [lookup, name] of rows) {
        const opened = openSealed(cipher, toNamePlace(toBytes(lookup)), toBytes(name));
        if (opened?.text.startsWith(prefix)) found.push({ key: opened.text, origin: opened.origin });
        await pace();
      }
      await noteRead(text);
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    },

    async spaces() {
      const db = await database();
      const rows = await whenFree(() => db.all("SELECT space, entries, bytes, used_at FROM state_spaces"));
      return rows.flatMap(([text, entries, bytes, usedAt]) => {
        const space = parseSpaceText(String(text));
        return space === undefined
          ? []
          : [{ space, entries: Number(entries), bytes: Number(bytes), usedAt: Number(usedAt) }];
      });
    },

    remove,

    async forgetRun(run) {
      if (!onceRuns.delete(run)) return;
      const db = await database();
      await whenFree(() => db.run("DELETE FROM state_writes WHERE run = ?", [run]));
    },

    async endSession(session) {
      if (used.has(session)) await remove({ kind: "session", name: session });
      used.delete(session);
    },
  };
}

type Place = {
  readonly space: string;
  readonly key: string;
  readonly cipher: WorkspaceCipher;
  readonly lookup: Buffer;
};

const FIND = "SELECT number, bytes FROM state_entries WHERE space = ? AND lookup = ?";
const READ = "SELECT number, value FROM state_entries WHERE space = ? AND lookup = ?";
const NAMES = "SELECT lookup, name FROM state_entries WHERE space = ?";
const DELETE = "DELETE FROM state_entries WHERE space = ? AND lookup = ?";
const INSERT =
  "INSERT INTO state_entries (space, lookup, name, value, bytes, changed_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING number";
const USED = "UPDATE state_spaces SET used_at = ? WHERE space = ?";
const REMOVE = "DELETE FROM state_spaces WHERE space = ? AND used_at <= ?";
const GROW =
  "INSERT INTO state_spaces (space, entries, bytes, used_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (space) DO UPDATE SET entries = entries + ?2, bytes = bytes + ?3, used_at = ?4 RETURNING entries, bytes";

/** What would be too much fails, and the transaction with it. */
function grow(db: Database, space: string, entries: number, bytes: number, now: number): void {
  const [[allEntries, allBytes] = []] = db.all(GROW, [space, entries, bytes, now]);
  if (entries > 0 || bytes > 0) assertRoom(Number(allEntries), Number(allBytes));
}

function readEntry(db: Database, { space, cipher, lookup }: Place): StateEntry | undefined {
  const [row] = db.all(READ, [space, lookup]);
  if (row === undefined) return undefined;
  const [version, sealed] = row;
  const opened = openSealed(cipher, toValuePlace(lookup), toBytes(sealed));
  if (opened === undefined)
    throw new KeyholeError("store_unusable", "What is kept under this key can't be opened", {
      hint: "It was written with another key, or somebody has changed it: set it anew",
    });
  return { version: Number(version), value: JSON.parse(opened.text), origin: opened.origin };
}

const MADE = "SELECT answer FROM state_writes WHERE run = ? AND number = ? AND arguments_hash = ?";
const MAKE = "INSERT INTO state_writes (run, number, arguments_hash, answer, made_at) VALUES (?, ?, ?, ?, ?)";

function parseWritten(answer: unknown): StateWritten {
  return { isWritten: true, version: isRecord(answer) ? Number(answer["version"]) : 0 };
}

const toNamePlace = (lookup: Buffer) => `name ${lookup.toString("latin1")}`;
const toValuePlace = (lookup: Buffer) => `value ${lookup.toString("latin1")}`;

const TOKENS = "t";
const VALUES = "v";

/** What is sealed: how it was written, by whom, and the text. */
function sealedOf({ hasTokens, principal }: StateOrigin, text: string): string {
  return `${hasTokens ? TOKENS : VALUES}${principal.length}\n${principal}${text}`;
}

function openSealed(
  cipher: WorkspaceCipher,
  place: string,
  sealed: Uint8Array,
): { readonly text: string; readonly origin: StateOrigin } | undefined {
  const opened = cipher.open(place, sealed);
  if (opened === undefined) return undefined;
  const end = opened.indexOf("\n");
  const start = end + 1 + Number(opened.slice(1, end));
  const origin = { hasTokens: opened.startsWith(TOKENS), principal: opened.slice(end + 1, start) };
  return { origin, text: opened.slice(start) };
}

function toBytes(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
}
