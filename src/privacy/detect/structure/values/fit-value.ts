import type { PiiClass } from "../../../../pii-classes.ts";
import { isPath } from "../../values/secret-value.ts";
import { ACCOUNT_NAME, type KeyVerdict } from "../keys/key-verdict.ts";
import { isNameId, isNobodysWord } from "../names/name-ids.ts";
import { findMailAddresses, type TextSpan } from "./mail-addresses.ts";
import { couldBeName, isSomething, looksLikeName } from "./name-look.ts";

/** A part of a value, and what it is. */
export type FittedPart = TextSpan & { readonly class: PiiClass; readonly confidence: number };

/** Above it, the key speaks for itself; else the value must look like it, too. */
const SURE = 0.9;
const MAX_LENGTH = 400;
const MAX_LIST_LENGTH = 10_000;

/** What of a text under a key is what the key says; nothing where that is not plausible. */
export function fitValue(verdict: KeyVerdict, text: string): FittedPart[] {
  const { start, end } = trim(text, 0, text.length);
  if (start === end || end - start > MAX_LIST_LENGTH) return [];
  if (verdict.takes === "id") return fitId(verdict, text, { start, end });
  if (text.includes("@") && TAKES_MAIL.has(verdict.class)) return fitMail(verdict, text);
  if (verdict.takes === "somebody") return fitSomebody(verdict, text, { start, end });
  if (verdict.class === "EMAIL" || end - start > MAX_LENGTH) return [];
  const value = text.slice(start, end);
  const name = classOfValue(verdict, value);
  if (name === undefined) return verdict.class === "PHONE" ? fitList(verdict, text) : [];
  return [{ start, end, class: name, confidence: verdict.confidence }];
}

/** The same for a value that is a number. */
export function fitNumber(verdict: KeyVerdict, value: number): boolean {
  if (!Number.isSafeInteger(value) || value < 0 || verdict.takes !== "whole") return false;
  const digits = String(value);
  switch (verdict.class) {
    case "PHONE":
      return digits.length >= 7 && digits.length <= 15;
    case "CREDIT_CARD":
      return digits.length >= 12;
    case "SSN":
    case "NATIONAL_ID":
    case "PASSPORT":
    case "DRIVING_LICENCE":
    case "BANK_ACCOUNT":
      return digits.length >= 6;
    case "POSTAL_CODE":
      return digits.length >= 3 && digits.length <= 9;
    case "DATE_OF_BIRTH":
      return value > 0;
    case "PASSWORD":
      return digits.length >= 3;
    case "AGE":
      return value <= 130;
    default:
      return false;
  }
}

const TAKES_MAIL: ReadonlySet<PiiClass> = new Set<PiiClass>([
  "EMAIL",
  "NAME",
  "USER_ID",
  "COMPANY",
  "ADDRESS",
]);

