import { rm } from "node:fs/promises";
import type { Places } from "../../../config/places.ts";
import { KeyholeError } from "../../../errors.ts";
import { keepBackup } from "../keep-backup.ts";
import { literalSecrets } from "../secrets.ts";
import { hideFromGit, isTracked, showToGit } from "./git.ts";
import type { FileChange, Takeover } from "./plan.ts";
import { digestOf, type FileRecord, loadRecord, saveRecord, toPatch, withRecordLock } from "./record.ts";
import { assertUnchanged, replaceFile } from "./text-file.ts";

export type Applied = { backups: ReadonlyMap<string, string>; hidden: string[] };

/**
 * Backups, then the record of what is going to happen, then Keyhole's config, then the clients' files: wherever it is
 * killed, each file is the old one or the new one, and the record knows how to go back.
 */
export async function applyTakeover(takeover: Takeover, places: Places): Promise<Applied> {
  const { config, draft, clients } = takeover;
  const changes = [...(config === undefined ? [] : [config]), ...clients];
  const secrets = draft.put.flatMap(({ server }) => literalSecrets(server));
  if (config !== undefined && secrets.length > 0 && (await isTracked(config.before.file)))
    throw committed(config.before.file, secrets);
  const backups = new Map<string, string>();
  const hidden: string[] = [];
  await withRecordLock(places, async () => {
    for (const { before } of changes) await assertUnchanged(before);
    const writes = await loadRecord(places);
    try {
      for (const { before } of changes) {
        if (before.content === undefined) continue;
        const backup = await keepBackup(before.file, async (file) => {
          if (await hideFromGit(file)) hidden.push(file);
        });
        backups.set(before.file, backup);
      }
    } catch (error) {
      // Nothing was changed yet, and copies of secrets are not left behind.
      for (const backup of backups.values()) await rm(backup, { force: true });
      for (const file of hidden) await showToGit(file);
      throw error;
    }
    if (config !== undefined && secrets.length > 0 && (await hideFromGit(config.before.file)))
      hidden.push(config.before.file);
    const files = changes.map((change) => toFileRecord(change, backups.get(change.before.file), hidden));
    await saveRecord(places, [...writes, { at: new Date().toISOString(), files }]);
    for (const { before, after, mode } of changes) await replaceFile({ ...before, mode }, after);
  });
  return { backups, hidden };
}

function toFileRecord(change: FileChange, backup: string | undefined, hidden: readonly string[]): FileRecord {
  const { role, before, after, madeFolder, blocks } = change;
  return {
    file: before.file,
    role,
    ...(before.content === undefined ? {} : { before: digestOf(before.content) }),
    after: digestOf(after),
    patch: toPatch(before.content ?? "", after),
    madeFolder,
    mode: before.mode,
    ...(backup === undefined ? {} : { backup }),
    hidden: hidden.filter((file) => file === before.file || file === backup),
    blocks: blocks.map(({ path, removed, added }) => ({ path: [...path], removed, added })),
  };
}

function committed(file: string, secrets: readonly string[]): KeyholeError {
  return new KeyholeError(
    "file_conflict",
    `Cannot put what looks like secrets into "${file}", which git has: ${secrets.join(", ")}`,
    {
      hint: `Write \${VAR} in their place in the client's file, or take the config out of git (git rm --cached FILE)`,
    },
  );
}
