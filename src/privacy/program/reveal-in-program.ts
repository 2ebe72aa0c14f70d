import { toPiiClass } from "../../pii-classes.ts";
import { revealTokens, type TokenFault, type TokenValues } from "../token-text/reveal-tokens.ts";
import { changeLiterals, findLiterals } from "./find-literals.ts";
import type { ProgramLanguage } from "./literal-piece.ts";
import { readLiteralText, type WritingStyle, writeLiteralText } from "./literal-text.ts";

export type RevealedProgram = {
  readonly code: string;
  /** Each once. */
  readonly tokens: readonly string[];
  /** Also, as altered, tokens in raw literals: there are no escapes there, so no value can be written safely. */
  readonly faults: readonly TokenFault[];
};

/** Even where something is taken for a literal that is none, a value is at most a word there. */
const STRICT: WritingStyle = { isPlain: isLetterOrDigit };

/** The program with values for the tokens in its literals. Tokens in code and comments stay; so does the number of lines. */
export function revealInProgram(
  code: string,
  language: ProgramLanguage,
  values: TokenValues,
): RevealedProgram {
  const tokens = new Set<string>();
  const faults: TokenFault[] = [];
  const revealed = changeLiterals(code, findLiterals(code, language), (piece) => {
    const text = readLiteralText(code, piece, language);
    if (text === undefined) return undefined;
    const found = revealTokens(text, values);
    for (const fault of found.faults) faults.push(fault);
    if (found.text === text) return undefined;
    if (piece.isRaw && found.tokens.length > 0) {
      for (const token of found.tokens) faults.push(toRawFault(token));
      return undefined;
    }
    for (const token of found.tokens) tokens.add(token);
    return writeLiteralText(code, piece, language, found.text, STRICT);
  });
  return { code: revealed, tokens: [...tokens], faults };
}

function toRawFault(token: string): TokenFault {
  const kind = toPiiClass(token.slice(1, token.lastIndexOf("_")));
  if (kind === undefined) throw new Error(`Not a token: "${token}"`);
  return { kind: "altered", class: kind, written: token };
}

function isLetterOrDigit(unit: number): boolean {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}
