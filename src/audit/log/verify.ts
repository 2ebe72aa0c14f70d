import { isSignedBy } from "../../store/ed25519.ts";
import { createPace } from "../../text/slices.ts";
import { isSameHash } from "./chain.ts";
import { createIdCheck } from "./id-check.ts";
import type { Checkpoint, Head, LogRow, LogStore } from "./log-store.ts";
import { createProblemList, type LogProblem, type ProblemList } from "./problems.ts";
import type { RememberedLog } from "./remembered-head.ts";
import { toSpoolText } from "./signed-texts.ts";
import { findTrustedKeys, type KnownKey } from "./trusted-keys.ts";
import { createCheckpointCheck, readCheckpoints } from "./verify-checkpoints.ts";
import { createRowCheck, type RowCheck } from "./verify-rows.ts";

export type VerifyOptions = {
  readonly logId: string;
  /** Whose signatures count: of the user's folder, or those that an auditor was given. */
  readonly knownKeys: readonly KnownKey[];
  /** What the user's folder says of the log, read before the log is. An auditor elsewhere has none: a log that was cut back to an earlier end looks whole then. */
  readonly remembered?: RememberedLog | undefined;
  readonly onProgress?: (events: number, of: number) => void;
};

export type Verification = {
  readonly ok: boolean;
  /** Up to which event the log was verified: its end when that began. */
  readonly head: Head | undefined;
  readonly events: number;
  /** Taken out by retention: their hashes are there. */
  readonly pruned: number;
  /** Lines of spools that were no events. */
  readonly unreadable: number;
  readonly checkpoints: number;
  /** Of the signatures that count. */
  readonly keys: readonly string[];
  /** The first hundred. */
  readonly problems: readonly LogProblem[];
  readonly problemCount: number;
};

const ROWS_AT_ONCE = 2_000;
const MAX_DOUBLES = 200;
/** After so many that nobody signed, the others are not looked at. */
const MAX_BAD_SPOOLS = 100;

/** Looks at everything that stands in a log: that it is what was written, in its order, all of it, and signed. */
export async function verifyLog(store: LogStore, options: VerifyOptions): Promise<Verification> {
  const { logId, knownKeys, remembered, onProgress } = options;
  const problems = createProblemList();
  // Another thread looks at the whole file while the rows are read.
  const strangers = store.strangers();
  strangers.catch(() => {});
  const trusted = findTrustedKeys(await store.keys(), knownKeys, problems);
  const signed = await readCheckpoints(store, { logId, trusted, problems });
  const { stored } = signed;
  const checkpoints = createCheckpointCheck(stored, problems);
  const end = toSignedEnd(stored);
  const ids = createIdCheck();
  const rows = createRowCheck(problems, ids);

  let last: LogRow | undefined;
  for await (const piece of readRows(store, end)) {
    for (const row of piece) {
      rows.add(row);
      checkpoints.add(row);
      if (row.sequence === remembered?.head?.sequence) checkRemembered(row, remembered.head, problems);
      last = row;
    }
    onProgress?.(rows.counts.events, end);
  }
  rows.finish();
  checkpoints.finish();
  if (signed.isAll) await checkEnd(store, { end, last, remembered, problems });
  await checkCounts(store, { end, rows, problems });
  await checkPruned(store, { end, rows, problems });
  await checkDoubles(store, ids.findDoubles(MAX_DOUBLES), problems);
  await checkSpools(store, { logId, keys: [...trusted.values()], problems });
  for (const message of [...(await strangers)].reverse()) problems.addFirst({ kind: "store", message });
  for (const { sequence, message } of remembered?.breaks ?? [])
    problems.add({ kind: "broken", sequence, message: `It is remembered: ${message}` });
  return {
    ok: problems.count === 0,
    head: last && { sequence: last.sequence, hash: last.hash },
    ...{ events: rows.counts.events, pruned: rows.counts.pruned, unreadable: rows.counts.unreadable },
    checkpoints: stored.length,
    keys: [...trusted.keys()],
    problems: problems.problems,
    problemCount: problems.count,
  };
}

/** One that is no sequence, because nobody could count beyond it, is somebody's: the list of checkpoints says so. */
function toSignedEnd(checkpoints: readonly Checkpoint[]): number {
  return checkpoints.findLast(({ sequence }) => Number.isSafeInteger(sequence))?.sequence ?? 0;
}

