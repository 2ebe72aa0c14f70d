import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { type AuditKeys, openAuditKeys } from "../../audit/log/keys.ts";
import { parseLogId, parsePublicKeys, toPublicKeysText } from "../../audit/log/public-keys.ts";
import type { KnownKey } from "../../audit/log/trusted-keys.ts";
import { toLogId } from "../../audit/log-place.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { userDir } from "../project.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

const MAX_FILE_BYTES = 1_000_000;

type Place = Pick<ProjectAudit, "log" | "place">;

export type ShownKey = { readonly key: string; readonly since: string; readonly previous?: string };

/** The public keys that signed logs of this user, the oldest first; `text` is what an auditor needs. */
export async function listAuditKeys(audit: Place): Promise<{ keys: ShownKey[]; text: string }> {
  const rows = await keysOf(audit).known();
  const keys = rows.map(({ key, since, previous }) => ({
    key,
    since: new Date(since).toISOString(),
    ...(previous !== null && { previous }),
  }));
  return { keys, text: toPublicKeysText(rows, toLogId(audit.place)) };
}

/** A new key, endorsed by the old one; the log names it with the next events that it signs. */
export async function rotateAuditKey(audit: Place): Promise<{ key: string; previous?: string }> {
  const { key, previous } = await keysOf(audit).rotate();
  return { key, ...(previous !== null && { previous }) };
}

/** Whose signatures count for this user, whatever folder it is. */
export function findKnownKeys(homeDir = homedir()): Promise<readonly KnownKey[]> {
  return openAuditKeys({ userDir: userDir({ homeDir, env: process.env }) }).known();
}

/** From a file that somebody gave, as `listAuditKeys` writes them. */
export async function readPublicKeys(file: string): Promise<readonly KnownKey[]> {
  return (await readAuditorsFile(file)).keys;
}

/** With the log that they are for, where the file says it. */
export async function readAuditorsFile(
  file: string,
): Promise<{ readonly keys: readonly KnownKey[]; readonly logId: string | undefined }> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error("It is too large");
    const text = await readFile(file, "utf8");
    return { keys: parsePublicKeys(text), logId: parseLogId(text) };
  } catch (error) {
    throw new KeyholeError(
      "usage",
      `The keys in "${toExcerpt(file, 200)}" can't be used: ${errorMessage(error)}`,
      {
        hint: 'Give a file with the public keys that "keyhole audit keys" prints where the log was written',
      },
    );
  }
}

function keysOf({ log, place }: Place): AuditKeys {
  return log?.keys ?? openAuditKeys({ userDir: place.userDir });
}
