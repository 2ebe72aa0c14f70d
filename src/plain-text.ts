// ANSI escape sequences, then whatever control and text-direction characters remain.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[0-~])/g;
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text of a server made safe to show in a terminal, in an error, to a model: no escapes, no control or bidi characters. */
export function toPlainText(text: string): string {
  return text.replace(ESCAPES, "").replace(INVISIBLE, "");
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
