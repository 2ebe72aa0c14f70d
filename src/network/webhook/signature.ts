import { createHmac, timingSafeEqual } from "node:crypto";

/** Told apart, so that a question that was caught can't be sent back as an answer. */
export type SignaturePurpose = "question" | "answer" | "checkpoint" | "anomaly";

export type Signed = { readonly timestamp: string; readonly nonce: string; readonly body: string };

const VERSION = "v1=";

/** `v1=` and the HMAC-SHA256 of `purpose.timestamp.nonce.body`, in hex. */
export function sign(secret: string, purpose: SignaturePurpose, { timestamp, nonce, body }: Signed): string {
  const text = `${purpose}.${timestamp}.${nonce}.${body}`;
  return VERSION + createHmac("sha256", secret).update(text).digest("hex");
}

export function isSigned(
  secret: string,
  purpose: SignaturePurpose,
  signed: Signed,
  signature: string,
): boolean {
  const expected = Buffer.from(sign(secret, purpose, signed));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The nonce of what has this id: nobody else can make it, and it need not be kept to be known after a restart. */
export function toNonce(secret: string, id: string): string {
  return createHmac("sha256", secret).update(`nonce.${id}`).digest("hex");
}
