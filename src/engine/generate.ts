import type { CatalogEntry } from "../catalog/entry.ts";
import { type WriteReport, writeTree } from "../codegen/disk/write-tree.ts";
import { type CodegenWarning, folderOf, type Language, toTree } from "../codegen/tree.ts";

export type GenerateReport = WriteReport & {
  readonly tools: number;
  readonly warnings: readonly CodegenWarning[];
};

/** Writes the wrappers of all servers. Those of a server that does not answer now stay as they are. */
export async function generateTree(
  outDir: string,
  entries: readonly CatalogEntry[],
  language: Language,
): Promise<GenerateReport> {
  const records = entries.flatMap(({ record, status }) => (record && status !== "disabled" ? [record] : []));
  const unknown = entries.filter(({ record, status }) => !record && status === "failed");
  const { files, warnings } = toTree(records, language);
  const report = await writeTree(outDir, files, language, {
    keep: unknown.map((entry) => folderOf(entry, language)),
  });
  return { ...report, warnings, tools: records.reduce((sum, { tools }) => sum + tools.length, 0) };
}
