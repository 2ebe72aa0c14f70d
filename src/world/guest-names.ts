import { readGlobalNames, readModuleNames } from "./declared-names.ts";
import { MODULE_NAMES, originOf } from "./modules.ts";

/** The declared names as the guest needs them: each file's path under `src/sandbox/guest/javascript`, and its text. */
export function toGuestFiles(): { readonly path: string; readonly text: string }[] {
  const kept = readGlobalNames("kept").map(({ name }) => name);
  const names = readModuleNames();
  const picked = MODULE_NAMES.filter((name) => isPicked(name)).map((name) => {
    const values = names.get(name)?.values ?? [];
    const key = /^[a-z_]+$/.test(name) ? name : JSON.stringify(name);
    return `  ${key}: "${values.map((value) => value.name).join(" ")}",\n`;
  });
  return [
    { path: "kept-globals.js", text: `${HEAD}export const KEPT_GLOBALS = "${kept.join(" ")}";\n` },
    {
      path: "node/names.js",
      text: `${HEAD}export const MODULES = {\n${picked.join("")}};\n`,
    },
  ];
}

const HEAD = '// Made from src/world/declarations by "npm run world". Change those instead.\n\n';

/** Of our own modules the code says what they hold, and a test that it is what is declared. */
function isPicked(name: string): boolean {
  const origin = originOf(name);
  return name === "stream/web" || (origin !== undefined && "builtIn" in origin);
}
