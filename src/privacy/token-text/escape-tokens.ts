import { encodeAs, type WrittenForm } from "../forms/written-forms.ts";
import { escapeBase64 } from "./base64-text.ts";
import { findTokenShapes } from "./token-shapes.ts";

/** A token where a value stood. */
export type TokenPlace = {
  readonly start: number;
  readonly end: number;
  readonly token: string;
  /** How the value was written; its token is written so as well. */
  readonly form: WrittenForm;
  /** What stands on both sides of it, where the value was a number of JSON in a text. */
  readonly quote?: string | undefined;
};

export type PlaceOptions = {
  /** Whether what looks like a token in the rest is made harmless; where that rest has tokens of ours, it is not. */
  readonly escapes?: boolean;
};

const BRACKETS: Readonly<Record<WrittenForm, readonly [open: string, close: string]>> = {
  plain: ["[", "]"],
  other: ["[", "]"],
  url: [encodeAs("url", "["), encodeAs("url", "]")],
  html: ["&#91;", "&#93;"],
  json: ["\\u005b", "\\u005d"],
};

/**
 * Puts tokens where values stood. What looks like a token in the rest is data, and never somebody's value: it gets a tilde
 * more, which it loses on its way back.
 */
export function placeTokens(
  text: string,
  places: readonly TokenPlace[],
  { escapes = true }: PlaceOptions = {},
): string {
  const toRest = escapes ? escapeBetween : (rest: string) => rest;
  let result = "";
  let after = 0;
  for (const [number, { start, end, token, form, quote = "" }] of places.entries()) {
    result += toRest(text.slice(after, start), number > 0, true);
    result += `${quote}${write(token, form)}${quote}`;
    after = end;
  }
  return result + toRest(text.slice(after), places.length > 0, false);
}

/** What stands for a value and is no token has no brackets to be written in another way. */
function write(token: string, form: WrittenForm): string {
  if (!token.startsWith("[")) return token;
  const [open, close] = BRACKETS[form];
  return `${open}${token.slice(1, -1)}${close}`;
}

/** Beside a token the same text can look like another: what touches it is read with a bracket. */
function escapeBetween(text: string, isAfterToken: boolean, isBeforeToken: boolean): string {
  if (text === "") return text;
  const before = isAfterToken ? "]" : "";
  const read = `${before}${text}${isBeforeToken ? "[" : ""}`;
  const escaped = escapeShapes(escapeBase64(read));
  return escaped.slice(before.length, isBeforeToken ? -1 : undefined);
}

function escapeShapes(text: string): string {
  let result = "";
  let after = 0;
  for (const { tildesAt } of findTokenShapes(text)) {
    result += `${text.slice(after, tildesAt)}~`;
    after = tildesAt;
  }
  return after === 0 ? text : result + text.slice(after);
}
