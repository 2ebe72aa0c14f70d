import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { findDeno } from "../../src/sandbox/deno/find-deno.ts";
import { PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import { findPack } from "../../src/sandbox/tiers/process/pyodide/find-pack.ts";
import { isWholePack } from "../../src/sandbox/tiers/process/pyodide/pack.ts";
import { findPyodide } from "../../src/sandbox/tiers/process/pyodide/pyodide-files.ts";
import { processTier } from "../fixtures/process-tier.ts";

describe("what Python in Deno starts from", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it("is made once, is the user's alone, and is made anew when it is not whole any more", async () => {
    const [deno, files, cache] = [findDeno(), findPyodide(), join(dir, "cache")];
    const path = await findPack(deno, files, cache);
    const { mode, ino, size } = await stat(path);
    expect(mode & 0o777).toBe(0o600);
    expect(await findPack(deno, files, cache)).toBe(path);
    expect((await stat(path)).ino).toBe(ino);
    await truncate(path, size - 1);
    expect(await findPack(deno, files, cache)).toBe(path);
    expect(isWholePack(await readFile(path))).toBe(true);
    expect(await readdir(cache)).toHaveLength(1);
  }, 180_000);

  it("is not believed when a byte of it changed, and none is kept where others can write", async () => {
    const path = join(dir, "cache", (await readdir(join(dir, "cache")))[0] ?? "");
    const bytes = await readFile(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    expect(isWholePack(bytes)).toBe(false);
    await chmod(join(dir, "cache"), 0o777);
    await truncate(path, 5);
    await expect(findPack(findDeno(), findPyodide(), join(dir, "cache"))).rejects.toThrow(/kept ready/);
  });
});

it("takes a program that is longer than a chunk, and two processes from one snapshot differ", async () => {
  const tiers = processTier({ bubblewrap: "never", python: "pyodide" });
  const sandbox = createSandbox({ guest: PYTHON_GUEST, tiers });
  const code = `import random, os, uuid, secrets, tempfile\n# ${"x".repeat(300_000)}
return [random.random(), os.urandom(4).hex(), str(uuid.uuid4()), secrets.token_hex(4), random.Random().random()]`;
  const run = () => sandbox.run({ code, servers: [] }, { callTool: async () => null });
  const [first, second] = await Promise.all([run(), run()]);
  await sandbox.close();
  if (!first.ok || !second.ok) throw new Error(JSON.stringify([first, second]));
  for (const at of [0, 1, 2, 3, 4]) expect(Object(first.value)[at]).not.toEqual(Object(second.value)[at]);
});
