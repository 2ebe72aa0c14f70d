import { createHash } from "node:crypto";
import { mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { removeLeftovers } from "../../store/leftovers.ts";
import { manifestName, readManifest, toManifestText } from "./manifest.ts";
import { createPathGuard, ifThere, type PathGuard } from "./path-guard.ts";

export type WriteReport = {
  readonly written: string[];
  unchanged: number;
  readonly removed: string[];
  /** Files left as they are because they are not ours, or not ours alone any more. */
  readonly kept: { readonly path: string; readonly reason: string }[];
};

export type WriteOptions = {
  /** Folders of servers that could not be read now: their files stay, generated or not. */
  readonly keep?: readonly string[];
};

type Hashes = ReadonlyMap<string, readonly string[]>;
type Job = { readonly outDir: string; readonly guard: PathGuard; readonly report: WriteReport };

/** Enough to hide the latency of a disk, too few to run out of file handles. */
const CONCURRENCY = 16;

/**
 * Brings a folder to hold exactly these files of a language, and touches nothing else. The manifest always names every
 * file that this has written, also when it is killed half-way: it is written before the files, with old and new hashes.
 */
export async function writeTree(
  outDir: string,
  files: ReadonlyMap<string, string>,
  language: string,
  options: WriteOptions = {},
): Promise<WriteReport> {
  const report: WriteReport = { written: [], unchanged: 0, removed: [], kept: [] };
  const job: Job = { outDir, guard: createPathGuard(outDir), report };
  await attempt(outDir, () => mkdir(outDir, { recursive: true }));
  const manifestPath = join(outDir, manifestName(language));
  const {
    hashes: known,
    text: before,
    problem,
  } = await attempt(manifestPath, () => readManifest(outDir, language));
  if (problem !== undefined) report.kept.push({ path: manifestName(language), reason: problem });

  const writes = await planWrites(job, files, known);
  const others = [...known.keys()].filter((path) => !files.has(path));
  const isWaiting = (path: string) => options.keep?.some((folder) => path.startsWith(`${folder}/`)) ?? false;
  const stale = others.filter((path) => !isWaiting(path));
  const kept = new Set(report.kept.map((entry) => entry.path));
  const ours = new Map([...files].filter(([path]) => !kept.has(path)));
  let saved = before;
  if (writes.size > 0 || stale.length > 0) {
    saved = await saveManifest(manifestPath, unite(known, ours), saved);
    await attempt(outDir, () => removeLeftovers(outDir));
  }
  await inParallel([...writes], async ([path, content]) => {
    const target = join(outDir, path);
    await attempt(target, async () => {
      await mkdir(dirname(target), { recursive: true });
      await atomicWrite(target, content);
    });
  });
  report.written.push(...writes.keys());
  for (const path of stale) await removeStale(job, path, known.get(path) ?? []);
  // What the user changed stays on record as we wrote it, so that undoing the change makes it ours again.
  const changed = [...known].filter(([path]) => (files.has(path) ? kept.has(path) : isWaiting(path)));
  const hashes = [...ours].map(([path, content]) => [path, [toHash(content)]] as const);
  await saveManifest(manifestPath, new Map([...changed, ...hashes]), saved);
  return report;
}

/** The files to write; those that must not be touched are reported. */
async function planWrites(
  job: Job,
  files: ReadonlyMap<string, string>,
  known: Hashes,
): Promise<Map<string, string>> {
  const { outDir, guard, report } = job;
  const reasons = new Map<string, string>();
  const writes = new Map<string, string>();
  await inParallel([...files], async ([path, content]) => {
    const target = join(outDir, path);
    const obstacle = await attempt(target, () => guard.findObstacle(path));
    if (obstacle !== undefined) {
      reasons.set(path, obstacle);
      return;
    }
    const current = await attempt(target, () => ifThere(() => readFile(target)));
    const hashes = known.get(path);
    if (current === undefined) writes.set(path, content);
    else if (current.equals(Buffer.from(content))) report.unchanged++;
    else if (hashes === undefined) reasons.set(path, "not written by keyhole");
    else if (!hashes.includes(toHash(current))) reasons.set(path, "changed since keyhole wrote it");
    else writes.set(path, content);
  });
  for (const path of files.keys()) {
    const reason = reasons.get(path);
    if (reason !== undefined) report.kept.push({ path, reason });
  }
  return new Map([...files].filter(([path]) => writes.has(path)));
}

async function removeStale(job: Job, path: string, hashes: readonly string[]): Promise<void> {
  const { outDir, guard, report } = job;
  const target = join(outDir, path);
  const obstacle = await attempt(target, () => guard.findObstacle(path));
  if (obstacle !== undefined) {
    report.kept.push({ path, reason: obstacle });
    return;
  }
  const current = await attempt(target, () => ifThere(() => readFile(target)));
  if (current === undefined) return;
  if (!hashes.includes(toHash(current))) {
    report.kept.push({ path, reason: "no longer generated, but changed since keyhole wrote it" });
    return;
  }
  await attempt(target, () => rm(target));
  report.removed.push(path);
  await removeEmptyFolders(outDir, dirname(path));
}

async function removeEmptyFolders(outDir: string, folder: string): Promise<void> {
  for (let current = folder; current !== "."; current = dirname(current)) {
    try {
      await rmdir(join(outDir, current));
    } catch {
      // Not empty, or gone already: either way there is nothing to tidy.
      return;
    }
  }
}

/** Never reads the file again: what stands at its place may be a pipe, or a link to a device. It is replaced. */
async function saveManifest(path: string, hashes: Hashes, current: string | undefined): Promise<string> {
  const text = toManifestText(hashes);
  if (current !== text) await attempt(path, () => atomicWrite(path, text));
  return text;
}

function unite(known: Hashes, files: ReadonlyMap<string, string>): Hashes {
  const all = new Map(known);
  for (const [path, content] of files) {
    all.set(path, [...new Set([...(known.get(path) ?? []), toHash(content)])]);
  }
  return all;
}

async function inParallel<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof KeyholeError) throw error;
    throw new KeyholeError("file_conflict", `Cannot write "${path}": ${errorMessage(error)}`, {
      hint: "Check the folder's permissions and free space, or choose another output folder",
      cause: error,
    });
  }
}

function toHash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
