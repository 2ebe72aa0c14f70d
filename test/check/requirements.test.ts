import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

async function readCitations(): Promise<Set<string>> {
  const dir = new URL("test/e2e/", root);
  const files = (await readdir(fileURLToPath(dir))).filter((file) => file.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, dir), "utf8")));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\[([a-z]+-[a-z-]+)\]"/g)].map(([, id]) => id ?? "")),
  );
}

async function readRequirements(): Promise<Set<string>> {
  const text = await readFile(new URL("docs/requirements.md", root), "utf8");
  return new Set([...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id ?? ""));
}

describe("requirements", () => {
  it("are each cited by an e2e test, and no test cites one that is not there", async () => {
    const [required, cited] = await Promise.all([readRequirements(), readCitations()]);
    expect(required.size).toBeGreaterThan(10);
    expect([...cited].sort()).toEqual([...required].sort());
  });
});
