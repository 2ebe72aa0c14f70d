import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { appDataDir, type Places } from "../../../config/places.ts";
import { KeyholeError } from "../../../errors.ts";
import { atomicWrite } from "../../../store/atomic-write.ts";
import { withFileLock } from "../../../store/file-lock.ts";

const entrySchema = z.object({ value: z.record(z.string(), z.json()), source: z.string().optional() });

/** What was changed in the servers under one key path. */
const blockSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  removed: z.array(z.tuple([z.string(), entrySchema])),
  added: z.array(z.tuple([z.string(), entrySchema])),
});

/** One file: how to put it back to the byte, and, should it have changed since, what of it was our doing. */
const fileSchema = z.object({
  file: z.string(),
  role: z.enum(["client", "config"]),
  /** Digests of the content; without one the file was not there. */
  before: z.string().optional(),
  after: z.string(),
  /** The content before had `old` where the content now has what lies between these lengths. */
  patch: z.object({ start: z.int(), end: z.int(), old: z.string() }),
  madeFolder: z.boolean(),
  mode: z.int(),
  backup: z.string().optional(),
  /** Of the file and its backup, those that git was made to pass over. */
  hidden: z.array(z.string()).optional(),
  blocks: z.array(blockSchema),
});

const recordSchema = z.object({
  version: z.literal(1),
  writes: z.array(z.object({ at: z.string(), files: z.array(fileSchema) })),
});

export type BlockRecord = z.output<typeof blockSchema>;
export type FileRecord = z.output<typeof fileSchema>;
export type WriteRecord = { at: string; files: FileRecord[] };

export async function loadRecord(places: Places): Promise<WriteRecord[]> {
  const file = await recordFile(places);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw broken(file, error);
  }
  try {
    return recordSchema.parse(JSON.parse(text)).writes;
  } catch (error) {
    throw broken(file, error);
  }
}

export async function saveRecord(places: Places, writes: readonly WriteRecord[]): Promise<void> {
  const file = await recordFile(places);
  if (writes.length === 0) return rm(file, { force: true });
  await atomicWrite(file, `${JSON.stringify({ version: 1, writes })}\n`, { mode: 0o600, durable: true });
}

/** One process at a time changes the clients' files for a project. */
export async function withRecordLock(places: Places, work: () => Promise<void>): Promise<void> {
  const file = await recordFile(places);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(() => {});
  if (await withFileLock(`${file}.lock`, work)) return;
  throw new KeyholeError("file_conflict", `Cannot write in "${dirname(file)}", or another init is at work`, {
    hint: "Try again; if nothing else runs, give yourself the right to write there",
  });
}

export function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

export function toPatch(before: string, after: string): FileRecord["patch"] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end, old: before.slice(start, before.length - end) };
}

export function unpatch(after: string, { start, end, old }: FileRecord["patch"]): string {
  return after.slice(0, start) + old + after.slice(after.length - end);
}

/**
 * In the user's own folder, not in the project's: undoing writes to files all over the home folder, and a repository
 * could bring a record along. It holds what stood in the clients' files, so only its owner may read it.
 */
async function recordFile(places: Places): Promise<string> {
  const project = await realpath(places.projectDir).catch(() => places.projectDir);
  return join(appDataDir(places), "keyhole", "init", `${digestOf(project).slice(0, 32)}.json`);
}

function broken(file: string, cause: unknown): KeyholeError {
  return new KeyholeError("config_unreadable", `Cannot read what init wrote down in "${file}"`, {
    hint: "The clients' files have backups beside them, called .bak",
    cause,
  });
}
