import type { PiiClass } from "../../pii-classes.ts";
import { encodeAs } from "../forms/written-forms.ts";
import { readBareWords } from "./bare-words.ts";
import { revealBase64 } from "./base64-text.ts";
import { countJsonLevels } from "./json-levels.ts";
import { findTokenShapes, type TokenShape } from "./token-shapes.ts";

/** What tokens stand for. */
export type TokenValues = {
  valueOf(token: string): string | undefined;
  /** Whether a token of this class was ever given. */
  hasGiven(kind: PiiClass): boolean;
};

/** A token that can't be revealed: whoever sends the text would send something else than was meant. */
export type TokenFault = {
  readonly kind: "unknown" | "cut" | "altered";
  readonly class: PiiClass;
  readonly written: string;
};

export type Revealed = {
  readonly text: string;
  /** Each once. */
  readonly tokens: readonly string[];
  readonly faults: readonly TokenFault[];
};

export type RevealOptions = {
  /** The text leaves a world of tokens, where data that is one but for its brackets has a tilde, too; none is in small letters. */
  readonly isFromTokens?: boolean;
};

/** The text with values for tokens, each written as its token is; what was data and looked like one is that data again. */
export function revealTokens(text: string, values: TokenValues, options: RevealOptions = {}): Revealed {
  const tokens = new Set<string>();
  const faults: TokenFault[] = [];
  const inBase64 = revealBase64(text, (part) => revealShapes(part, values, {}, tokens, faults));
  const revealed = revealShapes(inBase64, values, options, tokens, faults);
  return { text: revealed, tokens: [...tokens], faults };
}

function revealShapes(
  text: string,
  values: TokenValues,
  { isFromTokens = false }: RevealOptions,
  tokens: Set<string>,
  faults: TokenFault[],
): string {
  let result = "";
  let data = "";
  /** What is data is read as a whole: a tilde may stand beside what was one. */
  const flush = () => {
    result += isFromTokens ? readBareWords(data) : data;
    data = "";
  };
  let after = 0;
  const shapes = findTokenShapes(text);
  let levels: number[] | undefined;
  for (const [place, shape] of shapes.entries()) {
    const levelOf = () => {
      levels ??= countJsonLevels(text);
      return levels[place] ?? 0;
    };
    if (shape.tildes > 0) {
      data += text.slice(after, shape.tildesAt);
      after = shape.tildesAt + 1;
      continue;
    }
    const token = `[${shape.class}_${shape.digits}]`;
    const value = shape.digits === "" ? undefined : values.valueOf(token);
    const isMeant = shape.isUpperCase || !isFromTokens;
    if (shape.kind === "whole" && value !== undefined && isMeant && !isIndex(text, shape)) {
      tokens.add(token);
      data += text.slice(after, shape.start);
      flush();
      result += write(value, shape, levelOf);
      after = shape.end;
    } else if (isFault(shape, value, values)) {
      const kind = shape.kind === "whole" ? "unknown" : shape.kind;
      faults.push({ kind, class: shape.class, written: text.slice(shape.start, shape.end) });
    }
  }
  data += text.slice(after);
  flush();
  return result;
}

/** `rows[name_1]` in a program. */
function isIndex(text: string, { start, isUpperCase, encoding }: TokenShape): boolean {
  return !isUpperCase && encoding === "plain" && start > 0 && /[\w$)\]]/.test(text[start - 1] ?? "");
}

/** In small letters it may be anything; half of a token is one if there is such a token. */
function isFault(shape: TokenShape, value: string | undefined, values: TokenValues): boolean {
  if (shape.kind === "whole") return shape.isUpperCase;
  return shape.digits === "" ? values.hasGiven(shape.class) : value !== undefined;
}

const NEEDS_ESCAPES = /["\\\u0000-\u001f]/;

/** As its token is written. */
function write(value: string, { encoding, levels }: TokenShape, countLevels: () => number): string {
  if (encoding === "url-twice") return encodeAs("url", encodeAs("url", value));
  if (encoding !== "plain" && encoding !== "json") return encodeAs(encoding, value);
  if (!NEEDS_ESCAPES.test(value)) return value;
  let written = value;
  for (let level = encoding === "json" ? levels : countLevels(); level > 0; level--)
    written = encodeAs("json", written);
  return written;
}
