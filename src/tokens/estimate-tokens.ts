/** A word, the parts of a camel-case name, up to three digits, a run of punctuation, space, or any other character. */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,3}|[!-/:-@[-`{-~]+|\n+|[^\S\n]{2,}|[^\u0000-\u007f]/gu;
const LONGEST_WORD = 8;
/** European and Near Eastern letters, punctuation, Chinese, Japanese, Korean. */
const COMMON = [
  [0x80, 0x6ff],
  [0x2000, 0x20ff],
  [0x3000, 0x30ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7af],
] as const;

/**
 * About how many tokens a text takes a model, without an encoder, which takes half a second to load. On signatures it
 * says 5–20% too much, on Python's up to 35% (`npm run bench -- search` measures with the real one); words that are none are taken for costly.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += toPieceTokens(piece);
  return Math.ceil(tokens);
}

/** The beginning of a text, as much as fits. */
export function cutToTokens(text: string, tokens: number): string {
  let used = 1;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    used += toPieceTokens(piece);
    if (used > tokens) return `${text.slice(0, index)}…`;
  }
  return text;
}

function toPieceTokens(piece: string): number {
  const code = piece.codePointAt(0) ?? 0;
  if (code > 127) return toForeignTokens(code);
  if (/[A-Za-z]/.test(piece)) return toWordTokens(piece);
  if (/\s/.test(piece)) return Math.ceil(piece.length / 16);
  return /[0-9]/.test(piece) ? 1 : Math.ceil(piece.length / 2.5);
}

/** Encoders know words; letters that form none take a token for every one or two. */
function toWordTokens(word: string): number {
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0;
  if (word.length > 4 && vowels * 6 < word.length) return word.length / 1.6;
  if (word.length > 20) return word.length / 3;
  return word.length <= LONGEST_WORD ? 1 : word.length / 7;
}

/** Scripts that are much written cost about a token a character, the others one for each of their bytes. */
function toForeignTokens(code: number): number {
  if (COMMON.some(([first, last]) => code >= first && code <= last)) return 1;
  return code > 0xffff ? 4 : 3;
}
