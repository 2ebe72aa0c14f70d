import { isDigit, isJoinedAfter, isWordCharacter } from "./characters.ts";
import { type Context, hintAt } from "./context.ts";
import { HINT } from "./hints.ts";
import { isPossibleInternational, toValidPhone } from "./phone-plan.ts";

/** Where numbers that start with a zero are looked up when nobody says from where they are. */
const COMMON = ["GB", "DE", "FR", "IT", "AU", "IL", "IN", "JP", "NL", "CH"];

const MOST_DIGITS = 16;

type PhoneFound = { readonly end: number; readonly rule: string; readonly confidence: number };

/** A part of the text that a number may be, from its start. */
type Candidate = {
  readonly end: number;
  readonly digits: string;
  readonly groups: readonly number[];
  readonly separators: string;
};

const NORTH_AMERICAN =
  /(?:(?:\+|00)?1[-. ]?)?(?:\(\d{3}\)[-. ]{0,2}\d{3}[-. ]?\d{4}|\d{3}([-. ])\d{3}[-. ]\d{4})/y;
const EXTENSION = /[ ,]{0,2}(?:x|ext\.?|extension|#) ?:? ?\d{1,6}(?![\w-])/iy;

/** The phone number that starts here: at a digit, a plus sign or a bracket. */
export function phoneAt(context: Context, start: number): PhoneFound | undefined {
  const { text } = context;
  if (text.charCodeAt(start) === 40 && !closesSoon(text, start)) return undefined;
  const candidates = readCandidates(text, start);
  const longest = candidates[0];
  if (longest === undefined || longest.digits.length < 5) return undefined;
  const hint = hintAt(context, start, longest.end);
  const found =
    northAmerican(text, start, hint, candidates) ??
    (text.charCodeAt(start) === 43
      ? (international(text, start, hint, candidates) ?? told(context, start, hint, candidates))
      : (told(context, start, hint, candidates) ?? national(context, start, hint, candidates)));
  return found === undefined ? undefined : { ...found, end: extensionEnd(text, found.end) };
}

function northAmerican(
  text: string,
  start: number,
  hint: number,
  candidates: readonly Candidate[],
): PhoneFound | undefined {
  NORTH_AMERICAN.lastIndex = start;
  const match = NORTH_AMERICAN.exec(text);
  if (match === null) return undefined;
  const end = start + match[0].length;
  if (isWordAfter(text, end) || !candidates.some((candidate) => candidate.end === end)) return undefined;
  const local = match[0].replace(/\D/g, "").slice(-10);
  if (hint === HINT.phone) return { end, rule: "phone-in-context", confidence: 0.95 };
  const isBracketed = match[1] === undefined;
  if (hint === HINT.other && !isBracketed) return undefined;
  if (!isBracketed && local < "2") return undefined;
  // Three numbers in a row are often just that.
  if (match[1] === " " && (isAmongNumbers(text, start, end) || toValidPhone(`+1${local}`) === undefined))
    return undefined;
  return { end, rule: "phone-form", confidence: match[1] === " " ? 0.65 : 0.85 };
}

function international(
  text: string,
  start: number,
  hint: number,
  candidates: readonly Candidate[],
): PhoneFound | undefined {
  const possible = candidates.filter(
    ({ digits, end }) =>
      digits.length >= 7 &&
      !isWordAfter(text, end) &&
      (isPossibleInternational(digits) || isPossibleInternational(withoutTrunk(digits))),
  );
  const valid = possible.find(({ end }) => toValidPhone(text.slice(start, end)) !== undefined);
  if (valid !== undefined) return { end: valid.end, rule: "phone-international", confidence: 0.95 };
  const [first] = possible;
  if (first === undefined || hint === HINT.other) return undefined;
  if (hint === HINT.phone) return { end: first.end, rule: "phone-in-context", confidence: 0.9 };
  const isWhole = start === 0 && first.end === text.length && first.digits.length >= 10;
  if (first.digits.length < 9 || (first.groups.length < 2 && !isWhole)) return undefined;
  return { end: first.end, rule: "phone-form", confidence: 0.75 };
}

/** A word or the key says that it is a phone number. */
function told(
  context: Context,
  start: number,
  hint: number,
  candidates: readonly Candidate[],
): PhoneFound | undefined {
  if (hint !== HINT.phone) return undefined;
  const { text, region } = context;
  const isShort = ({ digits, end }: Candidate) =>
    digits.length < 7 &&
    !saysPhone(context, start) &&
    (region === undefined || !toValidPhone(text.slice(start, end), region));
  const fit = candidates.find((candidate) => {
    const { digits, end, groups, separators } = candidate;
    return (
      digits.length >= 5 &&
      !isShort(candidate) &&
      digits.length <= 15 + (digits.startsWith("00") ? 2 : 0) &&
      !isJoinedAfter(text, end) &&
      !isOtherNumber(groups, separators, digits)
    );
  });
  return (
    fit && { end: fit.end, rule: "phone-in-context", confidence: context.key === HINT.phone ? 0.95 : 0.9 }
  );
}

const PHONE_WORD = /(?:phone|tel|telef\w+|téléphone)[\s.:="'_-]*(?:(?:number|no|nr)[\s.:="'_-]*)?(?:is )?$/i;

/** Five digits are a phone number where a word says just that; people call, and have mobiles, in other senses too. */
function saysPhone(context: Context, start: number): boolean {
  const before = context.text.slice(Math.max(0, start - 32), start);
  return PHONE_WORD.test(before) || (before === "" && PHONE_WORD.test(context.keyName.slice(-32)));
}

/** Nothing says so: it must stand in groups, and be a number of its country's plan. */
function national(
  context: Context,
  start: number,
  hint: number,
  candidates: readonly Candidate[],
): PhoneFound | undefined {
  if (hint !== 0 || context.isAlone) return undefined;
  const { text, region } = context;
  const own = isSomebodys(text, start) ? ownNumber(text, start, candidates) : undefined;
  if (own !== undefined) return own;
  for (const { digits, end, groups, separators } of candidates) {
    if (digits.length < 8 || digits.length > 15 || groups.length < 2) continue;
    if (isJoinedAfter(text, end) || isAmongNumbers(text, start, end)) continue;
    if (isOtherNumber(groups, separators, digits) || areThousands(groups, separators, digits)) continue;
    const raw = text.slice(start, end);
    if (digits.startsWith("00") && toValidPhone(`+${digits.slice(2)}`) !== undefined)
      return { end, rule: "phone-international", confidence: 0.85 };
    if (region !== undefined && toValidPhone(raw, region) !== undefined)
      return { end, rule: "phone-of-region", confidence: 0.75 };
    if (!hasNationalForm(digits, groups, separators)) continue;
    if (COMMON.some((country) => toValidPhone(raw, country) !== undefined))
      return { end, rule: "phone-form", confidence: groups.length > 2 ? 0.65 : 0.55 };
  }
  return undefined;
}

/** `0171 2345678`, `020 7946 0958`: a zero in front, and ten or eleven digits. */
function hasNationalForm(digits: string, groups: readonly number[], separators: string): boolean {
  const [first = 0] = groups;
  if (!digits.startsWith("0") || digits.startsWith("00") || separators.includes(".")) return false;
  if (digits.length < 10 || digits.length > 11 || first < 2 || groups.length > 6) return false;
  return groups.length > 2 || (first >= 3 && first <= 5);
}

/** `My number is`: not said of orders, which have a word of their own. */
export function isSomebodys(text: string, start: number): boolean {
  if (!text.startsWith("number is ", start - 10)) return false;
  return /\b(?:my|his|her|their|our|your)\b[^.\n]{0,20}$/i.test(
    text.slice(Math.max(0, start - 36), start - 10),
  );
}

function ownNumber(text: string, start: number, candidates: readonly Candidate[]): PhoneFound | undefined {
  const fit = candidates.find(({ digits, end }) => {
    if (digits.length < 8 || digits.length > 15 || isJoinedAfter(text, end)) return false;
    return [...COMMON, "US", "CN", "BR"].some(
      (country) => toValidPhone(text.slice(start, end), country) !== undefined,
    );
  });
  return fit && { end: fit.end, rule: "phone-in-context", confidence: 0.7 };
}

/** Dates, decimal numbers, ranges of years, addresses of machines, social security numbers. */
function isOtherNumber(groups: readonly number[], separators: string, digits: string): boolean {
  const shape = groups.join(",");
  if (shape === "4,2,2" && /^(?:1[89]|20)\d\d[01]\d[0-3]/.test(digits)) return true;
  if (shape === "2,2,4" && separators !== "  " && /(?:1[89]|20)\d\d$/.test(digits)) return true;
  if (shape === "3,2,4" && separators === "--") return true;
  if (shape === "4,4" && /^(?:1[89]|20)\d\d(?:1[89]|20)/.test(digits)) return true;
  if (groups.length === 2 && separators === ".") return true;
  return groups.length === 4 && separators === "..." && groups.every((length) => length <= 3);
}

/** Whether the groups go on before or after it. */
function isAmongNumbers(text: string, start: number, end: number): boolean {
  return (
    (isSeparator(text.charCodeAt(start - 1)) && isDigit(text.charCodeAt(start - 2))) ||
    (isSeparator(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1)))
  );
}

function areThousands(groups: readonly number[], separators: string, digits: string): boolean {
  const areThrees = groups.length > 2 && groups.slice(1).every((length) => length === 3);
  return areThrees && /^(?: +|\.+)$/.test(separators) && !digits.startsWith("0");
}

/** What may be one number, the longest first: it ends where a group of digits ends. */
function readCandidates(text: string, start: number): Candidate[] {
  const candidates: Candidate[] = [];
  const groups: number[] = [];
  let digits = "";
  let separators = "";
  let at = text.charCodeAt(start) === 43 ? start + 1 : start;
  for (;;) {
    const from = at;
    while (isSeparator(text.charCodeAt(at)) && at - from < 4) at++;
    if (!isSeparating(text, from, at, groups.length === 0)) break;
    const first = at;
    while (isDigit(text.charCodeAt(at)) && at - first <= MOST_DIGITS) at++;
    if (at === first || digits.length + at - first > MOST_DIGITS) break;
    if (groups.length > 0) separators += text[from];
    digits += text.slice(first, at);
    groups.push(at - first);
    candidates.push({ end: at, digits, groups: [...groups], separators });
    if (groups.length === 9) break;
  }
  return candidates.reverse();
}

/** `(0`, `(020)` */
export function closesSoon(text: string, start: number): boolean {
  for (let at = start + 1; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    if (code === 41) return at > start + 1;
    if (!isDigit(code) && code !== 43) return false;
  }
  return false;
}

function isSeparator(code: number): boolean {
  return (
    code === 32 ||
    code === 45 ||
    code === 46 ||
    code === 47 ||
    code === 40 ||
    code === 41 ||
    code === 0xa0 ||
    code === 0x2011 ||
    code === 0x2013
  );
}

/** At most three signs, and no two alike: `) `, ` - `, ` (`. */
function isSeparating(text: string, from: number, to: number, isFirst: boolean): boolean {
  const length = to - from;
  if (length === 0) return isFirst;
  if (isFirst) return length === 1 && text.charCodeAt(from) === 40;
  if (length > 3) return false;
  for (let at = from + 1; at < to; at++) if (text.charCodeAt(at) === text.charCodeAt(at - 1)) return false;
  return true;
}

/** `+44 (0)20`: the zero in brackets is not dialled from abroad. */
function withoutTrunk(digits: string): string {
  return digits.replace(/^(3[0-9]|4[0-9]|9\d|[2356789]\d\d)0(?=\d{8})/, "$1");
}

function isWordAfter(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  return isWordCharacter(after) && !/^(?:x|ext)/i.test(text.slice(end, end + 3));
}

function extensionEnd(text: string, end: number): number {
  EXTENSION.lastIndex = end;
  const match = EXTENSION.exec(text);
  return match === null ? end : end + match[0].length;
}
