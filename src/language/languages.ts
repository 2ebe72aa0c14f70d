import type { CheckedLanguage, Language } from "./language.ts";
import { PYTHON } from "./python/python.ts";
import { TYPESCRIPT_LANGUAGE } from "./typescript/typescript.ts";

/** All that programs can be written in; the first is meant when nothing is said. A language is a folder beside this file, and a line here. */
export const LANGUAGES: readonly [Language, ...Language[]] = [TYPESCRIPT_LANGUAGE];

/** All that programs can be judged in. */
export const CHECKED_LANGUAGES: readonly [CheckedLanguage, ...CheckedLanguage[]] = [...LANGUAGES, PYTHON];

/** By any of its names. Nothing where programs in it can't run, though its signatures may be shown. */
export function findLanguage<One extends CheckedLanguage>(
  name: string,
  languages: readonly One[],
): One | undefined {
  return languages.find((language) => language.name === name || language.aliases.includes(name));
}
