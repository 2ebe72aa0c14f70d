import { classOf, isAction } from "../event.ts";
import { isSameHash, toLeaf } from "../log/chain.ts";
import { isCheckpointSigned } from "../log/checkpoint.ts";
import { COLUMN_NAMES, parseColumns } from "../log/columns.ts";
import type { Checkpoint, KeyRow, LogRow, LogStore } from "../log/log-store.ts";
import { toRoot } from "../log/merkle.ts";
import type { KeptDays } from "./find-expired.ts";
import { readSegment } from "./write-archive.ts";

const DAY_MS = 86_400_000;

export type DoubtOptions = {
  readonly store: Pick<LogStore, "checkpoints" | "rows">;
  readonly logId: string;
  /** Whose signatures count. */
  readonly known: readonly KeyRow[];
  readonly days: KeptDays;
  readonly now: number;
};

/**
 * Whoever writes the database can write an age and a class into its columns: events are only taken out for what they say
 * themselves, as they were signed. Tells what is wrong with the first of these that was changed.
 */
export async function findDoubt(rows: readonly LogRow[], options: DoubtOptions): Promise<string | undefined> {
  for (const row of rows) {
    const doubt = findChange(row, options);
    if (doubt !== undefined) return doubt;
  }
  return findUnsigned(rows, options);
}

function findChange({ sequence, body, leaf, columns }: LogRow, { days, now }: DoubtOptions) {
  if (body === undefined) return `Event ${sequence} was taken out before, and has columns`;
  if (!isSameHash(toLeaf(body), leaf)) return `Event ${sequence} is not what was hashed`;
  const said = parseColumns(body);
  if (said === undefined) return `Event ${sequence} is not an event`;
  const differing = COLUMN_NAMES.filter((name) => said[name] !== columns[name]);
  if (differing.length > 0)
    return `Event ${sequence} has columns that say something else than it: ${differing.join(", ")}`;
  const kind = isAction(said.action) ? classOf(said.action) : "audit";
  const kept = kind === "audit" ? undefined : days[kind];
  const isOld = kept !== undefined && said.at <= now - kept * DAY_MS;
  return isOld ? undefined : `Event ${sequence} is not as old as it was found to be`;
}

/** Of rows by sequence, those under each checkpoint: all of its leaves make the root that was signed. */
async function findUnsigned(
  rows: readonly LogRow[],
  { store, logId, known }: DoubtOptions,
): Promise<string | undefined> {
  let next = 0;
  for (const checkpoint of await store.checkpoints(rows[0]?.sequence)) {
    const own: LogRow[] = [];
    for (let row = rows[next]; row !== undefined && row.sequence <= checkpoint.sequence; row = rows[++next])
      own.push(row);
    if (own.length === 0) continue;
    const isSigned = isOfKey(checkpoint, logId, known) && (await hasLeaves(store, checkpoint, own));
    if (!isSigned) return `Event ${own[0]?.sequence} is not under the checkpoint that was signed for it`;
  }
  return rows[next] && `Event ${rows[next]?.sequence} is under no checkpoint`;
}

function isOfKey(checkpoint: Checkpoint, logId: string, known: readonly KeyRow[]): boolean {
  const key = known.find((row) => row.key === checkpoint.key);
  return key !== undefined && isCheckpointSigned(logId, checkpoint, key);
}

async function hasLeaves(
  store: DoubtOptions["store"],
  checkpoint: Checkpoint,
  rows: readonly LogRow[],
): Promise<boolean> {
  const { first, sequence, root } = checkpoint;
  const { leaves } = await readSegment(store, checkpoint);
  if (leaves.length !== sequence - first + 1 || !isSameHash(toRoot(leaves), root)) return false;
  return rows.every((row) => {
    const leaf = leaves[row.sequence - first];
    return leaf !== undefined && isSameHash(leaf, row.leaf);
  });
}
