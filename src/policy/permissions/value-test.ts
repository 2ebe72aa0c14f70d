import type { ArgumentCondition } from "../../config/permissions/schema.ts";
import { type LinearPattern, parseLinearPattern } from "../../text/linear-pattern.ts";
import { HIDDEN_CLASS, JOINERS_CLASS } from "../../text/plain-text.ts";
import type { Fit } from "./argument-values.ts";
import { type DecisionWork, spend } from "./decision-work.ts";
import type { Strictness } from "./name-pattern.ts";
import { toLooks } from "./words.ts";

const MAX_LENGTH = 4_096;
/** Characters that are looked through in the time of one step. */
const READ_A_STEP = 64;
const STEPS_A_LETTER = 4;
const HIDDEN = new RegExp(`[${HIDDEN_CLASS}${JOINERS_CLASS}]`, "gu");
const ASCII = /^[\t\n\r\u0020-\u007e]*$/;
/** As servers read them that take more than JSON's own. */
const TRUE_WORDS = ["true", "1", "yes", "y", "on", "t"];
const FALSE_WORDS = ["false", "0", "no", "n", "off", "f"];

export type ValueTest = (value: unknown, work: DecisionWork) => Fit;

/** Whether a value is what a condition speaks of; loosely, whether a server could take it for that. */
export function toValueTest({ equals, matches }: ArgumentCondition, strictness: Strictness): ValueTest {
  if (matches !== undefined) return toPatternTest(matches, strictness);
  return strictness === "exact" ? (value) => (value === equals ? "yes" : "no") : toLikenessTest(equals);
}

/** Servers take "5" for 5 and "TRUE" for true: what could be the value counts as it. */
function toLikenessTest(equals: ArgumentCondition["equals"]): ValueTest {
  const key = toKey(equals);
  return (value, work) => {
    if (value === equals) return "yes";
    if (typeof value === "string" && !spend(work, stepsToRead(value))) return "unclear";
    if (typeof value === "object" && value !== null) return "unclear";
    if (typeof value === "string" && value.length > MAX_LENGTH)
      return isOtherText(value, equals, key) ? "no" : "unclear";
    const likeness = toKey(value);
    if (likeness === key) return "yes";
    if (typeof equals === "number")
      return likeness !== "" && Number(typeof value === "boolean" ? value : likeness) === equals
        ? "yes"
        : "no";
    if (typeof equals === "boolean")
      return (equals ? TRUE_WORDS : FALSE_WORDS).includes(likeness) ? "yes" : "no";
    return "no";
  };
}

/** What is not plain is put into other forms, letter by letter. */
function stepsToRead(text: string): number {
  const isRead = text.length <= MAX_LENGTH && !ASCII.test(text);
  return isRead ? text.length * STEPS_A_LETTER : text.length / READ_A_STEP;
}

/** A long text of which nothing falls away when it is read as something shorter. */
function isOtherText(text: string, equals: unknown, key: string): boolean {
  return typeof equals === "string" && ASCII.test(text) && text.trim().length > key.length;
}

function toPatternTest(matches: string, strictness: Strictness): ValueTest {
  const asWritten = parseLinearPattern(matches);
  const anyCase = strictness === "exact" ? undefined : parseLinearPattern(matches, { ignoreCase: true });
  return (value, work) => {
    if (value === null || typeof value === "object") return "unclear";
    const text = String(value);
    if (text.length > MAX_LENGTH) return "unclear";
    const isFound = (pattern: LinearPattern, one: string) =>
      spend(work, one.length / READ_A_STEP) && pattern.test(one, work);
    // Ignoring case, "[^a]" is found in less than it is else.
    if (isFound(asWritten, text)) return "yes";
    if (anyCase !== undefined && readingsOf(text, work).some((one) => isFound(anyCase, one))) return "yes";
    return work.left < 0 ? "unclear" : "no";
  };
}

/** Found out once for all rules of a decision. */
function readingsOf(text: string, work: DecisionWork): readonly string[] {
  const known = work.readings.get(text);
  if (known !== undefined) return known;
  if (!spend(work, text.length * STEPS_A_LETTER)) return [];
  const plain = toPlain(text);
  const readings = [...new Set([text, plain, toLooks(plain.toLowerCase())])];
  work.readings.set(text, readings);
  return readings;
}

/** What stands for all that a server could take for the same text. */
export function toKey(value: unknown): string {
  return toLooks(toPlain(String(value)).toLowerCase());
}

/** Without what nobody sees, and as one writes it. */
function toPlain(text: string): string {
  return ASCII.test(text) ? text.trim() : text.normalize("NFKC").replace(HIDDEN, "").trim();
}
