import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { toGuestFiles } from "./guest-names.ts";
import { DOCS_END, DOCS_START, toWorldTable } from "./world-table.ts";

const toPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

for (const { path, text } of toGuestFiles()) await write(`src/sandbox/guest/javascript/${path}`, text);
const docs = await readFile(toPath("docs/programs.md"), "utf8");
const [before = ""] = docs.split(DOCS_START);
const [, after = ""] = docs.split(DOCS_END);
await write("docs/programs.md", `${before}${DOCS_START}\n${toWorldTable()}\n${DOCS_END}${after}`);

async function write(path: string, text: string): Promise<void> {
  await writeFile(toPath(path), text);
  process.stdout.write(`Wrote ${path}\n`);
}
