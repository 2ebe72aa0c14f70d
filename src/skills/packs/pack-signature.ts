import { isPublicKey, isSignedBy, PUBLIC_KEY_BYTES, SIGNATURE_BYTES, toKeyId } from "../../store/ed25519.ts";

/** Whose key signed a pack; that it did is proved before there is one of these. */
export type PackSignature = {
  /** The public key in base64, as `keyhole skills key` prints it. */
  readonly key: string;
  readonly value: string;
};

/** A signature says nothing but "this is a pack of mine". */
const PURPOSE = "keyhole-skills/1\n";

export function toSignedBytes(text: string): Buffer {
  return Buffer.from(PURPOSE + text);
}

/** The problem, where it is none of this text. */
export function checkSignature(
  { key, value }: { readonly key: string; readonly value: string },
  text: string,
): PackSignature | string {
  const publicKey = parsePublicKey(key);
  const signature = parseBase64(value, SIGNATURE_BYTES);
  if (publicKey === undefined || signature === undefined) return "Its signature is none";
  if (!isSignedBy(publicKey, toSignedBytes(text), signature))
    return "Its signature is not of what stands in it: somebody changed it after it was signed";
  return { key, value };
}

/** A public key as it is written in a config and in a pack. */
export function parsePublicKey(text: string): Buffer | undefined {
  const key = parseBase64(text, PUBLIC_KEY_BYTES);
  return key !== undefined && isPublicKey(key) ? key : undefined;
}

/** By which people compare keys: the same as that of the audit log's keys. */
export function toFingerprint(key: string): string {
  const publicKey = parsePublicKey(key);
  return publicKey === undefined ? "" : toKeyId(publicKey);
}

/** In the one way to write it. */
function parseBase64(text: string, bytes: number): Buffer | undefined {
  const read = Buffer.from(text, "base64");
  return read.length === bytes && read.toString("base64") === text ? read : undefined;
}
