import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../../errors.ts";
import { toTemporaryName } from "../../store/atomic-write.ts";
import { hasCode } from "../../store/error-code.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { makeFolders } from "../../store/make-folders.ts";
import { toKeychain } from "./keychain.ts";

export type MasterKeyOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** The user's own folder. Without one the key is this process's alone, and so is what it seals. */
  readonly keyDir?: string | undefined;
  readonly platform?: NodeJS.Platform;
};

export type MasterKey = {
  readonly key: Buffer;
  readonly from: "environment" | "keychain" | "file" | "process";
};

export const VAULT_KEY_VARIABLE = "KEYHOLE_VAULT_KEY";
const FILE = "vault-key";
const BYTES = 32;

/**
 * The key from which all keys of vaults are made: from the environment, from the file if there is one, from the system's keychain.
 * Where there is none, one is made and kept in the keychain, or in a file that only this user can read.
 */
export async function loadMasterKey(options: MasterKeyOptions): Promise<MasterKey> {
  const { env, keyDir, platform = process.platform } = options;
  const given = env[VAULT_KEY_VARIABLE];
  if (given !== undefined && given !== "") return { key: parseGiven(given), from: "environment" };
  if (keyDir === undefined) return { key: PROCESS_KEY, from: "process" };
  const kept = await readFileKey(join(keyDir, FILE));
  if (kept !== undefined) return { key: kept, from: "file" };
  await makeFolders(keyDir);
  let found: MasterKey | undefined;
  // One process at a time: two that make one at once would not open each other's values.
  await withFileLock(join(keyDir, `${FILE}.lock`), async () => {
    found = await findOrMake(keyDir, { env, platform });
  });
  if (found !== undefined) return found;
  throw unusable(join(keyDir, FILE), "is being made by another process", "Try again");
}

const PROCESS_KEY = randomBytes(BYTES);

async function findOrMake(
  keyDir: string,
  { env, platform }: { env: NodeJS.ProcessEnv; platform: NodeJS.Platform },
): Promise<MasterKey> {
  const file = join(keyDir, FILE);
  const kept = await readFileKey(file);
  if (kept !== undefined) return { key: kept, from: "file" };
  const keychain = toKeychain({ env, platform });
  const inKeychain = parseKey(await keychain?.read());
  if (inKeychain !== undefined) return { key: inKeychain, from: "keychain" };
  const fresh = randomBytes(BYTES);
  if (await keychain?.write(fresh.toString("base64"))) {
    // What says that it was kept may not have kept it.
    if (parseKey(await keychain?.read())?.equals(fresh)) return { key: fresh, from: "keychain" };
  }
  return { key: await makeFileKey(keyDir, file, fresh), from: "file" };
}

function parseGiven(text: string): Buffer {
  const key = parseKey(text.trim());
  if (key !== undefined) return key;
  throw new KeyholeError("config_invalid", `"${VAULT_KEY_VARIABLE}" is not a key of ${BYTES} bytes`, {
    hint: 'Set it to 32 random bytes, as base64 or as hexadecimal digits: "openssl rand -base64 32"',
  });
}

function parseKey(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : undefined;
  return key?.length === BYTES ? key : undefined;
}

/** One that others can read is not used, nor replaced: what was sealed with it could not be opened any more. */
async function readFileKey(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stats = await file.stat();
      const isOpenToOthers = process.platform !== "win32" && (stats.mode & 0o077) !== 0;
      if (isOpenToOthers) throw unusable(path, "can be read by others", `chmod 600 "${path}"`);
      const isOwn = process.getuid === undefined || stats.uid === process.getuid() || stats.uid === 0;
      const key = stats.isFile() && isOwn && stats.size === BYTES ? await file.readFile() : undefined;
      if (key?.length !== BYTES)
        throw unusable(path, "is not one that Keyhole has made", "Put the right one there");
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function unusable(path: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("store_unusable", `The vault's key "${path}" ${why}`, { hint });
}

/** Whole or not at all, and on the disk before anything is sealed with it; if another process was faster, that one counts. */
async function makeFileKey(dir: string, path: string, fresh: Buffer): Promise<Buffer> {
  const temporary = join(dir, toTemporaryName());
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(fresh);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path);
    return fresh;
  } catch (error) {
    const theirs = hasCode(error, "EEXIST") ? await readFileKey(path) : undefined;
    if (theirs === undefined) throw error;
    return theirs;
  } finally {
    await rm(temporary, { force: true });
  }
}
