import { ABSENT_MODULES, ABSENT_PACKAGES } from "./absent.ts";
import { readGlobalNames, readModuleNames } from "./declared-names.ts";
import { MODULE_NAMES } from "./modules.ts";

export const DOCS_START = "<!-- world: made by npm run world -->";
export const DOCS_END = "<!-- /world -->";

/** The program's world for people: the globals, the modules, and what is not there. */
export function toWorldTable(): string {
  const rows = MODULE_NAMES.map((name) => {
    const values =
      readModuleNames()
        .get(name)
        ?.values.map((value) => value.name) ?? [];
    return `| \`${name}\` | ${list(values)} |`;
  });
  return [
    "| globals | |",
    "|---|---|",
    `| Keyhole's own | \`callMCPTool\`, ${list(readGlobalNames("keyhole").map(({ name }) => name))} |`,
    `| Node's | ${list([...readGlobalNames("node"), ...readGlobalNames("modules")].map(({ name }) => name))} |`,
    `| the web's | ${list(readGlobalNames("kept").map(({ name }) => name))} |`,
    "",
    "| module | what it holds |",
    "|---|---|",
    ...rows,
    "",
    "| not there, each with a sentence on what to use instead | |",
    "|---|---|",
    `| modules | ${list(ABSENT_MODULES)} |`,
    `| packages, for example | ${list(ABSENT_PACKAGES)} |`,
  ].join("\n");
}

/** Without what is a module's own affair. */
function list(names: readonly string[]): string {
  const shown = names.filter((name) => !name.startsWith("_") || name.startsWith("__"));
  return shown.map((name) => `\`${name}\``).join(", ");
}
