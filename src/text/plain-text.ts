// ANSI escape sequences, then whatever control and text-direction characters remain.
export const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[0-~])/g;

/**
 * Inside of a character class (flag `u`): what nobody sees, but a terminal or a model may obey. Control and bidirectional
 * characters, fillers, variation selectors and tags, in which whole texts can be hidden.
 */
export const HIDDEN_CLASS =
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f" +
  "\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffc\\u{16fe4}\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}" +
  "\\u{e0000}-\\u{e0fff}";

/** The joiners and the emoji selector: scripts and emoji need them, one after a character; ASCII has no use for them. */
export const JOINERS_CLASS = "\\u200c\\u200d\\ufe0f";

const HIDDEN = new RegExp(`[${HIDDEN_CLASS}]`, "gu");
const STRAY_JOINERS = new RegExp(`(?<![^\\u0000-\\u007f${JOINERS_CLASS}])[${JOINERS_CLASS}]+`, "gu");

/** The text without what nobody sees. */
export function dropHidden(text: string): string {
  return text.replace(HIDDEN, "").replace(STRAY_JOINERS, "");
}

/** Text of a server made safe to show in a terminal, in an error, to a model: no escapes, no control or bidi characters. */
export function toPlainText(text: string): string {
  return dropHidden(text.replace(ESCAPES, ""));
}

/**
 * What a reader can't see but a terminal or a model obeys, line separators and lone surrogates (the joiners stay: emoji and
 * Indic scripts need them).
 */
export const UNSAFE = new RegExp(`[${HIDDEN_CLASS}\\u2028\\u2029\\p{Cs}]`, "gu");

/**
 * Text made safe to show: nothing hidden is dropped, it is written as `\u202e`. JSON stays the same JSON, since such
 * characters stand only inside its strings, where this is how they are escaped.
 */
export function toVisibleText(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

const PICTURE = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]";
/** Joiners within emoji, or else those and every blank that is no space. */
const UNSEEN = new RegExp(
  `((?<=${PICTURE})\\ufe0f|[0-9#*]\\ufe0f\\u20e3|(?<=${PICTURE}\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic}))|` +
    `[${JOINERS_CLASS}\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]`,
  "gu",
);

/** The same for a text that a person decides by: joiners and other blanks are written out, too. Emoji stay. */
export function toQuestionText(text: string): string {
  return toVisibleText(text.replace(UNSEEN, (found, emoji?: string) => emoji ?? escapeCharacter(found)));
}

/** Whether a text can be shown within a line as it is. */
export function isPlainLine(text: string): boolean {
  return text === toPlainText(text) && !/[\t\n\u2028\u2029]/.test(text);
}

/** One short line of it. */
export function toExcerpt(text: string, maxLength = 200): string {
  const line = toPlainText(text.slice(0, maxLength * 4))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

function escapeCharacter(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
