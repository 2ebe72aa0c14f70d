/**
 * The parser is native code that recurses: nested deeply enough, a program would not fail but crash the whole process.
 * How deep it can nest is bounded by what can nest in it, wherever that stands, strings and comments included. Each of sixty
 * ways to nest, up to this budget, was tried on a stack of 3 MB; a main thread has 8 MB, a worker 4 MB.
 */
const BUDGET = process.platform === "win32" ? 800 : 5000;
const BRACKET = 3;
const WORD = 3;

const WEIGHTS = new Uint8Array(128).fill(1, 33);
for (const letter of "abcdefghijklmnopqrstuvwxyz") {
  WEIGHTS[letter.charCodeAt(0)] = 0;
  WEIGHTS[letter.toUpperCase().charCodeAt(0)] = 0;
}
for (const char of "0123456789_$,;'\")]}") WEIGHTS[char.charCodeAt(0)] = 0;
for (const char of "([{<`") WEIGHTS[char.charCodeAt(0)] = BRACKET;

/** Operators that are words, and words that nest declarations, statements and types. */
const WORDS = new RegExp(
  `\\b(?:${[
    ..."await new typeof void delete yield in instanceof of as satisfies".split(" "),
    ..."else do class function namespace module".split(" "),
    ..."keyof readonly unique infer extends is asserts".split(" "),
  ].join("|")})\\b`,
  "g",
);

/** Whether the program may be nested more deeply than a parser in this process could take. */
export function mayNestDeeply(source: string): boolean {
  let weight = 0;
  for (let index = 0; index < source.length; index++) weight += WEIGHTS[source.charCodeAt(index)] ?? 0;
  if (weight > BUDGET) return true;
  // The shortest of the words and the space after it are three characters.
  if (weight + source.length <= BUDGET) return false;
  return weight + (source.match(WORDS)?.length ?? 0) * WORD > BUDGET;
}
