import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../config/files/json-value.ts";
import { ParseProblem } from "../../../config/files/parsed-text.ts";
import type { Places } from "../../../config/places.ts";
import { errorMessage } from "../../../errors.ts";
import { editServers, formatOf, isBare, readEntry, type WrittenEntry } from "../edit/edit-servers.ts";
import { keepBackup } from "../keep-backup.ts";
import { hideFromGit, showToGit } from "./git.ts";
import { startsKeyhole } from "./plan.ts";
import {
  type BlockRecord,
  digestOf,
  type FileRecord,
  loadRecord,
  saveRecord,
  unpatch,
  withRecordLock,
} from "./record.ts";
import { BYTE_ORDER_MARK, readTextFile, replaceFile, type TextFile } from "./text-file.ts";

export type Undone = {
  file: string;
  /**
   * `restored`: as it was, to the byte. `merged`: it had changed since, and only what we did was taken back.
   * `removed`: it was ours alone. `unchanged`: there was nothing to do. `failed`: what can't be edited stays.
   */
  status: "restored" | "merged" | "removed" | "unchanged" | "failed";
  back: string[];
  notices: string[];
  backup?: string;
};

/** Takes back what `--write` did, the latest first, and within one the clients before Keyhole's config. */
export async function undoTakeover(places: Places, dryRun: boolean): Promise<Undone[]> {
  const undone: Undone[] = [];
  if ((await loadRecord(places)).length === 0) return undone;
  const work = async () => {
    const writes = await loadRecord(places);
    for (let write = writes.pop(); write !== undefined; write = writes.pop()) {
      const failed: FileRecord[] = [];
      for (const record of write.files.toReversed()) {
        const result = await undoFile(record, dryRun).catch((error) => failure(record, error));
        undone.push(result);
        if (result.status === "failed") failed.unshift(record);
      }
      if (!dryRun)
        await saveRecord(places, failed.length === 0 ? writes : [...writes, { ...write, files: failed }]);
      // What was done earlier to a file can't be taken back before what was done later.
      if (failed.length > 0) return;
    }
  };
  await (dryRun ? work() : withRecordLock(places, work));
  return undone;
}

async function undoFile(record: FileRecord, dryRun: boolean): Promise<Undone> {
  const current = await readTextFile(record.file);
  const back = record.blocks.flatMap(({ removed }) => removed.map(([name]) => name));
  const result = { file: record.file, back: record.role === "client" ? back : [], notices: [] };
  const digest = current.content === undefined ? undefined : digestOf(current.content);
  if (digest === record.before) return { ...result, status: "unchanged", back: [] };
  if (current.content === undefined || digest !== record.after) return merge(record, current, result, dryRun);
  if (record.before === undefined) {
    if (!dryRun) await remove(record, current);
    return { ...result, status: "removed" };
  }
  if (!dryRun) {
    await replaceFile({ ...current, mode: record.mode }, unpatch(current.content, record.patch));
    // It has become the same as the file.
    if (record.backup !== undefined) await rm(record.backup, { force: true });
    await showAgain(record);
  }
  return { ...result, status: "restored" };
}

/** A file that can't be read or written keeps none of the others from being put back. */
function failure({ file, blocks, backup }: FileRecord, error: unknown): Undone {
  const names = blocks.flatMap(({ removed }) => removed.map(([name]) => name)).join(", ");
  const byHand = names === "" || backup === undefined ? "" : `, or put back by hand ${names} from ${backup}`;
  const place = error instanceof ParseProblem ? `:${error.position.line}:${error.position.column}` : "";
  const why = `${file}${place} cannot be edited as it is now: ${errorMessage(error)}`;
  const notice = `${why}. Mend it and run \`keyhole init --undo\` again${byHand}`;
  return { file, status: "failed", back: [], notices: [notice] };
}

/** The file was changed since: what others did stays, and a backup of it is kept. */
async function merge(
  record: FileRecord,
  current: TextFile,
  result: Pick<Undone, "file" | "back" | "notices">,
  dryRun: boolean,
): Promise<Undone> {
  const format = formatOf(record.file);
  const mark = current.content?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const start = current.content?.slice(mark.length) ?? (format === "json" ? "{}\n" : "");
  const notices: string[] = [];
  const back: string[] = [];
  let text = start;
  for (const block of record.blocks.toReversed()) {
    const change = reverse(block, text, record, notices);
    const edited = editServers(text, format, { path: block.path, ...change });
    if (edited === undefined) {
      const names = [...change.add.keys()].join(", ") || "nothing";
      const where = record.backup === undefined ? "" : ` from ${record.backup}`;
      notices.push(`${record.file} cannot be edited as it is now: put back by hand ${names}${where}`);
      return { ...result, status: "failed", back: [], notices };
    }
    text = edited;
    back.push(...change.add.keys());
  }
  const shown = record.role === "client" ? back : [];
  if (text === start) return { ...result, status: "unchanged", back: [], notices };
  const isOurs = record.before === undefined && record.blocks.every(({ path }) => isBare(text, format, path));
  if (dryRun) return { ...result, status: isOurs ? "removed" : "merged", back: shown, notices };
  if (isOurs) {
    await remove(record, current);
    return { ...result, status: "removed", back: shown, notices };
  }
  const backup =
    current.content === undefined
      ? undefined
      : await keepBackup(record.file, async (file) => {
          await hideFromGit(file);
        });
  await replaceFile(current, mark + text);
  return { ...result, status: "merged", back: shown, notices, ...(backup === undefined ? {} : { backup }) };
}

/** What would take this block back. Whatever was changed by others since is left, and told. */
function reverse(
  { path, removed, added }: BlockRecord,
  text: string,
  { file, role, backup }: FileRecord,
  notices: string[],
): { remove: string[]; add: Map<string, WrittenEntry> } {
  const current = (name: string): JsonObject | undefined =>
    readEntry(text, formatOf(file), path, name)?.value;
  const isSame = (one: unknown, other: unknown) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
  const remove = added.flatMap(([name, { value }]) => {
    const now = current(name);
    if (now === undefined) return [];
    if (isSame(now, value) || (role === "client" && startsKeyhole(now))) return [name];
    notices.push(`${name} in ${file} was changed since and stays`);
    return [];
  });
  const add = removed.filter(([name, { value }]) => {
    const now = current(name);
    if (now === undefined || remove.includes(name)) return true;
    if (!isSame(now, value) && !added.some(([one]) => one === name))
      notices.push(
        `${file} has another ${name} now, which stays; the earlier one is in ${backup ?? "the record"}`,
      );
    return false;
  });
  return { remove, add: new Map(add) };
}

/** What stays hidden is what is still there and may hold secrets. */
async function showAgain({ hidden = [] }: FileRecord): Promise<void> {
  for (const file of hidden) if (!existsSync(file)) await showToGit(file);
}

async function remove(record: FileRecord, { target }: TextFile): Promise<void> {
  const { file, madeFolder } = record;
  await rm(target, { force: true });
  await showAgain(record);
  // Refused unless it is empty.
  if (madeFolder) await rmdir(dirname(file)).catch(() => {});
}
