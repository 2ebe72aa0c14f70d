import type { CatalogEntry } from "../catalog/entry.ts";
import { mentionedSkills } from "./skills/mentioned-skills.ts";

/** Servers that a text may mean. Of the others none needs to be asked what it has. */
export function toNeededServers(code: string, entries: readonly CatalogEntry[]): string[] {
  const letters = toLetters(code);
  // A name may be written with escapes.
  // A skill may call any.
  const isOpen = code.includes("\\u") || code.includes("\\x") || mentionedSkills(code).length > 0;
  const isNamed = ({ name, identifiers }: CatalogEntry) =>
    [name, identifiers.typescript, identifiers.python].some((spelling) =>
      letters.includes(toLetters(spelling)),
    );
  return entries.filter((entry) => isOpen || isNamed(entry)).map(({ name }) => name);
}

function toLetters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
