import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { createResultCache, type ResultCacheOptions } from "./result-cache.ts";

const name = { principal: "local", server: "board", tool: "get", about: "a" };
const MINUTE = 60_000;

async function open(dir: string, options: Partial<ResultCacheOptions> = {}) {
  const state = await openStateDir(dir, join(dir, "home"));
  const cache = createResultCache({ state, key: async () => Buffer.alloc(32, 1), ...options });
  onCleanup(() => cache.close());
  const keep = async (text: string, of = name, ttlMs = MINUTE) => {
    const { version = -1 } = await cache.look(of);
    await cache.keep(of, text, { version, ttlMs });
  };
  return { cache, keep, found: async (of = name) => (await cache.look(of)).found };
}

describe("the results that are kept", () => {
  it("are found until they expire, by who kept them and by nobody else", async () => {
    const { keep, found } = await open(await tempDir());
    await keep("one");
    expect(await found()).toBe("one");
    expect(await found({ ...name, principal: "ada" })).toBeUndefined();
    expect(await found({ ...name, about: "b" })).toBeUndefined();
    await keep("short", { ...name, about: "c" }, 0.001);
    await expect.poll(() => found({ ...name, about: "c" })).toBeUndefined();
  });

  it("are forgotten by a change, and not kept while it goes on or if it was in between", async () => {
    const dir = await tempDir();
    const [here, there] = [await open(dir), await open(dir)];
    await here.keep("old");
    const { version = -1 } = await there.cache.look({ ...name, about: "other" });
    const end = await there.cache.change([{ server: "board" }]);
    expect(await here.cache.look(name)).toEqual({});
    await here.cache.keep(name, "stale", { version, ttlMs: MINUTE });
    expect(await here.found()).toBeUndefined();
    await end(true);
    await here.cache.keep(name, "stale", { version, ttlMs: MINUTE });
    expect(await here.found()).toBeUndefined();
    await here.keep("new");
    expect(await there.found()).toBe("new");
  });

  it("are not kept for a while after a change of which nobody knows the end", async () => {
    const { cache, keep, found } = await open(await tempDir());
    await keep("old");
    await (await cache.change([{ server: "board", tool: "get" }]))(false);
    await keep("maybe");
    expect(await found()).toBeUndefined();
    await keep("other tool", { ...name, tool: "list", about: "b" });
    expect(await found({ ...name, tool: "list", about: "b" })).toBe("other tool");
  });

  it("are nothing when somebody has changed them, or how long they hold", async () => {
    const dir = await tempDir();
    const { cache, keep } = await open(dir);
    await keep("one");
    await keep("two", { ...name, about: "b" });
    await cache.close();
    const db = await openSqlite(join(dir, ".keyhole/cache.db"));
    db.run("UPDATE cached_results SET expires_at = expires_at + 1");
    await db.close();
    const again = await open(dir);
    expect(await again.found()).toBeUndefined();
    const other = await open(dir, { key: async () => Buffer.alloc(32, 2) });
    expect(await other.found({ ...name, about: "b" })).toBeUndefined();
  });

  it("take no more room than they may, and the last used stay", async () => {
    const dir = await tempDir();
    const { cache, keep, found } = await open(dir, { maxBytes: 400_000 });
    for (let n = 0; n < 200; n++) await keep("x".repeat(10_000), { ...name, about: String(n) });
    await cache.close();
    expect(statSync(join(dir, ".keyhole/cache.db")).size).toBeLessThan(1_000_000);
    const again = await open(dir);
    expect(await again.found({ ...name, about: "199" })).toHaveLength(10_000);
    expect(await found({ ...name, about: "0" })).toBeUndefined();
  });

  it("are gone with their file, and kept anew", async () => {
    const dir = await tempDir();
    const { keep, found } = await open(dir);
    await keep("one");
    for (const part of ["", "-wal", "-shm"]) await rm(join(dir, `.keyhole/cache.db${part}`), { force: true });
    expect(await found()).toBeUndefined();
    await keep("two");
    expect(await found()).toBe("two");
  });
});
