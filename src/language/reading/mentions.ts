import { foldName } from "../../catalog/name-index.ts";

/** All that a text can name servers and tools by. Too many do no harm, and none is missed but what is computed. */
export type Mentions = {
  readonly words: ReadonlySet<string>;
  /** What stands between quotes; by and by also what stands between two strings. */
  readonly quoted: ReadonlySet<string>;
};

const MAX_WORD = 200;
const MAX_QUOTED = 200;
/** Strings that differ. Each is a handful of look-ups. */
const MAX_STRINGS = 20_000;

export function toMentions(text: string): Mentions {
  // An identifier may be written with escapes, as `git\u0068ub`.
  const plain = text.includes("\\u") ? text.replace(ESCAPE, toCharacter) : text;
  const words = new Set<string>();
  for (const [word] of plain.matchAll(WORD)) if (word.length <= MAX_WORD) words.add(word);
  return { words, quoted: toQuoted(plain) };
}

const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;
const ESCAPE = /\\u(?:\{0*([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/g;

function toCharacter(written: string, long: string | undefined, short: string | undefined): string {
  const code = Number.parseInt(long ?? short ?? "", 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** Which quotes open and which close need not be known: each stretch between two is taken. */
function toQuoted(text: string): Set<string> {
  const quoted = new Set<string>();
  for (const quote of ['"', "'", "`"]) {
    let start = text.indexOf(quote) + 1;
    while (start > 0 && quoted.size < MAX_STRINGS) {
      const end = text.indexOf(quote, start);
      if (end === -1) break;
      if (end > start && end - start <= MAX_QUOTED) quoted.add(text.slice(start, end));
      start = end + 1;
    }
  }
  return quoted;
}

/** The words by what counts of them. */
export function toFoldedWords({ words }: Mentions): ReadonlyMap<string, readonly string[]> {
  const folded = new Map<string, string[]>();
  for (const word of words) {
    const key = foldName(word);
    const known = folded.get(key);
    if (known) known.push(word);
    else folded.set(key, [word]);
  }
  return folded;
}
