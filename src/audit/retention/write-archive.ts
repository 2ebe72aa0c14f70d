import { createHash } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { KeyholeError } from "../../errors.ts";
import { toTemporaryName } from "../../store/atomic-write.ts";
import type { HeldFolder } from "../../store/held-folder.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { CHAIN_START, toHex } from "../log/chain.ts";
import { toCheckpointJson } from "../log/checkpoint-json.ts";
import type { Checkpoint, LogRow, LogStore } from "../log/log-store.ts";

export const ARCHIVE_FOLDER = "audit-archive";
const ARCHIVE_NAME = /^(\d+)-(\d+)\.jsonl\.gz$/;

/** As events name it: in the folder of archives, and nowhere else. */
export function isArchivePath(path: string): boolean {
  const [folder, name = "", ...more] = path.split("/");
  return folder === ARCHIVE_FOLDER && ARCHIVE_NAME.test(name) && more.length === 0;
}

export type Archive = { readonly name: string; readonly hash: string };

export type ArchivedPiece = {
  readonly logId: string;
  /** By sequence. */
  readonly rows: readonly LogRow[];
  readonly store: Pick<LogStore, "checkpoints" | "keys" | "rows">;
};

const compress = promisify(gzip);

/**
 * Writes what is to be taken out of the log to a file of its own, whole, and waits for the disk. For each checkpoint that covers
 * some of it, the file has the signed checkpoint and all leaves under it: it can be verified without the log.
 */
export async function writeArchive(
  state: Pick<StateDir, "inFolder" | "path">,
  piece: ArchivedPiece,
): Promise<Archive> {
  const [first, last] = [piece.rows[0], piece.rows.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("There is nothing to archive");
  const bytes = await compress(await toArchiveText(piece));
  const name = `${first.sequence}-${last.sequence}.jsonl.gz`;
  const isWritten = await state.inFolder([ARCHIVE_FOLDER], { make: true }, async (folder) => {
    await writeWhole(folder, name, bytes);
    await removeUnfinished(folder, first.sequence, name);
    return true;
  });
  if (isWritten) return { name, hash: createHash("sha256").update(bytes).digest("hex") };
  throw new KeyholeError("store_unusable", `The folder "${join(state.path, ARCHIVE_FOLDER)}" can't be made`, {
    hint: 'Make the project\'s folder writable for this user, or set "audit.retention.archive" to false',
  });
}

async function toArchiveText({ logId, rows, store }: ArchivedPiece): Promise<string> {
  const from = rows[0]?.sequence ?? 0;
  const to = rows.at(-1)?.sequence ?? 0;
  const checkpoints = await store.checkpoints(from);
  const keys = new Map((await store.keys()).map(({ key, publicKey }) => [key, publicKey]));
  const lines: unknown[] = [
    { archive: "keyhole audit", version: 1, log: logId, from, to, count: rows.length },
  ];
  let next = 0;
  for (const checkpoint of checkpoints) {
    if (next >= rows.length) break;
    const own: LogRow[] = [];
    for (let row = rows[next]; row !== undefined && row.sequence <= checkpoint.sequence; row = rows[++next])
      own.push(row);
    if (own.length === 0) continue;
    const publicKey = keys.get(checkpoint.key) ?? new Uint8Array();
    const { before, leaves } = await readSegment(store, checkpoint);
    lines.push({
      checkpoint: toCheckpointJson({ log: logId, checkpoint, publicKey }),
      before: toHex(before),
      leaves: leaves.map(toHex),
    });
    for (const { sequence, leaf, hash, body } of own)
      lines.push({ sequence, leaf: toHex(leaf), hash: toHex(hash), body });
  }
  if (next < rows.length)
    throw new KeyholeError("store_unusable", `Event ${rows[next]?.sequence} is under no checkpoint`, {
      hint: 'See what "keyhole audit verify" finds',
    });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The hash before the first event under a checkpoint, and all leaves under it. */
export async function readSegment(
  store: Pick<LogStore, "rows">,
  { first, sequence }: Checkpoint,
): Promise<{ before: Uint8Array; leaves: Uint8Array[] }> {
  const from = Math.max(1, first - 1);
  const leaves: Uint8Array[] = [];
  let before = CHAIN_START;
  for (let next = from; next <= sequence; ) {
    const rows = await store.rows(next, Math.min(1_000, sequence - next + 1));
    for (const row of rows) {
      if (row.sequence < first) before = row.hash;
      else if (row.sequence <= sequence) leaves.push(row.leaf);
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    next = last.sequence + 1;
  }
  return { before, leaves };
}

async function writeWhole(folder: HeldFolder, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder.path, toTemporaryName());
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder.path, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder.path);
}

/** So that the name is on the disk before the events are gone; not all systems can. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/**
 * An archive that begins with the same event was left by a process that ended before it took anything out: an event is taken
 * out once, and all of those are in the log still.
 */
async function removeUnfinished(folder: HeldFolder, first: number, name: string): Promise<void> {
  for (const other of await readdir(folder.path)) {
    const [, from] = ARCHIVE_NAME.exec(other) ?? [];
    if (Number(from) === first && other !== name) await rm(join(folder.path, other), { force: true });
  }
}
