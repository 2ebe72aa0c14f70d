import type { RequestId } from "./open-requests.ts";

/** What a JSON text would become, told from its bytes: one pass, in any number of pieces, and nothing is kept of them. */
export type JsonScan = {
  push(bytes: Uint8Array): void;
  /** What is no JSON is counted as if it were. */
  readonly values: number;
  /** Levels of lists and objects. */
  readonly depth: number;
  /** The `id` of the object that the text is. */
  readonly id: RequestId | undefined;
  /** Whether that object has a `method`: then it is no answer. */
  readonly hasMethod: boolean;
};

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Longest key or id that is looked at; those that we give out are short. */
const MAX_WORD = 40;

export function createJsonScan(): JsonScan {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  /** Nothing stands yet in the list or object that was opened last: it holds no value. */
  let isEmpty = false;
  let isString = false;
  let isEscaped = false;
  /** Of the object at the top: the text under way or just ended, and whether the value of `id` is next. */
  let word = "";
  let isIdNext = false;
  let id: RequestId | undefined;
  let hasMethod = false;

  function endValue(): void {
    if (isIdNext && id === undefined && /^-?\d+$/.test(word)) id = Number(word);
    isIdNext = false;
    word = "";
  }

  /** All that stands in the object at the top itself, and so is little. */
  function readTop(byte: number): void {
    if (byte === COLON) {
      isIdNext = word === "id";
      if (isIdNext) id = undefined;
      hasMethod ||= word === "method";
      word = "";
    } else if (isIdNext && word.length < MAX_WORD) word += String.fromCharCode(byte);
  }

  return {
    push(bytes) {
      const { length } = bytes;
      for (let at = 0; at < length; at++) {
        const byte = bytes[at] ?? 0;
        if (isString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) {
            isString = false;
            if (depth === 1 && isIdNext) id = word;
            continue;
          }
          if (depth === 1 && word.length < MAX_WORD) word += String.fromCharCode(byte);
          continue;
        }
        if (byte === QUOTE) {
          isEmpty = false;
          isString = true;
          if (depth === 1) word = "";
        } else if (byte === COMMA) {
          values++;
          if (depth === 1) endValue();
        } else if ((byte | BRACE_BIT) === OPEN) {
          values++;
          isEmpty = true;
          depth++;
          if (depth > deepest) deepest = depth;
          if (depth === 2) isIdNext = false;
        } else if ((byte | BRACE_BIT) === CLOSE) {
          if (isEmpty) values--;
          isEmpty = false;
          if (depth === 1) endValue();
          depth--;
        } else if (byte > SPACE) {
          isEmpty = false;
          if (depth === 1) readTop(byte);
        }
      }
    },
    get values() {
      return values;
    },
    get depth() {
      return deepest;
    },
    get id() {
      return id;
    },
    get hasMethod() {
      return hasMethod;
    },
  };
}

/** The same of a text that is there as a whole. */
export function scanJson(text: string): Pick<JsonScan, "values" | "depth"> {
  const scan = createJsonScan();
  scan.push(Buffer.from(text));
  return scan;
}
