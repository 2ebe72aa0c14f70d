import type { Printer } from "./printer.ts";
import { PYTHON } from "./python/printer.ts";
import { TYPESCRIPT } from "./typescript/printer.ts";

/** Our own. What tools can be written in besides is in `language/languages.ts`. */
export const PRINTERS = { typescript: TYPESCRIPT, python: PYTHON } as const satisfies {
  readonly [language: string]: Printer;
};
