import { fileURLToPath } from "node:url";
import type { Printer } from "../../../src/codegen/printer.ts";
import type { Language } from "../../../src/language/language.ts";
import { createReaders } from "../../../src/language/reading/readers.ts";

const pathTo = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const PRINTER: Printer = {
  name: "lines",
  aliases: ["ln"],
  naming: "typescript",
  extension: ".lines",
  index: "index",
  rootFiles: [],
  folder: ({ folder }) => folder,
  wrap: (tool, server) => ({
    code: `call ${server.identifiers.typescript}.${tool.identifiers.typescript} {}\n`,
    warnings: [],
  }),
  importSkill: (name) => ({ line: `# ${name}`, names: new Map() }),
  indexFile: (_server, modules) => `${[...modules.values()].map((name) => `# ${name}`).join("\n")}\n`,
  signature: (tool, server) => ({
    code: `call ${server.identifiers.typescript}.${tool.identifiers.typescript} JSON`,
    isCut: false,
  }),
  comment: (line) => `# ${line}`,
};

/** A language of a few words, to show that one plugs in: its reader, its guest and its printer are this folder. */
export const LINES: Language = {
  name: PRINTER.name,
  title: "Lines",
  aliases: PRINTER.aliases,
  printer: PRINTER,
  guest: { name: "lines", runtime: "deno", runner: pathTo("./guest/runner.js") },
  createReaders: (world) => createReaders(pathTo("./reader.js"), world),
};
