/** One word of a pattern, and what it stands for. */
export type ArgumentWord =
  /** Exactly this argument. */
  | { readonly kind: "exact"; readonly text: string }
  /** One argument in which `*` is any part. */
  | { readonly kind: "parts"; readonly parts: readonly string[] }
  /** One argument, no option. */
  | { readonly kind: "one" }
  /** All that follow, none of them an option. */
  | { readonly kind: "rest" }
  /** All that follow, options too. */
  | { readonly kind: "anything" };

/** A pattern that can't be meant as it is written; its message says what it must be. */
export class ArgumentPatternProblem extends Error {}

const SHELL = /["'`$;|&<>\\]/;

/**
 * `log *` as words. A text is split at its spaces, and nothing else of it is special: there is no shell. What has a space in
 * it is written as a list of words.
 */
export function parseArgumentPattern(written: string | readonly string[]): ArgumentWord[] {
  const words = typeof written === "string" ? splitWords(written) : written;
  return words.map((word, at) => toWord(word, at === words.length - 1));
}

function splitWords(text: string): string[] {
  const found = SHELL.exec(text)?.[0];
  if (found !== undefined)
    throw new ArgumentPatternProblem(
      `has ${found} in it, and there is no shell that would read it: write the words as a list, ["commit", "-m", "*"]`,
    );
  return text.split(" ").filter((word) => word !== "");
}

function toWord(word: string, isLast: boolean): ArgumentWord {
  if (word === "**") {
    if (isLast) return { kind: "anything" };
    throw new ArgumentPatternProblem('has "**" before its end: it stands for all arguments that follow');
  }
  if (word === "*") return { kind: isLast ? "rest" : "one" };
  if (!word.includes("*")) return { kind: "exact", text: word };
  if (/^-*\*/.test(word) && word.startsWith("-"))
    throw new ArgumentPatternProblem(
      `has "${word}", which would be any option: name the option, or end with "**"`,
    );
  return { kind: "parts", parts: word.split("*") };
}
