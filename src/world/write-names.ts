import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { toGuestFiles } from "./guest-names.ts";

for (const { path, text } of toGuestFiles()) {
  const file = fileURLToPath(new URL(`../../src/sandbox/guest/${path}`, import.meta.url));
  await writeFile(file, text);
  process.stdout.write(`Wrote ${file}\n`);
}
