import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../state/atomic-write.ts";

/** Says something once in the life of a project's `.keyhole`. Where that can't be written, it is said each time. */
export async function tellOnce(stateDir: string, text: string, tell: (text: string) => void): Promise<void> {
  const file = join(stateDir, "told.txt");
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const told = await readFile(file, "utf8").catch(() => "");
  if (told.split("\n").includes(id)) return;
  tell(text);
  await atomicWrite(file, `${told}${id}\n`).catch(() => {});
}