/** Addresses, and the names that stand before them: `Ann Lee <ann@lee>, …`. */
function fitMail(verdict: KeyVerdict, text: string): FittedPart[] {
  const fits: FittedPart[] = [];
  let from = 0;
  for (const span of findMailAddresses(text)) {
    const before = text.slice(from, span.start);
    const name = trimTo(text, from, span.start, /[\s,;<>"'(]/);
    if (before.includes("<") || before.includes("(")) {
      if (looksLikeName(text.slice(name.start, name.end), 1))
        fits.push({ ...name, class: "NAME", confidence: verdict.confidence });
    }
    fits.push({ ...span, class: "EMAIL", confidence: verdict.confidence });
    from = span.end;
  }
  return fits;
}

function fitSomebody(verdict: KeyVerdict, text: string, whole: TextSpan): FittedPart[] {
  const value = text.slice(whole.start, whole.end);
  if (isNameId(value, { withoutNumber: false }))
    return [{ ...whole, class: "USER_ID", confidence: verdict.confidence }];
  return splitList(text, whole)
    .filter((span) => looksLikeName(text.slice(span.start, span.end), 2))
    .map((span) => ({ ...span, class: "NAME", confidence: verdict.confidence }));
}

function fitId(verdict: KeyVerdict, text: string, span: TextSpan): FittedPart[] {
  if (text.includes("@")) return fitMail(verdict, text);
  const value = text.slice(span.start, span.end);
  const isId = isNameId(value, { withoutNumber: true });
  if (isId) return [{ ...span, class: "USER_ID", confidence: verdict.confidence }];
  return looksLikeName(value, 2) ? [{ ...span, class: "NAME", confidence: verdict.confidence }] : [];
}

function fitList(verdict: KeyVerdict, text: string): FittedPart[] {
  return splitList(text, { start: 0, end: text.length }).flatMap((span) => {
    const name = classOfValue(verdict, text.slice(span.start, span.end));
    return name === undefined ? [] : [{ ...span, class: name, confidence: verdict.confidence }];
  });
}

function classOfValue(verdict: KeyVerdict, value: string): PiiClass | undefined {
  const name = verdict.class;
  switch (name) {
    case "NAME":
      if (fitsName(verdict, value)) return name;
      if (verdict.confidence <= SURE && LEGAL_FORM.test(value)) return "COMPANY";
      return verdict.confidence > SURE || !isHandle(value) ? undefined : "USER_ID";
    case "COMPANY":
      if (verdict.rule === ACCOUNT_NAME && !isCustomer(value)) return undefined;
      return /\p{L}/u.test(value) && value.length <= 120 && isSomething(value) && !/:\/\/|[{}<>=]/.test(value)
        ? name
        : undefined;
    case "USER_ID":
      if (/\s/.test(value)) return looksLikeName(value, 2) ? "NAME" : undefined;
      return /^@?[\p{L}\p{N}][\p{L}\p{N}._-]{1,63}$/u.test(value) &&
        /\p{L}/u.test(value) &&
        isSomething(value)
        ? name
        : undefined;
    case "ADDRESS":
      return addressClass(verdict, value);
    default:
      return SHAPES[name]?.(value) === true ? name : undefined;
  }
}

/** Not what banks and clouds call their accounts. */
function isCustomer(value: string): boolean {
  return /^\p{Lu}|^\p{Lo}/u.test(value) && !ACCOUNT_KINDS.test(value);
}

const ACCOUNT_KINDS =
  /^(?:checking|savings?|current|cash|credit|main|primary|default|business|personal|joint|prod|production|staging|dev|development|test|sandbox|root|operating|payroll|trading|master|admin|giro|girokonto|sparkonto|my|accounts?)\b/iu;

/** Customers and contacts are companies as well. */
const LEGAL_FORM =
  /^[\p{Lu}\d][^@<>{}=]{1,80}[ ,](?:inc|llc|llp|ltd|limited|plc|corp|co|gmbh|ag|kg|ug|e\.?v|s\.?a|s\.?a\.?s|sarl|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|oy|oyj|ab|a\/s|aps|a\.?s|s\.r\.o|kft|zrt|d\.o\.o|oü|sia|uab|pty|pvt|k\.?k|de c\.?v)\.?$/iu;

function fitsName(verdict: KeyVerdict, value: string): boolean {
  return verdict.confidence > SURE ? couldBeName(value) : looksLikeName(value, 1);
}

/** By what systems call somebody: small letters, no blanks. */
function isHandle(value: string): boolean {
  return /^\p{Ll}[\p{Ll}\d._-]{2,30}$/u.test(value) && isSomething(value) && !isNobodysWord(value);
}

const UNIT_ONLY =
  /^(?:(?:suite|ste|apt|apartment|unit|floor|fl|room|rm|#|no|nr|wohnung|etage|stock|piso|int|interno|app|appt|kat|daire|кв|квартира|dpto|depto|bldg|building|level|lot|flat)[.\s#:-]*){1,2}[\p{L}]?[\d-]{0,6}[\p{L}]?$/iu;

/** A street; a flat's number alone tells of nobody. */
function addressClass(verdict: KeyVerdict, value: string): PiiClass | undefined {
  if (!isSomething(value) || /:\/\/|[{}<>=]|^0x|^(?:[0-9a-f]{0,4}:){2,}/i.test(value)) return undefined;
  if (UNIT_ONLY.test(value)) return "LOCATION";
  if (/^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:\/\d+)?$/.test(value)) return undefined;
  if (!/\p{L}/u.test(value)) return /^\d{1,5}[-/ ]?\d{0,4}$/.test(value) ? "LOCATION" : undefined;
  if (/^[a-z_-]+$|_|^\S{25,}$/.test(value) && !/\p{Lo}/u.test(value)) return undefined;
  if (verdict.confidence > SURE) return countOf(value, /[\p{L}\d]/gu) >= 2 ? "ADDRESS" : undefined;
  const isStreet = /[\s,]/.test(value) || (/\p{Lo}/u.test(value) && value.length > 3);
  return isStreet && value.length >= 5 ? "ADDRESS" : undefined;
}

const isCode = (least: number, most: number) => (value: string) => {
  if (value.length > 40 || !/^[\p{L}\d][\p{L}\d\s./-]*$/u.test(value)) return false;
  const count = value.replace(/[^\p{L}\d]/gu, "").length;
  return count >= least && count <= most && countOf(value, /\d/g) >= Math.min(4, least);
};

/** Stars, blanks to fill in, variables: where a secret would stand. */
const NO_SECRET =
  /^[*•xX.-]+$|^[<[{$].*[>\]}]$|\$\{|^(?:your|my|example|new)[_-](?:\w{1,12}[_-])?(?:password|secret|key|token|pin)$/i;

const isSecret = (value: string) =>
  value.length >= 3 &&
  !NO_SECRET.test(value) &&
  !isPath(value) &&
  isSomething(value) &&
  countOf(value, /\s+/g) <= 3;

const SHAPES: { readonly [name in PiiClass]?: (value: string) => boolean } = {
  PHONE: (value) => {
    const digits = countOf(value, /\p{Nd}/gu);
    return (
      digits >= 5 &&
      digits <= 20 &&
      value.length <= 40 &&
      /^[+(]?[\p{Nd}\s().+/-]+(?:\s*(?:x|ext\.?|#)\s*\d{1,6})?$/iu.test(value) &&
      !isDate(value)
    );
  },
  CREDIT_CARD: (value) =>
    /^\d[\d -]{10,30}\d$/.test(value) && countOf(value, /\d/g) >= 12 && countOf(value, /\d/g) <= 19,
  SSN: (value) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  NATIONAL_ID: isCode(5, 25),
  IBAN: (value) => /^[A-Z]{2}\d{2}[A-Z\d ]{8,36}$/i.test(value),
  BANK_ACCOUNT: isCode(5, 30),
  PASSPORT: isCode(5, 15),
  DRIVING_LICENCE: isCode(5, 25),
  IP: (value) =>
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(value) ||
    (/^[0-9a-f:.]{2,45}(?:%\w+)?$/i.test(value) && value.includes(":") && countOf(value, /:/g) >= 2),
  MAC: (value) =>
    /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$|^[0-9a-f]{12}$/i.test(value),
  POSTAL_CODE: (value) =>
    value.length <= 12 && /^[A-Z\d〒][A-Z\d -]{1,11}$/i.test(value) && /\d.*\d/.test(value),
  DATE_OF_BIRTH: isDate,
  PASSWORD: isSecret,
  API_KEY: (value) =>
    isSecret(value) &&
    value.replace(/^(?:bearer|basic|token)\s+/i, "").length >= 8 &&
    (/\d/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value))),
  JWT: (value) => value.length >= 20 && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value),
  PRIVATE_KEY: (value) => value.length >= 32,
  LOCATION: (value) => value.length <= 60 && /\p{L}/u.test(value),
  AGE: (value) => /^\d{1,3}$/.test(value),
  NATIONALITY: (value) => value.length <= 40 && /\p{L}/u.test(value) && isSomething(value),
};

/** A day in any spelling: figures apart by marks, eight in a row, or a month by name. */
function isDate(value: string): boolean {
  if (value.length > 40) return false;
  if (/^\d{1,4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,4}日?(?:[T\s].*)?$/.test(value)) return true;
  if (/^(?:19|20)\d{6}$/.test(value)) return true;
  return /\p{L}{3,}/u.test(value) && /(?:^|[\s,.-])(?:1[89]|20)\d{2}(?:$|[\s,.T-])/.test(value);
}

/** Between commas and the like, brackets, and dashes with blanks around them. */
const LIST_ITEM = /(?:[^,;|\n()\s]|\s(?![-–—/]\s))+/g;

function splitList(text: string, { start, end }: TextSpan): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const match of text.slice(start, end).matchAll(LIST_ITEM)) {
    const span = trim(text, start + match.index, start + match.index + match[0].length);
    if (span.start < span.end) spans.push(span);
  }
  if (spans.length === 2 && /^[^;|\n]*$/.test(text))
    return isSurnameFirst(text, spans) ? [{ start, end }] : spans;
  return spans;
}

/** `Berg, Anna` is one, `Anna Berg, Ben Cole` are two. */
function isSurnameFirst(text: string, spans: readonly TextSpan[]): boolean {
  return spans.every((span) => !/\s/.test(text.slice(span.start, span.end)));
}

function trim(text: string, from: number, to: number): TextSpan {
  return trimTo(text, from, to, /\s/);
}

function trimTo(text: string, from: number, to: number, blank: RegExp): TextSpan {
  let start = from;
  let end = to;
  while (start < end && blank.test(text.charAt(start))) start++;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
  return { start, end };
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
