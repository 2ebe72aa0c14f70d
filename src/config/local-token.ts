import { randomBytes, randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { link, lstat, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, KeyholeError } from "../errors.ts";
import { makeFolders } from "../store/make-folders.ts";
import { appDataDir, type Places } from "./places.ts";

export type LocalToken = { readonly token: string; readonly file: string };

/** One token, readable by anything that a client's file can hold. */
const MAX_FILE_BYTES = 1_024;
const HINT = "Remove it, and it is made anew; or set KEYHOLE_TOKEN";

/** The token by which this user's own clients reach a gateway on this machine; made once, and kept. */
export async function loadLocalToken(places: Places): Promise<LocalToken> {
  const file = tokenFile(places);
  const known = await readLocalToken(places);
  if (known !== undefined) return { token: known, file };
  const token = randomBytes(32).toString("base64url");
  await makeFile(file, `${token}\n`);
  // Another process may have made it in this moment; then that one counts.
  return { token: (await readLocalToken(places)) ?? token, file };
}

/** The same, where a gateway has been started by this user before; undefined where none has. */
export async function readLocalToken(places: Places): Promise<string | undefined> {
  const file = tokenFile(places);
  const folder = await lstat(dirname(file)).catch(() => undefined);
  if (folder === undefined) return undefined;
  assertFolder(dirname(file), folder, places.platform);
  const text = await readOwnFile(file, places.platform);
  if (text === undefined) return undefined;
  const token = text.trim();
  if (!/^[\x21-\x7e]{16,}$/.test(token)) throw refused(file, "holds no token");
  return token;
}

function tokenFile(places: Places): string {
  return join(appDataDir(places), "keyhole", "token");
}

/** Looks at what was opened, and not at the path again: between the two it could become another file. */
async function readOwnFile(file: string, platform: NodeJS.Platform): Promise<string | undefined> {
  // A pipe in its place must not keep us waiting.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    if (hasCode(error, "ELOOP")) throw refused(file, "is a link");
    throw refused(file, errorMessage(error));
  });
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw refused(file, "is no file with a token");
    if (platform !== "win32") {
      if (stats.uid !== process.getuid?.()) throw refused(file, "belongs to another user");
      if ((stats.mode & 0o077) !== 0) throw refused(file, "can be read by others (its mode must be 0600)");
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function assertFolder(dir: string, stats: Stats, platform: NodeJS.Platform): void {
  if (!stats.isDirectory()) throw refused(dir, stats.isSymbolicLink() ? "is a link" : "is no folder");
  if (platform === "win32") return;
  if (stats.uid !== process.getuid?.()) throw refused(dir, "belongs to another user");
  if ((stats.mode & 0o022) !== 0) throw refused(dir, "can be written by others (its mode must be 0700)");
}

/** Whole or not at all, and never over another's: two that start at once agree on one token. */
async function makeFile(file: string, content: string): Promise<void> {
  const temporary = `${file}-${randomUUID()}.tmp`;
  try {
    await makeFolders(dirname(file));
    await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
    await link(temporary, file);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    throw new KeyholeError("file_conflict", `Cannot keep a token in "${file}": ${errorMessage(error)}`, {
      hint: "Set KEYHOLE_TOKEN, or give yourself the right to write there",
      cause: error,
    });
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

function refused(path: string, why: string): KeyholeError {
  return new KeyholeError("file_conflict", `"${path}" ${why}: it is not used for the gateway's token`, {
    hint: HINT,
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
