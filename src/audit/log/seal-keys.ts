import { createHash, randomBytes } from "node:crypto";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../../errors.ts";
import { hasCode } from "../../store/error-code.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { KEY_BYTES, makeKeyFile, parseKeyText, readKeyFile, unusableKey } from "../../store/key-file.ts";
import { makeFolders } from "../../store/make-folders.ts";

/** By which events' details are sealed in the log: the first seals, all open. */
export type SealKeys = {
  readonly keys: readonly [Buffer, ...Buffer[]];
  readonly from: "environment" | "file" | "process";
};

export type SealKeyOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** The user's own folder. Without one the key is this process's alone. */
  readonly keyDir?: string | undefined;
};

export const AUDIT_KEY_VARIABLE = "KEYHOLE_AUDIT_KEY";
const FILE = "audit-key";
const OLD_FILE = /^audit-key-[0-9a-f]{16}$/;
const WHAT = "The audit log's key";
const MAX_KEYS = 64;
const PROCESS_KEY = randomBytes(KEY_BYTES);

/**
 * From the environment (several are told apart by commas: the first seals, the others are old ones), else from a file that is made
 * when there is none. Old ones that a rotation left in the user's folder open what they sealed in either case.
 */
export async function loadSealKeys({ env, keyDir }: SealKeyOptions): Promise<SealKeys> {
  const given = parseGivenKeys(env[AUDIT_KEY_VARIABLE]);
  const old = keyDir === undefined ? [] : await readOldKeys(keyDir);
  const [first, ...others] = given;
  if (first !== undefined) {
    const own = keyDir === undefined ? undefined : await readKeyFile(join(keyDir, FILE), WHAT);
    return {
      keys: [first, ...others, ...(own === undefined ? [] : [own]), ...old],
      from: "environment",
    };
  }
  if (keyDir === undefined) return { keys: [PROCESS_KEY], from: "process" };
  const kept = await readKeyFile(join(keyDir, FILE), WHAT);
  if (kept !== undefined) return { keys: [kept, ...old], from: "file" };
  await makeFolders(keyDir);
  const fresh = await makeKeyFile(keyDir, FILE, randomBytes(KEY_BYTES), WHAT);
  return { keys: [fresh, ...old], from: "file" };
}

/** For who only reads: nothing is made, and nothing is there where nothing was ever sealed. */
export async function findSealKeys({ env, keyDir }: SealKeyOptions): Promise<SealKeys | undefined> {
  const isGiven = (env[AUDIT_KEY_VARIABLE] ?? "").trim() !== "";
  const names = keyDir === undefined ? [] : await readdir(keyDir).catch(emptyWhereMissing);
  const isKept = names.some((name) => name === FILE || OLD_FILE.test(name));
  return isGiven || isKept ? loadSealKeys({ env, keyDir }) : undefined;
}

/** The next event is sealed by a new key; the old one stays beside it, for what it sealed. Tells the new one's id. */
export async function rotateSealKey({ env, keyDir }: SealKeyOptions): Promise<string> {
  if (keyDir === undefined)
    throw new KeyholeError("store_unusable", "There is no folder of the user's to keep a key in", {
      hint: "Set HOME, or XDG_CONFIG_HOME",
    });
  if (parseGivenKeys(env[AUDIT_KEY_VARIABLE]).length > 0)
    throw new KeyholeError("usage", `The audit log's key comes from "${AUDIT_KEY_VARIABLE}"`, {
      hint: "Put the new key before the old one there, with a comma between them",
    });
  await loadSealKeys({ env, keyDir });
  let id: string | undefined;
  // One process at a time: a second one would put the new key into the place of the old one.
  await withFileLock(join(keyDir, `${FILE}.lock`), async () => {
    const path = join(keyDir, FILE);
    const current = await readKeyFile(path, WHAT);
    // A crash after it leaves none in place, and the next start makes one.
    if (current !== undefined)
      await rename(path, join(keyDir, `${FILE}-${toSealKeyId(current).toString("hex")}`));
    id = toSealKeyId(await makeKeyFile(keyDir, FILE, randomBytes(KEY_BYTES), WHAT)).toString("hex");
  });
  if (id !== undefined) return id;
  throw unusableKey(join(keyDir, FILE), WHAT, "is being changed by another process", "Try again");
}

/** Tells keys apart, and nothing of them. */
export function toSealKeyId(key: Uint8Array): Buffer {
  return createHash("sha256").update("keyhole audit key id\n").update(key).digest().subarray(0, 8);
}

async function readOldKeys(keyDir: string): Promise<Buffer[]> {
  const names = (await readdir(keyDir).catch(emptyWhereMissing)).filter((name) => OLD_FILE.test(name));
  if (names.length > MAX_KEYS)
    throw unusableKey(keyDir, WHAT, `has more than ${MAX_KEYS} old ones`, "Move those that are not needed");
  const keys = await Promise.all(names.sort().map((name) => readKeyFile(join(keyDir, name), WHAT)));
  return keys.filter((key) => key !== undefined);
}

function emptyWhereMissing(error: unknown): string[] {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}

function parseGivenKeys(text: string | undefined): Buffer[] {
  if (text === undefined || text.trim() === "") return [];
  return text.split(",", MAX_KEYS).map((part) => {
    const key = parseKeyText(part.trim());
    if (key !== undefined) return key;
    throw new KeyholeError("config_invalid", `"${AUDIT_KEY_VARIABLE}" is not a key of ${KEY_BYTES} bytes`, {
      hint: 'Set it to 32 random bytes, as base64 or as hexadecimal digits: "openssl rand -base64 32"',
    });
  });
}
