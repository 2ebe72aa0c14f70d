import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { signBytes, toKeyId, toPrivateKey, toPublicBytes } from "../../store/ed25519.ts";
import { hasCode } from "../../store/error-code.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { readWhole } from "../../store/held-file.ts";
import { KEY_BYTES, makeKeyFile, readKeyFile, replaceKeyFile, unusableKey } from "../../store/key-file.ts";
import { makeFolders } from "../../store/make-folders.ts";
import { isEndorsedBy, parseKeyRow, toKeyJson } from "./key-rows.ts";
import type { KeyRow } from "./log-store.ts";
import { toEndorsedText } from "./signed-texts.ts";

export const SIGNING_KEY_VARIABLE = "KEYHOLE_AUDIT_SIGNING_KEY";
const FILE = "signing-key";
const WHAT = "The audit log's signing key";
const MAX_ROW_BYTES = 4_096;
/** Rotated daily for thirty years. */
const MAX_KEYS = 10_000;

export type SigningKey = { readonly row: KeyRow; sign(bytes: Uint8Array): Uint8Array };

export type AuditKeys = {
  /** The key in force. Another process may have replaced it since the last time. */
  current(): Promise<SigningKey>;
  /** All that were ever in force here, the oldest first: what they signed counts. */
  known(): Promise<readonly KeyRow[]>;
  /** A new key, endorsed by the one in force, which is gone then. */
  rotate(): Promise<KeyRow>;
};

export type AuditKeyOptions = {
  /** The user's own folder. */
  readonly userDir: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly now?: () => number;
};

/**
 * The keys that sign checkpoints, in the user's folder: `audit/keys/signing-key` is the private one, `audit/keys/public/` has
 * all public ones. It is made when it is first needed. A key from the environment is used instead, and becomes known here.
 */
export function openAuditKeys({ userDir, env = process.env, now = Date.now }: AuditKeyOptions): AuditKeys {
  const dir = join(userDir, "audit", "keys");
  const publicDir = join(dir, "public");
  const file = join(dir, FILE);
  let loaded: { readonly stamp: string; readonly key: SigningKey } | undefined;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    await makeFolders(publicDir);
    let result: { readonly value: T } | undefined;
    await withFileLock(join(dir, `${FILE}.lock`), async () => {
      result = { value: await work() };
    });
    if (result !== undefined) return result.value;
    throw unusableKey(file, WHAT, "is being made by another process", "Try again");
  }

  async function load(privateKey: KeyObject): Promise<SigningKey> {
    const publicKey = toPublicBytes(privateKey);
    if (publicKey === undefined) throw notAKey();
    const key = toKeyId(publicKey);
    const known = await readRow(publicDir, key);
    const bare = { key, publicKey, since: now(), previous: null };
    const row = known ?? { ...bare, endorsement: signBytes(privateKey, toEndorsedText(bare)) };
    if (known === undefined) await inTurn(() => writeRow(publicDir, row));
    return { row, sign: (bytes) => signBytes(privateKey, bytes) };
  }

  async function current(): Promise<SigningKey> {
    const given = env[SIGNING_KEY_VARIABLE];
    if (given !== undefined && given !== "") {
      loaded ??= { stamp: "environment", key: await load(parseGiven(given)) };
      return loaded.key;
    }
    const stamp = await toStamp(file);
    if (loaded !== undefined && loaded.stamp === stamp) return loaded.key;
    const seed = (await readKeyFile(file, WHAT)) ?? (await inTurn(makeSeed));
    const key = await load(toPrivateKey(seed));
    loaded = { stamp: await toStamp(file), key };
    return key;
  }

  async function makeSeed(): Promise<Buffer> {
    return (await readKeyFile(file, WHAT)) ?? makeKeyFile(dir, FILE, randomBytes(KEY_BYTES), WHAT);
  }

  return {
    current,
    known: () => readRows(publicDir),
    async rotate() {
      if ((env[SIGNING_KEY_VARIABLE] ?? "") !== "") throw givenKeyStays();
      await current();
      return inTurn(async () => {
        const old = await current();
        const seed = randomBytes(KEY_BYTES);
        const publicKey = toPublicBytes(toPrivateKey(seed));
        if (publicKey === undefined) throw notAKey();
        const bare = { key: toKeyId(publicKey), publicKey, since: now(), previous: old.row.key };
        const row = { ...bare, endorsement: old.sign(toEndorsedText(bare)) };
        // Known before it is used: what it signs would count for nothing otherwise.
        await writeRow(publicDir, row);
        await replaceKeyFile(dir, FILE, seed);
        return row;
      });
    },
  };
}

function parseGiven(pem: string): KeyObject {
  try {
    // Where line breaks can't be written, they are written as they are in JSON.
    return createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch {
    throw notAKey();
  }
}

function notAKey(): KeyholeError {
  return new KeyholeError("config_invalid", `"${SIGNING_KEY_VARIABLE}" is not a private Ed25519 key in PEM`, {
    hint: 'Make one with "openssl genpkey -algorithm ed25519"',
  });
}

function givenKeyStays(): KeyholeError {
  return new KeyholeError(
    "usage",
    `The signing key comes from "${SIGNING_KEY_VARIABLE}", and is replaced there`,
    {
      hint: "Set the variable to the new key; the old one stays known",
    },
  );
}

async function toStamp(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "" : `${stats.ino}-${stats.mtimeNs}`;
}

async function writeRow(dir: string, row: KeyRow): Promise<void> {
  await atomicWrite(join(dir, `${row.key}.json`), toKeyJson(row), { mode: 0o600, durable: true });
}

/** Nothing where it is not what it says: the user's folder is believed, a file that was cut off is not. */
async function readRow(dir: string, key: string): Promise<KeyRow | undefined> {
  const folder = { path: dir, shown: dir, close: async () => {} };
  const bytes = await readWhole(folder, `${key}.json`, MAX_ROW_BYTES);
  const row = bytes === undefined ? undefined : parseKeyRow(bytes.toString("utf8"));
  if (row?.key !== key) return undefined;
  return row.previous !== null || isEndorsedBy(row, row) ? row : undefined;
}

async function readRows(dir: string): Promise<readonly KeyRow[]> {
  let names: string[];
  try {
    names = await readdir(dir);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  const keys = names.filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).slice(0, MAX_KEYS);
  const rows = await Promise.all(keys.map((name) => readRow(dir, basename(name, ".json"))));
  return rows.filter((row) => row !== undefined).sort((a, b) => a.since - b.since);
}
