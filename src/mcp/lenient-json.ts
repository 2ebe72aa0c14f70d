export type ParsedJson = {
  readonly value: unknown;
  /** A number that JSON does not have, as the sender wrote it, and that was read as null: the first of them. */
  readonly notANumber?: string;
};

/**
 * JSON as servers in Python send it: `NaN`, `Infinity` and `-Infinity` are read as null. Nothing when it is no JSON. The
 * platform's own parser does the work; only a text that it refuses and that has such a word is gone through.
 */
export function parseLenientJson(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseWithNulls(text);
  }
}

/** By their first character. */
const WORDS = new Map(["NaN", "Infinity", "-Infinity"].map((word) => [word.charCodeAt(0), word]));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function parseWithNulls(text: string): ParsedJson | undefined {
  if (!text.includes("NaN") && !text.includes("Infinity")) return undefined;
  const replaced = replaceWords(text);
  if (replaced === undefined) return undefined;
  try {
    // What stood beside a word where none may stand, as in `1NaN` or `{NaN: 1}`, is still no JSON.
    return { value: JSON.parse(replaced.text), notANumber: replaced.first };
  } catch {
    return undefined;
  }
}

/** Outside of strings only, each character looked at once. */
function replaceWords(text: string): { text: string; first: string } | undefined {
  let replaced = "";
  let first: string | undefined;
  let from = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    else if (isString) at += code === BACKSLASH ? 1 : 0;
    else {
      const word = WORDS.get(code);
      if (word === undefined || !text.startsWith(word, at)) continue;
      replaced += `${text.slice(from, at)}null`;
      first ??= word;
      at += word.length - 1;
      from = at + 1;
    }
  }
  return first === undefined ? undefined : { text: replaced + text.slice(from), first };
}

const noted = new WeakMap<object, string>();

/** Remembers of a whole message's result that it had such a number: between the wire and its reader is the SDK. */
export function noteNotANumber(result: object, word: string): void {
  noted.set(result, word);
}

export function notANumberIn(result: object): string | undefined {
  return noted.get(result);
}
