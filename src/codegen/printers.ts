import type { NamedLanguage } from "./named-languages.ts";
import type { Printer } from "./printer.ts";
import { PYTHON } from "./python/printer.ts";
import { TYPESCRIPT } from "./typescript/printer.ts";

/** All that tools can be written in. A language is a folder beside this file, and a line here. */
export const PRINTERS: { readonly [language in NamedLanguage]: Printer } = {
  typescript: TYPESCRIPT,
  python: PYTHON,
};
