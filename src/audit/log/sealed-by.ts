import { join } from "node:path";
import { atomicWrite } from "../../store/atomic-write.ts";
import { readWhole } from "../../store/held-file.ts";
import { makeFolders } from "../../store/make-folders.ts";

const FILE = "sealed-by";
const MAX_BYTES = 64;

/**
 * Notes in the log's folder of the user's by which key its details are sealed from now on. Tells which it was before, where that
 * was another: the log has events that only that one opens.
 */
export async function noteSealKey(folder: string, key: string): Promise<string | undefined> {
  const held = { path: folder, shown: folder, close: async () => {} };
  const before = (await readWhole(held, FILE, MAX_BYTES))?.toString("utf8").trim();
  if (before === key) return undefined;
  await makeFolders(folder);
  await atomicWrite(join(folder, FILE), `${key}\n`, { mode: 0o600 });
  return before !== undefined && /^[0-9a-f]{16}$/.test(before) ? before : undefined;
}
