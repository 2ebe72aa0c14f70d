import { ALL_PRINTERS, findPrinter } from "../language/languages.ts";

/** What the fronts offer as `language`. In which of them programs can run is the engine's to say. */
export const LANGUAGE_NAMES: readonly string[] = ALL_PRINTERS.map(({ name }) => name);

/** The same with what else people call them: `ts`, `py`. */
export const LANGUAGE_WORDS: readonly string[] = ALL_PRINTERS.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
]);

/** The language that one of these words means, however it is written. */
export function findLanguageName(word: unknown): string | undefined {
  return findPrinter(word)?.name;
}

/** The same; the first where it is none. */
export function toLanguageName(word: unknown): string {
  return findLanguageName(word) ?? ALL_PRINTERS[0].name;
}
