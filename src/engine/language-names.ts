import { NAMED_LANGUAGES, type NamedLanguage } from "../codegen/named-languages.ts";

/** What the fronts offer as `language`. In which of them programs can run is the engine's to say. */
export const LANGUAGE_NAMES: readonly NamedLanguage[] = Object.keys(NAMED_LANGUAGES).filter(isName);

/** The same with what else people call them: `ts`, `py`. */
export const LANGUAGE_WORDS: readonly string[] = LANGUAGE_NAMES.flatMap((name) => [
  name,
  ...NAMED_LANGUAGES[name],
]);

/** The language that one of these words means, however it is written. */
export function findLanguageName(word: unknown): NamedLanguage | undefined {
  const meant = typeof word === "string" ? word.toLowerCase() : word;
  return LANGUAGE_NAMES.find((name) => [name, ...NAMED_LANGUAGES[name]].some((known) => known === meant));
}

/** The same; TypeScript where it is none. */
export function toLanguageName(word: unknown): NamedLanguage {
  return findLanguageName(word) ?? "typescript";
}

function isName(name: string): name is NamedLanguage {
  return Object.hasOwn(NAMED_LANGUAGES, name);
}
