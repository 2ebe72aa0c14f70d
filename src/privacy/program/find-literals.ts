import { toFencedText, toProgramText } from "../../text/program-text.ts";
import type { LiteralPiece, ProgramLanguage } from "./literal-piece.ts";
import { findPythonLiterals } from "./literals-python.ts";
import { findTypeScriptLiterals } from "./literals-typescript.ts";

const FENCE_LINE = /^[^\S\r\n]*```/m;

/** The literals of a program as a model sends it, also between Markdown fences; behind what is no program, none. */
export function findLiterals(code: string, language: ProgramLanguage): readonly LiteralPiece[] {
  const text = toProgramText(code);
  const isFenced = FENCE_LINE.test(text);
  if (language === "typescript") {
    // Three backticks are a template to TypeScript, and nobody begins a line with one behind an empty one.
    return findTypeScriptLiterals((isFenced ? toFencedText(code) : undefined) ?? text).pieces;
  }
  const found = findPythonLiterals(text);
  const fenced = isFenced && found.lostAt !== undefined ? toFencedText(code) : undefined;
  return fenced === undefined ? found.pieces : findPythonLiterals(fenced).pieces;
}

/** The program with other texts in its literals. Where nothing is given for one, it stays as it is. */
export function changeLiterals(
  code: string,
  pieces: readonly LiteralPiece[],
  change: (piece: LiteralPiece) => string | undefined,
): string {
  const parts: string[] = [];
  let after = 0;
  for (const piece of pieces) {
    const changed = change(piece);
    if (changed === undefined) continue;
    parts.push(code.slice(after, piece.start), changed);
    after = piece.end;
  }
  return parts.length === 0 ? code : parts.join("") + code.slice(after);
}
