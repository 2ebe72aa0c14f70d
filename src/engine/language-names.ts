import { NAMED_LANGUAGES, type NamedLanguage } from "../codegen/named-languages.ts";

/** What the fronts take as `language`. In which of them programs can run is the engine's to say. */
export const LANGUAGE_NAMES: readonly NamedLanguage[] = ["typescript", "python"];

/** The same with what else people call them: `ts`, `py`. */
export const LANGUAGE_WORDS: readonly string[] = LANGUAGE_NAMES.flatMap((name) => [
  name,
  ...NAMED_LANGUAGES[name],
]);

/** The language that one of these words means, TypeScript where it is none. */
export function toLanguageName(word: unknown): NamedLanguage {
  const isMeant = (name: NamedLanguage) => [name, ...NAMED_LANGUAGES[name]].some((known) => known === word);
  return LANGUAGE_NAMES.find(isMeant) ?? "typescript";
}
