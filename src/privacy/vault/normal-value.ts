import type { PiiClass } from "../../pii-classes.ts";

/** By which two spellings are one value: case, spacing, and what stands between the groups of a number. */
export function toNormalValue(kind: PiiClass, value: string): string {
  switch (kind) {
    case "PHONE":
      return toPhone(value);
    case "CREDIT_CARD":
    case "SSN":
    case "NATIONAL_ID":
    case "IBAN":
    case "BANK_ACCOUNT":
    case "PASSPORT":
    case "DRIVING_LICENCE":
    case "POSTAL_CODE":
    case "MAC":
      return toCompact(value);
    case "IP":
      return toAddress(value.trim().toLowerCase());
    // Two that differ in case may be two people's, and a secret is what it is.
    case "USER_ID":
    case "URL":
    case "API_KEY":
    case "JWT":
    case "PRIVATE_KEY":
    case "PASSWORD":
      return value;
    default:
      return value.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
  }
}

function toPhone(value: string): string {
  const plain = value.normalize("NFKC");
  const digits = plain.replace(/\(0\)/, "").replace(/[^\d+]/g, "");
  const number = digits.replace(/^00(?=[1-9])/, "+").replace(/(?!^)\+/g, "");
  // What has letters in it ("ext. 12", "1-800-FLOWERS") is the same only with them.
  const words = plain
    .match(/\p{L}+/gu)
    ?.join(" ")
    .toLowerCase();
  return number === "" || words !== undefined ? `${number} ${words ?? value}` : number;
}

function toCompact(value: string): string {
  const compact = value
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toUpperCase();
  return compact === "" ? value : compact;
}

/** One of version 6 has many spellings; the shortest is told by the URL's own rules. */
function toAddress(value: string): string {
  if (!value.includes(":")) return value;
  const url = `http://[${value.replace(/^\[|\]$/g, "")}]/`;
  return URL.canParse(url) ? new URL(url).hostname : value;
}
