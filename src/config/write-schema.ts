import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { toConfigJsonSchema } from "./schema.ts";

const file = fileURLToPath(new URL("../../schema/keyhole.config.schema.json", import.meta.url));

await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(toConfigJsonSchema(), null, 2)}\n`);
process.stdout.write(`Wrote ${file}\n`);
