import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { toConfigJsonSchema } from "../../src/config/schema.ts";

test("the committed JSON Schema is the one the code makes", async () => {
  const file = new URL("../../schema/keyhole.config.schema.json", import.meta.url);
  const committed = await readFile(file, "utf8").catch(() => "");
  const current = `${JSON.stringify(toConfigJsonSchema(), null, 2)}\n`;
  expect(committed, 'The schema has drifted: run "npm run schema" and commit the result').toBe(current);
});
