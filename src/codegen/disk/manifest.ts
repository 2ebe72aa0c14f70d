import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../text/is-record.ts";

const VERSION = 1;
const MAX_BYTES = 64 * 1024 * 1024;
const REPLACED = "replaced, and files already in the folder are treated as yours";

/** For each file that was written, the hashes its content can have: one, or two while a newer one is being written. */
export type Manifest = {
  readonly hashes: ReadonlyMap<string, readonly string[]>;
  /** What stands in the file; nothing where it is none that may be read. */
  readonly text?: string;
  readonly problem?: string;
};

/** One for each language, so that writing one never touches what is known of the other. */
export function manifestName(language: string): string {
  return `.keyhole-${language}.json`;
}

/** A manifest that can't be read counts as empty: then every file in the folder is the user's. */
export async function readManifest(outDir: string, language: string): Promise<Manifest> {
  const path = join(outDir, manifestName(language));
  const empty = new Map<string, readonly string[]>();
  let text: string;
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return { hashes: empty, problem: `not a plain file; ${REPLACED}` };
    if (stats.size > MAX_BYTES) return { hashes: empty, problem: `larger than any of ours; ${REPLACED}` };
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { hashes: empty };
    throw error;
  }
  const hashes = parseManifest(text);
  if (hashes !== undefined) return { hashes, text };
  return { hashes: empty, problem: `damaged; ${REPLACED}` };
}

export function toManifestText(hashes: Manifest["hashes"]): string {
  const files = Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: VERSION, files }, null, 1)}\n`;
}

function parseManifest(text: string): Manifest["hashes"] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value["version"] !== VERSION || !isRecord(value["files"])) return undefined;
  const entries = new Map<string, readonly string[]>();
  for (const [path, hashes] of Object.entries(value["files"])) {
    if (!Array.isArray(hashes)) return undefined;
    entries.set(
      path,
      hashes.filter((hash) => typeof hash === "string"),
    );
  }
  return entries;
}
