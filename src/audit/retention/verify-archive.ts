import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";
import { HASH_BYTES, isSameHash, toChainHash, toLeaf } from "../log/chain.ts";
import {
  isProperlySigned,
  type LooseCheckpoint,
  parseCheckpointJson,
  parseHex,
} from "../log/checkpoint-json.ts";
import { toRoot } from "../log/merkle.ts";

/** An event as it stands in an archive. */
export type ArchivedEvent = {
  readonly sequence: number;
  readonly leaf: Uint8Array;
  readonly hash: Uint8Array;
  readonly body: string;
};

export type ArchiveReport = {
  readonly ok: boolean;
  readonly log: string;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** The ids of the keys that signed its checkpoints: whether they are ours is for whoever asks. */
  readonly keys: readonly string[];
  readonly problems: readonly string[];
};

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_TEXT_BYTES = 512 * 1024 * 1024;
const MAX_PROBLEMS = 100;

const decompress = promisify(gunzip);

type Segment = LooseCheckpoint & {
  readonly leaves: readonly Uint8Array[];
  /** The chain's hash at each of them. */
  readonly hashes: readonly Uint8Array[];
};

/** Whether each event in an archive is what stood in the log, by the signed checkpoints that it brings along. */
export async function verifyArchive(path: string): Promise<ArchiveReport> {
  const lines = await readArchiveLines(path);
  const problems: string[] = [];
  const keys = new Set<string>();
  let segment: Segment | undefined;
  let [count, before] = [0, 0];
  const [head] = lines;
  const { log, from, to, count: told } = isRecord(head) ? head : {};
  const isHead = typeof log === "string" && typeof from === "number" && typeof to === "number";
  if (!isHead) problems.push("Its first line is not that of an archive");
  for (const [index, line] of lines.slice(1).entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const place = `Line ${index + 2}`;
    if (isRecord(line) && "checkpoint" in line) {
      segment = parseSegment(line);
      const problem =
        segment === undefined ? "is not a checkpoint" : findSegmentProblem(segment, String(log));
      if (problem !== undefined) problems.push(`${place} ${problem}`);
      if (segment !== undefined) keys.add(segment.checkpoint.key);
      continue;
    }
    const event = parseArchivedEvent(line);
    if (event === undefined) {
      problems.push(`${place} is not an event`);
      continue;
    }
    count++;
    const problem = findEventProblem(event, segment);
    if (problem !== undefined) problems.push(`Event ${event.sequence} ${problem}`);
    if (event.sequence <= before) problems.push(`Event ${event.sequence} is not in its place`);
    before = event.sequence;
  }
  if (isHead && count !== told) problems.push(`It has ${count} events, and says that it has ${String(told)}`);
  return {
    ok: problems.length === 0,
    log: String(log),
    count,
    from: Number(from),
    to: Number(to),
    keys: [...keys],
    problems,
  };
}

/** @internal Events of an archive, oldest first. */
export async function readArchive(path: string): Promise<readonly ArchivedEvent[]> {
  const lines = await readArchiveLines(path);
  return lines.map(parseArchivedEvent).filter((event) => event !== undefined);
}

async function readArchiveLines(path: string): Promise<unknown[]> {
  const fail = (why: string) =>
    new KeyholeError("usage", `The archive "${path}" can't be read: ${why}`, {
      hint: 'Name a file of ".keyhole/audit-archive"',
    });
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) throw fail("it is too large");
    const text = (await decompress(await readFile(path), { maxOutputLength: MAX_TEXT_BYTES })).toString(
      "utf8",
    );
    const lines = text.split("\n");
    // What follows the last line break is nothing.
    if (lines.at(-1) === "") lines.pop();
    return lines.map(parseLine);
  } catch (error) {
    throw error instanceof KeyholeError ? error : fail(errorMessage(error));
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function parseSegment(line: Record<string, unknown>): Segment | undefined {
  const loose = parseCheckpointJson(line["checkpoint"]);
  const before = parseHex(line["before"], HASH_BYTES);
  const { leaves: given } = line;
  if (loose === undefined || before === undefined || !Array.isArray(given)) return undefined;
  const leaves = given.map((leaf) => parseHex(leaf, HASH_BYTES)).filter((leaf) => leaf !== undefined);
  if (leaves.length !== given.length || leaves.length === 0) return undefined;
  const hashes: Uint8Array[] = [];
  let hash: Uint8Array = before;
  for (const leaf of leaves) {
    hash = toChainHash(hash, leaf);
    hashes.push(hash);
  }
  return { ...loose, leaves, hashes };
}

function findSegmentProblem(segment: Segment, log: string): string | undefined {
  const { checkpoint, leaves, hashes } = segment;
  const end = hashes.at(-1);
  if (segment.log !== log) return "is of another log";
  if (!isProperlySigned(segment)) return "is not signed by its key";
  if (leaves.length !== checkpoint.sequence - checkpoint.first + 1) return "does not have all of its leaves";
  if (!isSameHash(toRoot(leaves), checkpoint.root)) return "has another root than its leaves";
  if (end === undefined || !isSameHash(end, checkpoint.hash)) return "is not where its chain ends";
  return undefined;
}

function findEventProblem(event: ArchivedEvent, segment: Segment | undefined): string | undefined {
  if (segment === undefined) return "is under no checkpoint";
  const index = event.sequence - segment.checkpoint.first;
  const [leaf, hash] = [segment.leaves[index], segment.hashes[index]];
  if (leaf === undefined || hash === undefined) return "is not under its checkpoint";
  if (!isSameHash(toLeaf(event.body), event.leaf) || !isSameHash(event.leaf, leaf)) return "was changed";
  return isSameHash(event.hash, hash) ? undefined : "has another hash than the chain";
}

function parseArchivedEvent(line: unknown): ArchivedEvent | undefined {
  if (!isRecord(line)) return undefined;
  const { sequence, body } = line;
  const leaf = parseHex(line["leaf"], HASH_BYTES);
  const hash = parseHex(line["hash"], HASH_BYTES);
  if (typeof sequence !== "number" || typeof body !== "string" || !leaf || !hash) return undefined;
  return { sequence, leaf, hash, body };
}
