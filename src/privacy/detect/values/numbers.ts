import type { PiiFinding } from "../finding.ts";
import { judgeCard } from "./card.ts";
import { isDigit, isJoinedAfter, isJoinedBefore, isLatinLetter, isWordCharacter } from "./characters.ts";
import { type Context, hintAt } from "./context.ts";
import { firstLengths, type Grouped, mayBeGrouped, readGroups } from "./digit-groups.ts";
import { isDocument, judgeDocument } from "./documents.ts";
import { HINT } from "./hints.ts";
import { ibanEnd } from "./iban.ts";
import type { Judged } from "./judged.ts";
import { judgeMixedId } from "./national/mixed.ts";
import { judgeNumericId } from "./national/numeric.ts";
import { closesSoon, isSomebodys, phoneAt } from "./phone.ts";
import { postalAt } from "./postal.ts";
import { judgeSsn } from "./ssn.ts";

type Found = Judged & { readonly end: number };

const MOST_IN_WORD = 40;
/** With one of these, numbers count that are none by themselves. */
const TELLING = HINT.phone | HINT.account | HINT.passport | HINT.licence;

/** Everything that is a number, or letters and digits: cards, ids, accounts, phones. */
export function findNumbers(context: Context, findings: PiiFinding[]): void {
  const { text } = context;
  let at = 0;
  let lastEnd = -1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isWordCharacter(code)) {
      const next = text.charCodeAt(at + 1);
      const found =
        (code === 43 && (isDigit(next) || next === 40)) || (code === 40 && isDigit(next))
          ? asPhone(context, at)
          : undefined;
      if (found !== undefined) findings.push(toFinding(at, found));
      lastEnd = found?.end ?? lastEnd;
      at = found?.end ?? at + 1;
      continue;
    }
    const start = at;
    let digits = 0;
    for (; at < text.length; at++) {
      const character = text.charCodeAt(at);
      if (isDigit(character)) digits++;
      else if (!isWordCharacter(character)) break;
    }
    const isInside =
      lastEnd !== start - 1 && text.charCodeAt(start - 1) === 32 && isDigit(text.charCodeAt(start - 2));
    const found = judgeWord(context, start, at, digits, isInside);
    if (found === undefined) continue;
    findings.push(toFinding(start, found));
    at = found.end;
    lastEnd = at;
  }
}

/** `isInside`: digits stand before it, and a space, as in a longer number that is written in groups. */
function judgeWord(
  context: Context,
  start: number,
  end: number,
  digits: number,
  isInside: boolean,
): Found | undefined {
  const { text } = context;
  const length = end - start;
  if (length > MOST_IN_WORD) return undefined;
  if (digits === 0) return length <= 3 && startsGroups(text, end) ? asGroupedId(context, start) : undefined;
  if (digits === length) return asNumber(context, start, end, isInside) ?? asPostal(context, start);
  return asMixed(context, start, end, digits) ?? asPostal(context, start);
}

function asNumber(context: Context, start: number, end: number, isInside: boolean): Found | undefined {
  const { text } = context;
  const [first, second] = firstLengths(text, start);
  const isGrouped = mayBeGrouped(first, second);
  // Prices, years, counts: most numbers end here.
  if (first < 5 && second === 0) return opensBracket(text, end) ? asPhone(context, start) : undefined;
  if (isJoinedBefore(text, start)) return undefined;
  const mayBeTold = (context.hints & TELLING) !== 0;
  if (!isGrouped && first < 5 && !mayBeTold && !mayBePhone(context, start, 0, first, second))
    return undefined;
  const hint = hintAt(context, start, end);
  const groups = isGrouped || first >= 5 || isDocument(hint) ? readGroups(text, start) : [];
  for (const group of groups) {
    if (group.digits.length < 8) break;
    if (isJoinedAfter(text, group.end)) continue;
    const isLoose = (hint === 0 || hint === HINT.other) && group.shape.includes(" ") && !context.isAlone;
    if (isLoose && isInside) continue;
    // After a card its date may follow, and its check number; what else goes on is a longer number.
    const isWhole = start === 0 && group.end === text.length;
    const verdict =
      isLoose && group !== groups[0]
        ? judgeCard(group, hint, false, isWhole)
        : judgeDigits(group, hint, context.isAlone, isWhole);
    if (verdict !== undefined) return { ...verdict, end: group.end };
  }
  return (
    (mayStartId(text, start, first, second) ? asGroupedId(context, start) : undefined) ??
    (mayBePhone(context, start, hint, first, second) ? asPhone(context, start) : undefined) ??
    asDocument(text, groups, hint, end)
  );
}

/** `123456-`, `12345678-`, `1 85 05 2A` */
function mayStartId(text: string, start: number, first: number, second: number): boolean {
  if (first >= 6 && first <= 8)
    return text.charCodeAt(start + first) === 45 || text.charCodeAt(start + first) === 43;
  return first === 1 && second === 2;
}

/** Where nothing says so, a number needs a North American form, a zero in front, or a region. */
function mayBePhone(context: Context, start: number, hint: number, first: number, second: number): boolean {
  if (hint === HINT.phone || (second === 3 && (first === 3 || first === 1))) return true;
  if (context.region !== undefined && second > 0) return true;
  return (first > 1 && context.text.charCodeAt(start) === 48) || isSomebodys(context.text, start);
}

