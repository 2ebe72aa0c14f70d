import { fileURLToPath } from "node:url";
import { PRINTERS } from "../../codegen/printers.ts";
import { PYTHON_GUEST } from "../../sandbox/guest-spec.ts";
import type { Language } from "../language.ts";
import { createReaders } from "../reading/readers.ts";
import { looksLikePython } from "./looks-like-python.ts";

/** Beside this file; where that is no JavaScript (in tests), what `npm run build` made of it. */
const READER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/language/python/reader.js" : "./reader.js",
    import.meta.url,
  ),
);

export const PYTHON_LANGUAGE: Language = {
  name: "python",
  title: "Python",
  aliases: PRINTERS.python.aliases,
  printer: PRINTERS.python,
  guest: PYTHON_GUEST,
  skillFile: "__init__.py",
  looksLike: looksLikePython,
  versionProgram: 'import sys\nreturn ".".join(map(str, sys.version_info[:3]))',
  createReaders: (world) => createReaders(READER, world),
};
