import { createHash, timingSafeEqual } from "node:crypto";
import type { PrincipalToken } from "../../session.ts";

const MIN_LENGTH = 16;
const BEARER = /^Bearer +(\S{1,1024}) *$/i;

/** Whether a token is long enough to be one. */
export function isUsableToken(token: string): boolean {
  return token.length >= MIN_LENGTH && /^[\x21-\x7e]+$/.test(token);
}

/**
 * Tells whose token an `Authorization` header carries; undefined for nobody's. All tokens are compared, in a time that
 * says nothing about how nearly one of them was it.
 */
export function createPrincipalOf(
  tokens: readonly PrincipalToken[],
): (header: string | undefined) => string | undefined {
  const known = tokens.map(({ principal, token }) => ({ principal, digest: digest(token) }));
  return (header) => {
    const given = digest(BEARER.exec(header ?? "")?.[1] ?? "");
    let found: string | undefined;
    for (const { principal, digest: expected } of known)
      if (timingSafeEqual(given, expected)) found = principal;
    return found;
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
