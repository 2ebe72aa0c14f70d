import type { Claims } from "./claims.ts";
import { CAPITALISED, isPlain, kindAt, TAKEN, type Tokens } from "./tokens.ts";
import { FUNCTION_WORD } from "./word-flags.ts";
import { hashOf } from "./word-table.ts";

const SURE = 0.7;

/** Someone who was named in full is often named again by one word. */
export function findNamesAgain(tokens: Tokens, claims: Claims): void {
  const words = new Set<number>();
  for (const { class: found, start, end, confidence } of claims.findings) {
    if (found !== "NAME" || confidence < SURE) continue;
    for (const word of tokens.text.slice(start, end).split(/[\s.-]+/))
      if (word.length > 2) words.add(hashOf(word, 0, word.length));
  }
  if (words.size === 0) return;
  for (let at = 0; at < tokens.count; at++) {
    const kind = kindAt(tokens, at);
    if (
      kind === TAKEN ||
      !(kind === CAPITALISED || tokens.isCaseless) ||
      !words.has(tokens.hashes[at] as number)
    )
      continue;
    const isOrdinary = isPlain(tokens, at) || ((tokens.flags[at] as number) & FUNCTION_WORD) !== 0;
    if (!isOrdinary) claims.take("NAME", at, at + 1, "named-again", 0.75);
  }
}
