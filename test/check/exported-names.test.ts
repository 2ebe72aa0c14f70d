import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const EXPORTED =
  /^export (?:async |abstract )*(?:type|interface|function\*?|const|class) ([A-Za-z_$][\w$]*)/gm;

/** Names that two files export, and mean to. */
const MEANT: readonly string[] = [];

async function readNames(): Promise<Map<string, string[]>> {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/\.(test|d)\.ts$/.test(file),
  );
  const names = new Map<string, string[]>();
  for (const file of files.sort()) {
    const text = await readFile(join(SRC, file), "utf8");
    for (const [, name = ""] of text.matchAll(EXPORTED))
      names.set(name, [...new Set([...(names.get(name) ?? []), file])]);
  }
  return names;
}

/** One name means one thing: who searches for it finds it, and nobody imports the other one. */
it("has no exported name twice", async () => {
  const names = await readNames();
  expect(names.size).toBeGreaterThan(1_000);
  const twice = [...names].filter(([, files]) => files.length > 1);
  expect(twice.filter(([name]) => !MEANT.includes(name)).map(([name, files]) => `${name}: ${files}`)).toEqual(
    [],
  );
  expect(MEANT.filter((name) => !twice.some(([one]) => one === name))).toEqual([]);
});
