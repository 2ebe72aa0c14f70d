import type { PiiFinding } from "../finding.ts";
import { isDay } from "./checksums.ts";
import { type Context, hintAt } from "./context.ts";
import { HINT } from "./hints.ts";

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?" +
  "|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre" +
  "|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";

const DATE = new RegExp(
  "(?<![\\w./-])(?:(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})|(\\d{1,2})([-/.])(\\d{1,2})\\5(\\d{4}|\\d{2})" +
    `|(?:${MONTHS})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th|\\.|er)?(?: de| of)? (?:${MONTHS})\\.?,?(?: de)? \\d{4}` +
    `|\\d{1,2}-(?:${MONTHS})-\\d{2,4}|(?<!\\S)(?:19|20)\\d{6}(?!\\S))(?![\\w])`,
  "gi",
);

/** A date, where a word or the key says that somebody was born. */
export function findBirthDates(context: Context, findings: PiiFinding[]): void {
  DATE.lastIndex = 0;
  for (let match = DATE.exec(context.text); match !== null; match = DATE.exec(context.text)) {
    const start = match.index;
    const end = start + match[0].length;
    if (!isPossible(match) || hintAt(context, start, end) !== HINT.birth) continue;
    findings.push({ class: "DATE_OF_BIRTH", start, end, rule: "birth-in-context", confidence: 0.92 });
  }
}

function isPossible([, year, month, day, first, , second, last]: RegExpMatchArray): boolean {
  if (year !== undefined) return isDay(Number(year), Number(month), Number(day)) && year >= "1850";
  if (first === undefined || last === undefined) return true;
  const full = last.length === 2 ? 2_000 + Number(last) : Number(last);
  return isDay(full, Number(second), Number(first)) || isDay(full, Number(first), Number(second));
}
