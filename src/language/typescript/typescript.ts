import { fileURLToPath } from "node:url";
import { TYPESCRIPT } from "../../codegen/typescript/printer.ts";
import { JAVASCRIPT_GUEST } from "../../sandbox/guest-spec.ts";
import type { Language } from "../language.ts";
import { startReaderEarly } from "../reading/reader-process.ts";
import { createReaders } from "../reading/readers.ts";

/** Beside this file; where that is no JavaScript (in tests), what `npm run build` made of it. */
const READER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/language/typescript/reader.js" : "./reader.js",
    import.meta.url,
  ),
);

/** JavaScript is TypeScript without types: its programs are read, checked and run the same. */
export const TYPESCRIPT_LANGUAGE: Language = {
  name: TYPESCRIPT.name,
  title: "TypeScript",
  aliases: TYPESCRIPT.aliases,
  printer: TYPESCRIPT,
  guest: JAVASCRIPT_GUEST,
  skillFile: "index.ts",
  createReaders: (world) => createReaders(READER, world),
  startEarly: () => startReaderEarly(READER),
};
