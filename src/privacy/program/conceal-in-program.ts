import { changeLiterals, findLiterals } from "./find-literals.ts";
import type { ProgramLanguage } from "./literal-piece.ts";
import { readLiteralText, type WritingStyle, writeLiteralText } from "./literal-text.ts";

/** Tokens stay as they are known. */
const READABLE: WritingStyle = {
  isPlain: (unit) => (unit >= 0x20 && unit < 0x7f) || /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)),
};

/**
 * The program with other texts in its literals, on as many lines; names of modules, regular expressions, code and comments
 * stay. So does a raw literal in which the text can't be written.
 */
export function concealInProgram(
  code: string,
  language: ProgramLanguage,
  conceal: (text: string) => string,
): string {
  return changeLiterals(code, findLiterals(code, language), (piece) => {
    const text = piece.isModule ? undefined : readLiteralText(code, piece, language);
    if (text === undefined) return undefined;
    const concealed = conceal(text);
    if (concealed === text) return undefined;
    return writeLiteralText(code, piece, language, concealed, READABLE);
  });
}
