import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const MIN_LENGTH = 16;

/** A token that nobody guesses, easy to copy. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a token is long enough to be one. */
export function isUsableToken(token: string): boolean {
  return token.length >= MIN_LENGTH && /^[\x21-\x7e]+$/.test(token);
}

/** Whether an `Authorization` header carries the token, told in a time that says nothing about how nearly it did. */
export function hasToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
