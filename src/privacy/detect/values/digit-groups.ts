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

/** How the first two groups of what is read in groups are long: cards, ids, and nothing else. */
const FIRST_LENGTHS = new Set(
  "3,2 3,3 3,4 3,6 5,4 2,3 4,4 4,5 4,6 9,2 1,2 13,2".split(" ").map((pair) => {
    const [first = 0, second = 0] = pair.split(",").map(Number);
    return first * 32 + second;
  }),
);

/** The lengths of the first two groups; 0 where there is no second one. */
export function firstLengths(text: string, start: number): readonly [first: number, second: number] {
  const first = runLength(text, start);
  const next = start + first + 1;
  return [first, separatorAt(text, next - 1) === "" ? 0 : runLength(text, next)];
}

function runLength(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at)) && at - start <= MOST_DIGITS) at++;
  return at - start;
}

export function mayBeGrouped(first: number, second: number): boolean {
  return FIRST_LENGTHS.has(first * 32 + second);
}

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
