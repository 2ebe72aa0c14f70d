import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";

let known: { readonly ca: readonly string[] | undefined } | undefined;

/**
 * Whom programs trust, as PEM, where that is more than their runtime's own list: with NODE_EXTRA_CA_CERTS this process trusts
 * more, as in a company whose own authority signs.
 */
export function trustedAuthorities(): readonly string[] | undefined {
  known ??= { ca: read(process.env["NODE_EXTRA_CA_CERTS"]) };
  return known.ca;
}

function read(file: string | undefined): readonly string[] | undefined {
  if (file === undefined || file === "") return undefined;
  try {
    return [...rootCertificates, readFileSync(file, "utf8")];
  } catch {
    // Node itself goes on without it, with a warning.
    return undefined;
  }
}