function judgeDigits(group: Grouped, hint: number, isAlone: boolean, isWhole: boolean): Judged | undefined {
  const verdicts = [
    judgeCard(group, hint, isAlone, isWhole),
    judgeSsn(group, hint, isAlone),
    judgeNumericId(group, hint, isAlone),
  ];
  let best: Judged | undefined;
  for (const verdict of verdicts)
    if (verdict !== undefined && (best === undefined || verdict.confidence > best.confidence)) best = verdict;
  return best;
}

function asDocument(text: string, groups: readonly Grouped[], hint: number, end: number): Found | undefined {
  for (const group of groups) {
    if (/[./]/.test(group.shape) || isJoinedAfter(text, group.end)) continue;
    const verdict = judgeDocument(group.digits, hint);
    if (verdict !== undefined) return { ...verdict, end: Math.max(end, group.end) };
  }
  return undefined;
}

const CODE = /[A-Z\d]{1,20}(?:[ -][A-Z\d]{0,20}\d[A-Z\d]{0,20}){0,4}/iy;

function asMixed(context: Context, start: number, end: number, digits: number): Found | undefined {
  const { text } = context;
  const before = text.charCodeAt(start - 1);
  if ((before === 45 || before === 46 || before === 47) && isWordCharacter(text.charCodeAt(start - 2)))
    return undefined;
  if (digits < 2) return undefined;
  if (isLatinLetter(text.charCodeAt(start)) && isDigit(text.charCodeAt(start + 2))) {
    const iban = ibanEnd(text, start);
    if (iban > 0) return { class: "IBAN", rule: "iban", confidence: 0.99, end: iban };
  }
  if (digits < 4 && !/[-\s]/.test(text[end] ?? "")) return undefined;
  const hint = hintAt(context, start, end);
  if (!isJoinedAfter(text, end)) {
    const verdict = judgeMixedId(text.slice(start, end), false, hint, context.isAlone);
    if (verdict !== undefined) return { ...verdict, end };
  }
  const grouped = asGroupedId(context, start);
  if (grouped !== undefined || hint === 0 || hint === HINT.other) return grouped;
  CODE.lastIndex = start;
  const code = CODE.exec(text)?.[0] ?? "";
  for (const value of [code, text.slice(start, end)]) {
    if (isJoinedAfter(text, start + value.length)) continue;
    const verdict = judgeDocument(value.replace(/[ -]/g, ""), hint);
    if (verdict !== undefined) return { ...verdict, end: start + value.length };
  }
  return undefined;
}

const GROUPED_ID =
  /(?:[A-Z]{2}([ -]?)\d\d\1\d\d\1\d\d\1[A-D]|[A-Z]{2}[ -]?\d{6}[ -]?[A-D]|\d[A-Z][A-Z\d]\d-[A-Z][A-Z\d]\d-[A-Z]{2}\d\d|(?:[XYZ]-?)?\d{7,8}-[A-Z]|[A-Z]{3} [A-Z]{3} [A-Z\d]{5} [A-Z\d]{5}|\d{6}[-+A]\d{3}[\dA-Y]|[12378] ?\d\d ?\d\d ?2[AB] ?\d{3} ?\d{3} ?\d\d)(?![\w])/iy;

function asGroupedId(context: Context, start: number): Found | undefined {
  GROUPED_ID.lastIndex = start;
  const match = GROUPED_ID.exec(context.text);
  if (match === null || isJoinedBefore(context.text, start)) return undefined;
  const end = start + match[0].length;
  if (isJoinedAfter(context.text, end)) return undefined;
  const value = match[0].replace(/[ -]/g, "");
  const verdict = judgeMixedId(value, true, hintAt(context, start, end), context.isAlone);
  return verdict && { ...verdict, end };
}

/** Whether a group with a digit, or a short one, follows: `AB| 12`, `RSS| MRA`. */
function startsGroups(text: string, end: number): boolean {
  const separator = text.charCodeAt(end);
  if (separator !== 32 && separator !== 45) return false;
  return (
    isDigit(text.charCodeAt(end + 1)) ||
    (text.charCodeAt(end + 4) === 32 && isDigit(text.charCodeAt(end + 5)))
  );
}

function asPhone(context: Context, start: number): Found | undefined {
  if (isJoinedBefore(context.text, start)) return undefined;
  const phone = phoneAt(context, start);
  return phone && { class: "PHONE", ...phone };
}

/** `0044 (0)20` */
function opensBracket(text: string, end: number): boolean {
  const bracket = text.charCodeAt(end) === 32 ? end + 1 : end;
  return text.charCodeAt(bracket) === 40 && closesSoon(text, bracket);
}

function asPostal(context: Context, start: number): Found | undefined {
  return isJoinedBefore(context.text, start) ? undefined : postalAt(context, start);
}

function toFinding(start: number, { class: kind, rule, confidence, end }: Found): PiiFinding {
  return { class: kind, start, end, rule, confidence };
}
