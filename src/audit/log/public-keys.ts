import { createPublicKey } from "node:crypto";
import { KeyholeError } from "../../errors.ts";
import { toKeyId, toPem, toPublicBytes } from "../../store/ed25519.ts";
import type { KeyRow } from "./log-store.ts";
import type { KnownKey } from "./trusted-keys.ts";

const MAX_TEXT = 1_000_000;
const BEGIN = "-----BEGIN PUBLIC KEY-----";
const END = "-----END PUBLIC KEY-----";

/** Several keys in PEM, one after the other, with whatever stands between them. */
export function parsePublicKeys(text: string): readonly KnownKey[] {
  if (text.length > MAX_TEXT) throw notKeys("is too long");
  const keys = text
    .split(BEGIN)
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf(END);
      if (end < 0) throw notKeys("has a key without its end");
      return parseKey(`${BEGIN}${piece.slice(0, end)}${END}\n`);
    });
  if (keys.length === 0) throw notKeys("has no public key in it");
  return keys;
}

/** As `parsePublicKeys` and `parseLogId` read it: for an auditor on another machine. */
export function toPublicKeysText(rows: readonly KeyRow[], logId: string): string {
  const keys = rows
    .map(
      ({ key, publicKey, since }) =>
        `# Key ${key}, since ${new Date(since).toISOString()}\n${toPem(publicKey)}`,
    )
    .join("\n");
  return `# Log ${logId}\n${keys}`;
}

/** Which log they were given for. */
export function parseLogId(text: string): string | undefined {
  return /^# Log ([0-9a-f]{32})$/m.exec(text.slice(0, MAX_TEXT))?.[1];
}

function parseKey(pem: string): KnownKey {
  let publicKey: Buffer | undefined;
  try {
    publicKey = toPublicBytes(createPublicKey(pem));
  } catch {
    publicKey = undefined;
  }
  if (publicKey === undefined) throw notKeys("has a key that is not an Ed25519 public key");
  return { key: toKeyId(publicKey), publicKey };
}

function notKeys(why: string): KeyholeError {
  return new KeyholeError("usage", `The text ${why}`, {
    hint: 'Give the public keys that "keyhole audit keys" prints',
  });
}
