import { fileURLToPath } from "node:url";
import { PRINTERS } from "../../codegen/printers.ts";
import type { CheckedLanguage } from "../language.ts";
import { createReaders } from "../reading/readers.ts";

/** Beside this file; where that is no JavaScript (in tests), what `npm run build` made of it. */
const READER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/language/python/reader.js" : "./reader.js",
    import.meta.url,
  ),
);

/** Its programs can be read and judged; nothing runs them yet. */
export const PYTHON_LANGUAGE: CheckedLanguage = {
  name: "python",
  aliases: PRINTERS.python.aliases,
  createReaders: (world) => createReaders(READER, world),
};
