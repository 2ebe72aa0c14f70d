import { isDigit } from "./characters.ts";

/** The first groups of a number, as far as one of its ends. */
export type Grouped = {
  readonly end: number;
  readonly digits: string;
  /** How they stand: `3-2-4`, `4 4 4 4`, `9`. */
  readonly shape: string;
};

const MOST_GROUPS = 8;
const MOST_DIGITS = 22;

/** A number that starts here, at each of the ends that it may have, the longest first. */
export function readGroups(text: string, start: number): Grouped[] {
  const ends: Grouped[] = [];
  let digits = "";
  let shape = "";
  let at = start;
  for (let group = 0; group < MOST_GROUPS; group++) {
    const from = at;
    while (isDigit(text.charCodeAt(at)) && at - from <= MOST_DIGITS) at++;
    if (at - from + digits.length > MOST_DIGITS) break;
    digits += text.slice(from, at);
    shape += at - from;
    ends.push({ end: at, digits, shape });
    const separator = separatorAt(text, at);
    if (separator === "" || !isDigit(text.charCodeAt(at + 1))) break;
    shape += separator;
    at++;
  }
  return ends.reverse();
}

/** Hard spaces and hyphens stand for plain ones. */
function separatorAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code === 32 || code === 0xa0 || code === 0x202f || code === 0x2009) return " ";
  if (code === 45 || code === 0x2010 || code === 0x2011) return "-";
  return code === 46 ? "." : code === 47 ? "/" : "";
}
