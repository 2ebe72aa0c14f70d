import { isSignedBy } from "../../store/ed25519.ts";
import { randomId } from "../../text/random-id.ts";
import { areOpenLeavesSigned, isEnding, type LogEnding, toBatch } from "./batch.ts";
import { isSameHash, toHex } from "./chain.ts";
import { isCheckpointSigned } from "./checkpoint.ts";
import { toAncestry } from "./key-rows.ts";
import type { AuditKeys, SigningKey } from "./keys.ts";
import type { Batch, Head, KeyRow, LogState, LogStore, TakenSpool } from "./log-store.ts";
import type { LogWriter, Spool } from "./log-writer.ts";
import type { LogBreak, RememberedHead } from "./remembered-head.ts";
import { toSpoolText } from "./signed-texts.ts";
import { type LooseRow, parseSpoolPiece, toLooseRow } from "./spool-lines.ts";

const MAX_BATCH_EVENTS = 4_000;
/** A batch of ordinary events; only where no line ends in it, more is read: that is the longest line that is an event. */
const PIECE_BYTES = 2 * 1024 * 1024;
const MAX_LINE_BYTES = 8 * 1024 * 1024;

export type LogWriterOptions = {
  readonly store: LogStore;
  readonly keys: AuditKeys;
  readonly remembered: RememberedHead;
  readonly logId: string;
  readonly now?: () => number;
  /** @internal */
  readonly checkpointEvents?: number | undefined;
};

/** Why a batch was not made. */
type Obstacle =
  | { readonly is: "gone" }
  | { readonly is: "moved"; readonly bytes: number }
  | { readonly is: "forged_end"; readonly head: Head | undefined; readonly message: string }
  | { readonly is: "forged_position" };

/**
 * Takes spools into the log: chained, signed, all of a batch or nothing. It gives its word for no end of the log that is not
 * signed: what it finds changed is remembered in the user's folder, and told in the log.
 */
