import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { GLOBAL_FILES } from "../../src/world/declarations.ts";
import { readGlobalNames } from "../../src/world/declared-names.ts";
import { toGuestFiles } from "../../src/world/guest-names.ts";
import { GLOBAL_MODULES, MODULE_NAMES } from "../../src/world/modules.ts";
import { DOCS_END, DOCS_START, toWorldTable } from "../../src/world/world-table.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

describe("the declared world", () => {
  it.each(toGuestFiles())("is what the guest reads in $path", async ({ path, text }) => {
    const committed = await read(`src/sandbox/guest/javascript/${path}`);
    expect(committed, 'The names have drifted: run "npm run world" and commit the result').toBe(text);
  });

  it("is the table in docs/programs.md", async () => {
    const text = await read("docs/programs.md");
    const table = text.slice(text.indexOf(DOCS_START) + DOCS_START.length, text.indexOf(DOCS_END));
    expect(table.trim(), 'The table has drifted: run "npm run world"').toBe(toWorldTable());
  });

  it("has a file for each module, and no other", async () => {
    const files = await readdir(new URL("../../src/world/declarations", import.meta.url));
    const expected = [...GLOBAL_FILES, ...MODULE_NAMES.map((name) => name.split("/")[0])];
    expect(files.filter((file) => file.endsWith(".d.ts")).sort()).toEqual(
      [...new Set(expected)].map((name) => `${name}.d.ts`).sort(),
    );
  });

  it("knows by its name each module that a program can have", async () => {
    const index = await read("src/world/declarations/modules.d.ts");
    const named = [...index.matchAll(/typeof import\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(named).toEqual(MODULE_NAMES);
  });

  it("has as globals the modules with a plain name, unless there is a global of that name", () => {
    const web = readGlobalNames("kept").map(({ name }) => name);
    const plain = MODULE_NAMES.filter((name) => !name.includes("/") && !web.includes(name));
    expect(GLOBAL_MODULES).toEqual(plain);
  });
});