async function* readRows(store: LogStore, end: number): AsyncGenerator<readonly LogRow[]> {
  for (let from = 1; from <= end; ) {
    const piece = await store.rows(from, ROWS_AT_ONCE);
    const last = piece.at(-1);
    if (last === undefined) return;
    yield last.sequence <= end ? piece : piece.filter(({ sequence }) => sequence <= end);
    from = last.sequence + 1;
  }
}

function checkRemembered({ sequence, hash, columns }: LogRow, head: Head, problems: ProblemList): void {
  if (isSameHash(hash, head.hash)) return;
  const message = `Event ${sequence} is not the one that is remembered as the log's end`;
  problems.add({ kind: "changed", sequence, ...(columns.id !== "" && { id: columns.id }), message });
}

type End = {
  readonly end: number;
  readonly last: LogRow | undefined;
  readonly remembered: RememberedLog | undefined;
  readonly problems: ProblemList;
};

/** Others may write to the log meanwhile: then its new end is signed, too. */
async function checkEnd(store: LogStore, { end, last, remembered, problems }: End): Promise<void> {
  const found = last?.sequence ?? 0;
  if (found < end) {
    const message = `The log was signed up to event ${end}, and ends at ${found}`;
    problems.add({ kind: "truncated", sequence: found + 1, message });
  }
  const known = remembered?.head?.sequence ?? 0;
  if (known > end) {
    const message = `The log ended at event ${known}, and is signed up to ${end} only: its end is missing`;
    problems.add({ kind: "truncated", sequence: end + 1, message });
  }
  const head = await store.head();
  const signed = toSignedEnd(await store.checkpoints(end));
  if (head === undefined || head.sequence <= signed) return;
  const message = `Events ${signed + 1} to ${head.sequence} are not signed`;
  problems.add({ kind: "inserted", sequence: signed + 1, message });
}

type Seen = { readonly end: number; readonly rows: RowCheck; readonly problems: ProblemList };

/** Rows before the first event, and columns of events that are not there. */
async function checkCounts(store: LogStore, { end, rows, problems }: Seen): Promise<void> {
  const counts = await store.counts(end);
  const more = counts.events - rows.counts.events;
  if (more > 0) problems.add({ kind: "inserted", message: `${more} events stand outside of the chain` });
  const others = counts.columns - rows.counts.columns;
  if (others > 0)
    problems.add({ kind: "inserted", message: `Columns of ${others} events stand there without them` });
}

async function checkPruned(store: LogStore, { end, rows, problems }: Seen): Promise<void> {
  let unexplained = rows.findUnexplained([]);
  // Retention may have been at work meanwhile: it says so before it takes anything out.
  if (unexplained.length > 0) {
    const { rows: later } = await store.find(
      { actions: ["audit.pruned"] },
      { after: end, limit: 1_000, order: "oldest" },
    );
    unexplained = rows.findUnexplained(later);
  }
  for (const sequence of unexplained)
    problems.add({
      kind: "pruned",
      sequence,
      message: `Event ${sequence} has no content, and no event says that retention took it out`,
    });
}

async function checkDoubles(
  store: LogStore,
  sequences: readonly number[],
  problems: ProblemList,
): Promise<void> {
  const seen = new Map<string, number>();
  for (const sequence of sequences) {
    const [row] = await store.rows(sequence, 1);
    if (row?.sequence !== sequence) continue;
    const { id } = row.columns;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, sequence);
    else
      problems.add({
        kind: "duplicate",
        sequence,
        id,
        message: `Event ${sequence} has the id of event ${first}`,
      });
  }
}

async function checkSpools(
  store: LogStore,
  { logId, keys, problems }: { logId: string; keys: readonly KnownKey[]; problems: ProblemList },
): Promise<void> {
  const pace = createPace();
  let bad = 0;
  for (const taken of await store.spools()) {
    await pace();
    const { spool, proof } = taken;
    const text = toSpoolText(logId, taken);
    if (keys.some(({ publicKey }) => isSignedBy(publicKey, text, proof))) continue;
    problems.add({
      kind: "spool",
      message: `How much of the spool "${spool.slice(0, 100)}" is in the log is not signed for this log as it is: events may be missing, or be there twice`,
    });
    bad += 1;
    if (bad === MAX_BAD_SPOOLS) return;
  }
}
