import { isEscapeUnit, readEscape } from "./escapes.ts";
import { createSymbolStream, fillStream } from "./symbol-stream.ts";

/** How a value is written where it was found: as it is, in an encoding that a token can be written in as well, or otherwise. */
export type WrittenForm = "plain" | "url" | "html" | "json" | "other";

export type WrittenSpan = { readonly start: number; readonly end: number; readonly form: WrittenForm };

const ALL_FORMS = ["plain", "url", "json", "html"] as const;
const PLAIN_FORM = ["plain"] as const;
/** An escape that stands for a sign. */
const MAX_SIGN = 8;
const stream = createSymbolStream();
/** Signs before a value's first letter. */
const MAX_LEAD = 64;

/**
 * A match begins with the value's first letter or digit and ends with the last: the whole of the value, with its signs, where it is
 * written in one of the usual ways, or else just that.
 */
export function toWrittenSpan(text: string, value: string, start: number, end: number): WrittenSpan {
  const isEscaped = /[%&\\]/.test(text.slice(Math.max(0, start - MAX_SIGN), end));
  for (const form of isEscaped ? ALL_FORMS : PLAIN_FORM) {
    const written = encodeAs(form, value);
    if (form !== "plain" && written === value) continue;
    const from = start - leadOf(written);
    if (from >= 0 && from + written.length >= end && text.startsWith(written, from))
      return { start: from, end: from + written.length, form };
  }
  return { start, end, form: "other" };
}

export function encodeAs(form: WrittenForm, value: string): string {
  if (form === "url") return encodeUrl(value);
  if (form === "json") return JSON.stringify(value).slice(1, -1);
  if (form === "html") return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  return value;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Half of a pair can't be encoded. */
function encodeUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

function leadOf(written: string): number {
  fillStream(stream, written, 0, Math.min(written.length, MAX_LEAD), true);
  return stream.length === 0 ? 0 : (stream.starts[0] ?? 0);
}

/** The text with its escapes read. */
export function readEscapes(text: string): string {
  let result = "";
  let after = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isEscapeUnit(text.charCodeAt(at))) continue;
    const found = readEscape(text, at, text.length);
    if (found === undefined) continue;
    result += text.slice(after, at) + String.fromCodePoint(found.codePoint);
    after = found.end;
    at = after - 1;
  }
  return result + text.slice(after);
}
