import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

/** PKCS #8 of an Ed25519 key, up to its 32 bytes. */
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");
export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
const KEY_ID_LENGTH = 32;
/** 2^255 - 19. */
const FIELD = 2n ** 255n - 19n;
/** A coordinate of the points of order eight. */
const EIGHTH = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** Of all points whose order is at most eight: by them, one signature is right for any text. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, FIELD - 1n, EIGHTH, FIELD - EIGHTH]);

export function toPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: "der", type: "pkcs8" });
}

/** The 32 bytes of RFC 8032. Nothing where it is a key of another kind, or one by which anybody can sign. */
export function toPublicBytes(key: KeyObject): Buffer | undefined {
  if (key.asymmetricKeyType !== "ed25519") return undefined;
  const { x } = createPublicKey(
    key.type === "private"
      ? { key: key.export({ format: "pem", type: "pkcs8" }) }
      : { key: key.export({ format: "pem", type: "spki" }) },
  ).export({ format: "jwk" });
  const bytes = Buffer.from(x ?? "", "base64url");
  return isPublicKey(bytes) ? bytes : undefined;
}

/** Whether it can be somebody's key: written in the one way that there is, and no point of small order. */
export function isPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false;
  const coordinate = BigInt.asUintN(255, BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`));
  return coordinate < FIELD && !SMALL_ORDER.has(coordinate);
}

/** By which it is named: the first half of its SHA-256, in hexadecimal digits. */
export function toKeyId(publicKey: Uint8Array): string {
  return hash("sha256", publicKey, "hex").slice(0, KEY_ID_LENGTH);
}

export function toPublicKeyObject(publicKey: Uint8Array): KeyObject | undefined {
  if (!isPublicKey(publicKey)) return undefined;
  try {
    const x = Buffer.from(publicKey).toString("base64url");
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  } catch {
    return undefined;
  }
}

export function toPem(publicKey: Uint8Array): string {
  return toPublicKeyObject(publicKey)?.export({ format: "pem", type: "spki" }).toString() ?? "";
}

export function signBytes(key: KeyObject, bytes: Uint8Array): Buffer {
  return sign(null, bytes, key);
}

export function isSignedBy(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = toPublicKeyObject(publicKey);
  if (key === undefined || signature.length !== SIGNATURE_BYTES) return false;
  try {
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}
