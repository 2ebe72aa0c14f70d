import type { PiiClass } from "../../pii-classes.ts";

const HIDDEN = "•••";
const MOST_LOOKED_AT = 200;
const MOST_WORDS = 6;
/** Of a shorter number four characters are too much of it. */
const LEAST_NUMBER = 7;

/** A value as people may see it: enough to tell it from others of theirs, too little to know it. Never longer for a longer value. */
export function maskOf(kind: PiiClass, value: string): string {
  const text = value.trim();
  switch (kind) {
    case "EMAIL": {
      const domain = domainOf(text);
      const initial = /[\p{L}\p{N}]/u.exec(text.slice(0, 64))?.[0] ?? "";
      return domain === undefined ? HIDDEN : `${initial}${HIDDEN}@${domain}`;
    }
    case "NAME":
    case "COMPANY":
      return text.slice(0, MOST_LOOKED_AT).split(/\s+/).slice(0, MOST_WORDS).map(maskedWord).join(" ");
    case "DATE_OF_BIRTH":
    case "DATE": {
      const year = yearOf(text);
      return year === undefined ? HIDDEN : `${year}-••-••`;
    }
    default:
      return isNumbered(kind) ? `••••${last4Of(kind, text) ?? ""}` : HIDDEN;
  }
}

function maskedWord(word: string): string {
  return `${/^\P{L}*(\p{L})/u.exec(word)?.[1] ?? ""}${HIDDEN}`;
}

/** Known by its digits. */
export function isNumbered(kind: PiiClass): boolean {
  switch (kind) {
    case "PHONE":
    case "CREDIT_CARD":
    case "SSN":
    case "NATIONAL_ID":
    case "IBAN":
    case "BANK_ACCOUNT":
    case "PASSPORT":
    case "DRIVING_LICENCE":
      return true;
    default:
      return false;
  }
}

const EXTENSION = /(?:x|ext\.?|extension|#)\s?:?\s?\d{1,6}$/i;

/** The last four letters or digits. */
export function last4Of(kind: PiiClass, value: string): string | undefined {
  if (value.length > MOST_LOOKED_AT) return undefined;
  const number = kind === "PHONE" ? value.replace(EXTENSION, "") : value;
  const compact = number.replace(/[^\p{L}\p{N}]+/gu, "");
  return compact.length < LEAST_NUMBER ? undefined : compact.slice(-4);
}

const LONGEST_DOMAIN = 255;

/** Of an e-mail address what follows its last `@`, of an address in the web its host. */
export function domainOf(value: string): string | undefined {
  const text = value.trim();
  const ofUrl = /^[a-z][a-z\d+.-]{0,30}:\/\//i.test(text) ? toHost(text) : undefined;
  if (ofUrl !== undefined) return ofUrl;
  const at = text.lastIndexOf("@");
  if (at < 1) return undefined;
  const host = /^[\p{L}\p{N}\p{M}._-]+/u.exec(text.slice(at + 1, at + 1 + LONGEST_DOMAIN))?.[0];
  if (host === undefined || host.length === LONGEST_DOMAIN) return undefined;
  return host.replace(/\.$/, "").toLowerCase();
}

const LONGEST_URL = 4_096;

function toHost(url: string): string | undefined {
  const text = url.slice(0, LONGEST_URL);
  return URL.canParse(text) ? new URL(text).hostname || undefined : undefined;
}

export function yearOf(value: string): number | undefined {
  const text = value.slice(0, MOST_LOOKED_AT);
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)?.[0] ?? /^\s*((?:19|20)\d\d)\d{4}\s*$/.exec(text)?.[1];
  return year === undefined ? undefined : Number(year);
}
