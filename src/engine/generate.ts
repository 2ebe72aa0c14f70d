import { readdir } from "node:fs/promises";
import type { CatalogEntry } from "../catalog/entry.ts";
import { manifestName } from "../codegen/disk/manifest.ts";
import { assertInProject } from "../codegen/disk/out-folder.ts";
import { type WriteReport, writeTree } from "../codegen/disk/write-tree.ts";
import { type CodegenWarning, toTree } from "../codegen/tree.ts";
import { KeyholeError } from "../errors.ts";
import { ALL_PRINTERS, findPrinter } from "../language/languages.ts";

export type GenerateReport = WriteReport & {
  readonly tools: number;
  readonly warnings: readonly CodegenWarning[];
};

/** Refuses a folder that a link leads out of the project, and without `force` one that is not ours. */
export async function assertOutFolder(
  outDir: string,
  { projectDir, force }: { readonly projectDir: string; readonly force: boolean },
): Promise<void> {
  await assertInProject(outDir, projectDir);
  if (!force) await assertOwnFolder(outDir);
}

/** Refuses a folder that has something in it, none of it ours: it is easily named by mistake. */
async function assertOwnFolder(outDir: string): Promise<void> {
  // One that is not there is made; what else stands in the way is told when it is written to.
  const names: string[] = await readdir(outDir).catch(() => []);
  const isOurs = ALL_PRINTERS.some(({ name }) => names.includes(manifestName(name)));
  if (isOurs || names.every((name) => UNIMPORTANT.test(name))) return;
  throw new KeyholeError("file_conflict", `"${outDir}" is not empty, and Keyhole has written nothing in it`, {
    hint: "Choose another folder, or force it: the files that are there stay",
  });
}

/** Left by editors, by git and by a Keyhole that was killed. */
const UNIMPORTANT = /^(\.DS_Store|\.git(keep|ignore)|\.keyhole-[0-9a-f-]{36}\.tmp)$/;

/** Writes the wrappers of all servers. Those of a server that does not answer now stay as they are. */
export async function generateTree(
  outDir: string,
  entries: readonly CatalogEntry[],
  language: string,
): Promise<GenerateReport> {
  const records = entries.flatMap(({ record, status }) => (record && status !== "disabled" ? [record] : []));
  const unknown = entries.filter(({ record, status }) => !record && status === "failed");
  const printer = findPrinter(language) ?? ALL_PRINTERS[0];
  const { files, warnings } = toTree(records, printer);
  const report = await writeTree(outDir, files, printer.name, {
    keep: unknown.map((entry) => printer.folder(entry)),
  });
  return { ...report, warnings, tools: records.reduce((sum, { tools }) => sum + tools.length, 0) };
}