export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { store, keys, remembered, logId, now = Date.now, checkpointEvents } = options;
  let ending: LogEnding | undefined;
  let known: readonly KeyRow[] = [];
  let storedKey = "";
  /** The log can't end before this: what was remembered when it was last looked at, or what this writer left. */
  let floor: Head | undefined;
  /** How far this writer has taken each spool: a number below it was changed. */
  const positions = new Map<string, number>();
  /** An end that was found forged, and reported: the log goes on there. */
  let reported: string | undefined;
  let news: readonly LooseRow[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  async function loadKey(): Promise<SigningKey> {
    const key = await keys.current();
    if (storedKey === key.row.key) return key;
    known = await keys.known();
    const stored = new Set((await store.keys()).map((row) => row.key));
    // With those that endorsed it: the log's first key is enough to verify it.
    for (const row of toAncestry(key.row, known)) if (!stored.has(row.key)) await store.addKey(row);
    storedKey = key.row.key;
    return key;
  }

  async function report(broken: Omit<LogBreak, "at">, head: Head | undefined): Promise<void> {
    const at = now();
    await remembered.remember(head, { at, ...broken });
    tell({ at, ...broken });
  }

  function tell({ at, ...broken }: LogBreak): void {
    news = [
      ...news,
      toLooseRow({ id: randomId("e"), at, action: "audit.broken", outcome: "failed", details: broken }),
    ];
  }

  /** What is remembered is read first: the log can only be further than that. */
  async function compareHead(): Promise<void> {
    const { head: expected } = await remembered.read();
    if (expected === undefined) return;
    const [row] = await store.rows(expected.sequence, 1);
    if (row?.sequence === expected.sequence && isSameHash(row.hash, expected.hash)) {
      if (expected.sequence > (floor?.sequence ?? 0)) floor = expected;
      return;
    }
    const head = await store.head();
    const isShort = head === undefined || head.sequence < expected.sequence;
    const message = isShort
      ? `The log ended at event ${expected.sequence}, and was found to end at ${head?.sequence ?? 0}`
      : `Event ${expected.sequence} is not the one that was there`;
    floor = head;
    await report({ kind: isShort ? "truncated" : "changed", sequence: expected.sequence, message }, head);
  }

  /**
   * After each batch, before anything relies on it: whoever cuts the log back from now on is found. What is remembered may be of
   * another process: the earlier of both ends must stand in the log to which the later one was written.
   */
  async function rememberEnd(head: Head, base: Head | undefined): Promise<void> {
    let found: LogBreak | undefined;
    await remembered.remember(head, async (known) => {
      if (isSameEnd(known, base)) return undefined;
      const earlier = known.sequence <= head.sequence ? known : head;
      const [row] = await store.rows(earlier.sequence, 1);
      if (row !== undefined && isSameEnd(row, earlier)) return undefined;
      const message = `Event ${earlier.sequence} was the log's end, and is not in it any more`;
      found = { at: now(), kind: "changed", sequence: earlier.sequence, message };
      return found;
    });
    if (found !== undefined) tell(found);
  }

  function findForgery(state: LogState): string | undefined {
    const { head, lastCheckpoint } = state;
    if (isEnding(ending, state) || reported === toEndName(head)) return undefined;
    if (floor !== undefined && (head === undefined || head.sequence < floor.sequence))
      return `The log ended at event ${floor.sequence}, and was found to end at ${head?.sequence ?? 0}`;
    if (head === undefined) return lastCheckpoint && "The log has a checkpoint and no event";
    if (lastCheckpoint?.sequence !== head.sequence || !isSameHash(lastCheckpoint.hash, head.hash))
      return `Event ${head.sequence} is not the end that was signed`;
    const key = known.find((row) => row.key === lastCheckpoint.key);
    if (key === undefined || !isCheckpointSigned(logId, lastCheckpoint, key))
      return `The end at event ${head.sequence} is not signed by a key that is known here`;
    return areOpenLeavesSigned(state, checkpointEvents)
      ? undefined
      : `Events ${lastCheckpoint.first} to ${head.sequence} do not make the tree that was signed`;
  }

  /** A position is that of a log which has the event at which it was signed: what came in up to there is in it. */
  function isPosition(spool: string, taken: TakenSpool | undefined, state: LogState): boolean {
    const own = positions.get(spool) ?? 0;
    if (taken === undefined) return own === 0;
    if (taken.bytes < own) return false;
    if (taken.bytes === own && isEnding(ending, state)) return true;
    const text = toSpoolText(logId, taken);
    return known.some(({ publicKey }) => isSignedBy(publicKey, text, taken.proof));
  }

  /** Events that the log has already, by id and content. */
  async function withoutKnown(rows: readonly LooseRow[]): Promise<LooseRow[]> {
    const fresh: LooseRow[] = [];
    for (const row of rows) {
      const found = await store.rowOfEvent(row.columns.id);
      if (found === undefined || !isSameHash(found.leaf, row.leaf)) fresh.push(row);
    }
    return fresh;
  }

  async function take(spool: Spool): Promise<Head | undefined> {
    const { name } = spool;
    const key = await loadKey();
    await compareHead();
    let from = await store.takenBytes(name);
    let isDoubtful = false;
    let head: Head | undefined;
    for (;;) {
      const limits = { spool: name, maxRows: MAX_BATCH_EVENTS, maxBytes: MAX_LINE_BYTES, at: now() };
      const { rows: lines, bytes } = parseSpoolPiece(await readPiece(spool, from), limits);
      if (bytes === 0 && news.length === 0 && positions.get(name) === from) break;
      const told = news;
      const rows = [...told, ...(isDoubtful ? await withoutKnown(lines) : lines)];
      const end = from + bytes;
      let obstacle: Obstacle | undefined;
      let made: LogEnding | undefined;
      let base: Head | undefined;
      let isWritten = false;

      const make = (state: LogState, before: TakenSpool | undefined): Batch | undefined => {
        base = state.head;
        obstacle = findObstacle(state, { taken: before, from, isDoubtful, spool });
        if (obstacle !== undefined || (rows.length === 0 && bytes === 0)) return undefined;
        if (rows.length === 0 && (base === undefined || state.lastCheckpoint === undefined)) return undefined;
        const taken = { spool: name, bytes: end };
        const isForged = reported === toEndName(base);
        const about = { logId, key, ending, isForged, at: now(), checkpointEvents, taken };
        const result = toBatch(state, rows, about);
        made = result.ending;
        isWritten = true;
        return result.batch;
      };
      head = await store.append(name, make);
      const met = obstacle as Obstacle | undefined;
      if (met?.is === "gone") break;
      if (met?.is === "moved") from = met.bytes;
      else if (met?.is === "forged_end") {
        const sequence = met.head?.sequence ?? 0;
        await report({ kind: "changed", sequence, message: met.message }, met.head);
        reported = toEndName(met.head);
        floor = met.head;
        ending = undefined;
      } else if (met?.is === "forged_position") {
        // Nothing is left out: it is read from its start, and what the log has is passed over.
        isDoubtful = true;
        from = 0;
        positions.delete(name);
        const message = `The table said that other bytes of the spool "${name}" are in the log than are`;
        await report({ kind: "spool", sequence: head?.sequence ?? 0, message }, head);
      } else {
        ending = made ?? ending;
        reported = undefined;
        if (made !== undefined) floor = made.head;
        news = news.slice(told.length);
        from = end;
        if (head !== undefined) await rememberEnd(head, base);
        if (isWritten || bytes === 0) positions.set(name, end);
        if (bytes === 0) break;
      }
    }
    return head;
  }

  function findObstacle(
    state: LogState,
    at: {
      taken: TakenSpool | undefined;
      from: number;
      isDoubtful: boolean;
      spool: Spool;
    },
  ): Obstacle | undefined {
    if (!at.spool.isThere()) return { is: "gone" };
    const message = findForgery(state);
    if (message !== undefined) return { is: "forged_end", head: state.head, message };
    if (at.isDoubtful) return undefined;
    if (!isPosition(at.spool.name, at.taken, state)) return { is: "forged_position" };
    const bytes = at.taken?.bytes ?? 0;
    return bytes === at.from ? undefined : { is: "moved", bytes };
  }

  return {
    take(spool) {
      const done = queue.then(() => take(spool));
      queue = done.catch(() => {});
      return done;
    },
    async forget(name) {
      await store.forgetSpool(name);
      positions.delete(name);
    },
    async close() {
      await queue;
      await store.close();
    },
  };
}

async function readPiece(spool: Spool, from: number): Promise<Uint8Array> {
  const piece = await spool.read(from, PIECE_BYTES);
  return piece.length < PIECE_BYTES || piece.includes(0x0a) ? piece : spool.read(from, MAX_LINE_BYTES);
}

function isSameEnd(one: Head, other: Head | undefined): boolean {
  return one.sequence === other?.sequence && isSameHash(one.hash, other.hash);
}

function toEndName(head: Head | undefined): string {
  return head === undefined ? "" : toHex(head.hash);
}
