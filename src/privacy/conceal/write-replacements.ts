import type { JsonFinding } from "../detect/structure/json/json-finding.ts";
import { encodeAs, type WrittenForm } from "../forms/written-forms.ts";
import { placeTokens, type TokenPlace } from "../token-text/escape-tokens.ts";
import type { FindingPlace } from "./place-findings.ts";

/** What takes the place of a finding; nothing where it is left. `written` is what stands there. */
export type ReplaceFinding = (finding: JsonFinding, written: string) => string | undefined;

const TOKEN = /^\[[A-Z_]+\d*\]$/;

/** The text of a place with what takes the place of its findings; nothing where all of them are left. */
export function writeReplacements(
  { text, findings }: FindingPlace,
  replace: ReplaceFinding,
  isEscaping: boolean,
): string | undefined {
  let result = "";
  let places: TokenPlace[] = [];
  let after = 0;
  let isChanged = false;
  const writeUpTo = (end: number) => {
    const part = text.slice(after, end);
    result += isEscaping ? placeTokens(part, places) : part;
    places = [];
  };
  for (const finding of findings) {
    const { start, end, value, quote = "" } = finding;
    const written = text.slice(start, end);
    const replacement = replace(finding, written);
    if (replacement === undefined) continue;
    isChanged = true;
    const isToken = TOKEN.test(replacement);
    const form = toForm(value, written);
    if (isEscaping && isToken && quote === "") {
      // Tokens beside each other, and what touches them, are read together.
      places.push({ start: start - after, end: end - after, token: replacement, form });
      continue;
    }
    writeUpTo(start);
    result += `${quote}${isToken ? writeToken(replacement, form) : writeOther(replacement, form, isEscaping)}${quote}`;
    after = end;
  }
  if (!isChanged) return undefined;
  writeUpTo(text.length);
  return result;
}

function writeToken(token: string, form: WrittenForm): string {
  return placeTokens("", [{ start: 0, end: 0, token, form }]);
}

/** A mask, or whatever else is no token. */
function writeOther(replacement: string, form: WrittenForm, isEscaping: boolean): string {
  const written = encodeAs(form, replacement);
  return isEscaping ? placeTokens(written, []) : written;
}

/** How a value is written where the text has it in other letters. */
function toForm(value: string | undefined, written: string): WrittenForm {
  if (value === undefined || value === written) return "plain";
  if (written.includes("\\")) return isJsonOf(value, written) ? "json" : "other";
  if (/[%+]/.test(written) && isUrlOf(value, written)) return "url";
  return written.includes("&") ? "html" : "other";
}

function isJsonOf(value: string, written: string): boolean {
  try {
    return JSON.parse(`"${written}"`) === value;
  } catch {
    return false;
  }
}

function isUrlOf(value: string, written: string): boolean {
  try {
    return (
      decodeURIComponent(written.replaceAll("+", " ")) === value || decodeURIComponent(written) === value
    );
  } catch {
    return false;
  }
}
