import type { Language } from "./language.ts";
import { TYPESCRIPT_LANGUAGE } from "./typescript/typescript.ts";

/** All that programs can be written in; the first is meant when nothing is said. A language is a folder beside this file, and a line here. */
export const LANGUAGES: readonly [Language, ...Language[]] = [TYPESCRIPT_LANGUAGE];

/** By any of its names, however it is written. Nothing where programs in it can't run, though its signatures may be shown. */
export function findLanguage(name: string, languages: readonly Language[]): Language | undefined {
  const meant = name.toLowerCase();
  return languages.find((language) => language.name === meant || language.aliases.includes(meant));
}
