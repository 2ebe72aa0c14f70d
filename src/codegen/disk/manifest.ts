import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "../schema/json-types.ts";
import type { Language } from "../tree.ts";

export const MANIFEST_NAME = ".keyhole-manifest.json";
const VERSION = 1;

/** For each file that was written, the hashes its content can have: one, or two while a newer one is being written. */
export type Manifest = { readonly [language in Language]: ReadonlyMap<string, readonly string[]> } & {
  readonly problem?: string;
};

/** A manifest that can't be read counts as empty: then every file in the folder is the user's. */
export async function readManifest(outDir: string): Promise<Manifest> {
  const path = join(outDir, MANIFEST_NAME);
  const empty = {
    typescript: new Map<string, readonly string[]>(),
    python: new Map<string, readonly string[]>(),
  };
  let text: string;
  try {
    if (!(await lstat(path)).isFile()) return { ...empty, problem: "not a plain file; ignored" };
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return empty;
    throw error;
  }
  const parsed = parseManifest(text);
  return parsed ?? { ...empty, problem: "damaged; files already in the folder are treated as yours" };
}

export function toManifestText(manifest: Manifest): string {
  const toRecord = (entries: ReadonlyMap<string, readonly string[]>) =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  const { typescript, python } = manifest;
  return `${JSON.stringify({ version: VERSION, typescript: toRecord(typescript), python: toRecord(python) }, null, 1)}\n`;
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["version"] !== VERSION) return undefined;
  const typescript = parseEntries(value["typescript"]);
  const python = parseEntries(value["python"]);
  return typescript === undefined || python === undefined ? undefined : { typescript, python };
}

function parseEntries(value: unknown): Map<string, readonly string[]> | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = new Map<string, readonly string[]>();
  for (const [path, hashes] of Object.entries(value)) {
    if (!Array.isArray(hashes)) return undefined;
    entries.set(
      path,
      hashes.filter((hash) => typeof hash === "string"),
    );
  }
  return entries;
}
