import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { KeyholeError } from "../../errors.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { KEY_BYTES, makeKeyFile, parseKeyText, readKeyFile, unusableKey } from "../../store/key-file.ts";
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
const WHAT = "The vault's key";

/**
 * The key from which all keys of vaults are made: from the environment, from the file if there is one, from the system's keychain.
 * Where there is none, one is made and kept in the keychain, or in a file that only this user can read.
 */
export async function loadMasterKey(options: MasterKeyOptions): Promise<MasterKey> {
  const { env, keyDir, platform = process.platform } = options;
  const given = env[VAULT_KEY_VARIABLE];
  if (given !== undefined && given !== "") return { key: parseGiven(given), from: "environment" };
  if (keyDir === undefined) return { key: PROCESS_KEY, from: "process" };
  const kept = await readKeyFile(join(keyDir, FILE), WHAT);
  if (kept !== undefined) return { key: kept, from: "file" };
  await makeFolders(keyDir);
  let found: MasterKey | undefined;
  // One process at a time: two that make one at once would not open each other's values.
  await withFileLock(join(keyDir, `${FILE}.lock`), async () => {
    found = await findOrMake(keyDir, { env, platform });
  });
  if (found !== undefined) return found;
  throw unusableKey(join(keyDir, FILE), WHAT, "is being made by another process", "Try again");
}

const PROCESS_KEY = randomBytes(KEY_BYTES);

async function findOrMake(
  keyDir: string,
  { env, platform }: { env: NodeJS.ProcessEnv; platform: NodeJS.Platform },
): Promise<MasterKey> {
  const kept = await readKeyFile(join(keyDir, FILE), WHAT);
  if (kept !== undefined) return { key: kept, from: "file" };
  const keychain = toKeychain({ env, platform });
  const inKeychain = parseKeyText(await keychain?.read());
  if (inKeychain !== undefined) return { key: inKeychain, from: "keychain" };
  const fresh = randomBytes(KEY_BYTES);
  if (await keychain?.write(fresh.toString("base64"))) {
    // What says that it was kept may not have kept it.
    if (parseKeyText(await keychain?.read())?.equals(fresh)) return { key: fresh, from: "keychain" };
  }
  return { key: await makeKeyFile(keyDir, FILE, fresh, WHAT), from: "file" };
}

function parseGiven(text: string): Buffer {
  const key = parseKeyText(text.trim());
  if (key !== undefined) return key;
  throw new KeyholeError("config_invalid", `"${VAULT_KEY_VARIABLE}" is not a key of ${KEY_BYTES} bytes`, {
    hint: 'Set it to 32 random bytes, as base64 or as hexadecimal digits: "openssl rand -base64 32"',
  });
}
