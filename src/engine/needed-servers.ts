import type { CatalogEntry } from "../catalog/entry.ts";

/** Servers that a text may mean. Of the others none needs to be asked what it has. */
export function toNeededServers(code: string, entries: readonly CatalogEntry[]): string[] {
  const letters = toLetters(code);
  // A name may be written with escapes, and a skill may call any.
  const isOpen = ESCAPE.test(code) || letters.includes("skills");
  const isNamed = ({ name, identifiers }: CatalogEntry) =>
    [name, identifiers.typescript, identifiers.python].some((spelling) =>
      letters.includes(toLetters(spelling)),
    );
  return entries.filter((entry) => isOpen || isNamed(entry)).map(({ name }) => name);
}

/** Of a character, in the texts of any language. */
const ESCAPE = /\\[uUxN0-7]/;

function toLetters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
