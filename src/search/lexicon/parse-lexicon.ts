/** The lines of a lexicon text; `_` within a word stands for a space: `pull_request` is a phrase. */
export function toGroups(text: string): string[][] {
  return toLines(text).map((line) => line.split(" ").map(toPhrase));
}

/** Lines of the form `key: word word`, or `key word word` where the key is a word of another language. */
export function toEntries(text: string): [key: string, words: string[]][] {
  return toGroups(text).map(([key = "", ...words]) => [key.replace(/:$/, ""), words]);
}

function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

function toPhrase(word: string): string {
  return word.replaceAll("_", " ");
}
