import type { Printer } from "../codegen/printer.ts";
import { PRINTERS } from "../codegen/printers.ts";
import type { Language } from "./language.ts";
import { PYTHON_LANGUAGE } from "./python/python.ts";
import { TYPESCRIPT_LANGUAGE } from "./typescript/typescript.ts";

/** All that programs can be written in; the first is meant when nothing is said. A language is a folder beside this file, and a line here. */
export const LANGUAGES: readonly [Language, ...Language[]] = [TYPESCRIPT_LANGUAGE, PYTHON_LANGUAGE];

/** All that tools can be written in, each once: these languages first, then those in which programs can't run. */
export const ALL_PRINTERS = toPrinters(LANGUAGES);

/** @internal */
export function toPrinters([first, ...others]: readonly [Language, ...Language[]]): readonly [
  Printer,
  ...Printer[],
] {
  const further = new Set([...others.map(({ printer }) => printer), ...Object.values(PRINTERS)]);
  further.delete(first.printer);
  return [first.printer, ...further];
}

/** By any of its names, however it is written. Nothing where programs in it can't run, though its signatures may be shown. */
export function findLanguage(word: string, languages: readonly Language[]): Language | undefined {
  return findNamed(word, languages);
}

/** What a text is written in for which nothing is said: the first, unless it is plainly another. */
export function guessLanguage(text: string, languages: readonly [Language, ...Language[]]): Language {
  return languages.find(({ looksLike }) => looksLike?.(text)) ?? languages[0];
}

/** By any of its language's names, however it is written. */
export function findPrinter(word: unknown, printers: readonly Printer[] = ALL_PRINTERS): Printer | undefined {
  return findNamed(word, printers);
}

type Named = { readonly name: string; readonly aliases: readonly string[] };

function findNamed<Item extends Named>(word: unknown, items: readonly Item[]): Item | undefined {
  const meant = typeof word === "string" ? word.toLowerCase() : word;
  return items.find(({ name, aliases }) => [name, ...aliases].some((known) => known === meant));
}
