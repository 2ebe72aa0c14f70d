import { MODULE_NAMES } from "./modules.ts";
import { readGlobalNames, readModuleNames } from "./names.ts";

export const DOCS_START = "<!-- world: made by npm run world -->";
export const DOCS_END = "<!-- /world -->";

/** The program's world for people: a table of the globals, and one of the modules. */
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
  ].join("\n");
}

/** Without what is a module's own affair. */
function list(names: readonly string[]): string {
  const shown = names.filter((name) => !name.startsWith("_") || name.startsWith("__"));
  return shown.map((name) => `\`${name}\``).join(", ");
}
