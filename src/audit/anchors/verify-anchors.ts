import { open } from "node:fs/promises";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { isSameHash } from "../log/chain.ts";
import { isProperlySigned, type LooseCheckpoint, parseCheckpointJson } from "../log/checkpoint-json.ts";
import type { KeyRow, LogStore } from "../log/log-store.ts";

export type AnchorProblem = {
  readonly line: number;
  /** The event up to which the log had been told. */
  readonly sequence?: number;
  /** `contradicted`: the log is not what it was; `unsigned`: whoever wrote the line was not the log's owner. */
  readonly kind: "contradicted" | "missing" | "unsigned" | "unreadable";
  readonly message: string;
};

export type AnchorReport = {
  readonly ok: boolean;
  /** Of this log; a file may have those of several. */
  readonly checked: number;
  readonly others: number;
  readonly problems: readonly AnchorProblem[];
};

export type AnchoredLog = {
  readonly logId: string;
  readonly store: Pick<LogStore, "rows" | "head">;
  /** Those that count: of the user's folder, or of the log where nobody has that. */
  readonly keys: readonly Pick<KeyRow, "key">[];
};

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_LINE_LETTERS = 16_384;
const MAX_PROBLEMS = 100;

/** Whether the log still has what was told outside: a log that was cut back, or made anew with its own keys, has not. */
export async function verifyAnchors(
  lines: Iterable<string>,
  { logId, store, keys }: AnchoredLog,
): Promise<AnchorReport> {
  const known = new Set(keys.map(({ key }) => key));
  const end = (await store.head())?.sequence ?? 0;
  const problems: AnchorProblem[] = [];
  let [line, checked, others] = [0, 0, 0];
  for (const text of lines) {
    line++;
    if (text.trim() === "") continue;
    const loose = parseAnchorLine(text);
    if (loose !== undefined && loose.log !== logId) {
      others++;
      continue;
    }
    checked++;
    const problem = await findProblem(loose, { known, end, store });
    if (problem !== undefined && problems.length < MAX_PROBLEMS) problems.push({ line, ...problem });
  }
  return { ok: problems.length === 0, checked, others, problems };
}

/** The lines of an anchor file, of which the last one may have been cut off. */
export async function readAnchorFile(path: string): Promise<readonly string[]> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > MAX_FILE_BYTES) throw new Error("It is too large");
      return (await file.readFile("utf8")).split("\n");
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new KeyholeError("usage", `The anchors in "${path}" can't be read: ${errorMessage(error)}`, {
      hint: 'Name a file of "audit.anchors", or what your webhook kept, a checkpoint in each line',
    });
  }
}

type Found = Omit<AnchorProblem, "line">;

async function findProblem(
  loose: LooseCheckpoint | undefined,
  { known, end, store }: { known: ReadonlySet<string>; end: number; store: AnchoredLog["store"] },
): Promise<Found | undefined> {
  if (loose === undefined) return { kind: "unreadable", message: "The line is not a checkpoint" };
  const { sequence, hash, key } = loose.checkpoint;
  if (!known.has(key) || !isProperlySigned(loose))
    return { kind: "unsigned", sequence, message: "The line is not signed by a key of this log" };
  if (sequence > end)
    return {
      kind: "missing",
      sequence,
      message: `The log had ${sequence} events when it was anchored, and has ${end} now`,
    };
  const [row] = await store.rows(sequence, 1);
  if (row?.sequence === sequence && isSameHash(row.hash, hash)) return undefined;
  return {
    kind: "contradicted",
    sequence,
    message: `The log up to event ${sequence} is not the one that was anchored`,
  };
}

function parseAnchorLine(text: string): LooseCheckpoint | undefined {
  if (text.length > MAX_LINE_LETTERS) return undefined;
  try {
    return parseCheckpointJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
