import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSession } from "../../src/session.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { fixture } from "../fixtures/project.ts";

const SERVERS = { good: fixture("good") };
const as = (principal: string) => createSession({ client: { name: "test" }, principal });

type Opened = Awaited<ReturnType<typeof openEngine>>["engine"];

async function resultOf(engine: Opened, code: string, more: object = {}) {
  const ended = await engine.run({ code, ...more });
  expect(ended, ended.text).toMatchObject({ ok: true });
  return ended.result;
}

const shared = { notes: { write: ["ada", "local"], read: ["bob"] } };

describe.each([
  {
    language: "typescript",
    write: `await fs.promises.mkdir("./shared/notes/a", { recursive: true });
      await fs.promises.writeFile("./shared/notes/a/one.txt", "one"); await fs.promises.writeFile("workspace/own.txt", "own");
      return fs.promises.readdir("/shared/notes")`,
    read: `return [fs.readFileSync("shared/notes/a/one.txt", "utf8"), fs.existsSync("./workspace/own.txt")]`,
    append: `await fs.promises.appendFile("./shared/notes/a/one.txt", "!")`,
    climb: `return fs.promises.readFile("./shared/notes/../../.keyhole/keyhole.db")`,
  },
  {
    language: "python",
    write: `import os
os.makedirs("shared/notes/a", exist_ok=True)
open("shared/notes/a/one.txt", "w").write("one")
open("workspace/own.txt", "w").write("own")
os.listdir("/shared/notes")`,
    read: `import os
[open("shared/notes/a/one.txt").read(), os.path.exists("workspace/own.txt")]`,
    append: `open("shared/notes/a/one.txt", "a").write("!")`,
    climb: `open("shared/notes/../../.keyhole/keyhole.db").read()`,
  },
])("a shared workspace in $language", ({ language, write, read, append, climb }) => {
  it("is the same for those who may use it, read-only where they may only read", async () => {
    const { engine } = await openEngine(SERVERS, { config: { workspace: { shared } } });
    expect(await resultOf(engine, write, { language, session: as("ada") })).toContain("a");
    expect(await resultOf(engine, read, { language, session: as("bob") })).toEqual(["one", false]);
    await resultOf(engine, append, { language });
    const refused = await engine.run({ code: append, language, session: as("bob") });
    expect(refused.error?.message).toMatch(/read-only|EROFS|Read-only/);
    for (const code of [read, append, climb]) {
      const { ok } = await engine.run({ code, language, session: as("eve") });
      expect(ok).toBe(false);
    }
    expect((await engine.run({ code: climb, language })).ok).toBe(false);
    expect(await resultOf(engine, read, { language })).toEqual(["one!", false]);
  });
});

describe("a quota", () => {
  it("of bytes ends the run that goes over it, is told to the next, and lets it delete", async () => {
    const config = { workspace: { quota: { bytes: "1MB" } } };
    const { engine, opened } = await openEngine(SERVERS, { config });
    const fill = `await fs.promises.writeFile("workspace/large.bin", "x".repeat(2_000_000)); return 1`;
    expect(await engine.run({ code: fill })).toMatchObject({ ok: false, error: { kind: "disk" } });
    // Nothing is lost of what was written.
    expect((await readFile(join(opened.dir, "workspace/large.bin"))).length).toBe(2_000_000);
    const more = `await fs.promises.writeFile("workspace/more.txt", "x")`;
    const { engine: next } = await reopenEngine(opened.dir);
    for (const one of [engine, next]) {
      const held = await one.run({ code: more });
      expect(held.error?.message).toContain("ENOSPC");
      expect(held.error?.message).toContain("Delete files in ./workspace");
    }
    await resultOf(next, `await fs.promises.rm("workspace/large.bin")`);
    await resultOf(next, more);
  });

  it("of files holds for all together, and for each shared workspace by itself", async () => {
    const limited = { notes: { ...shared.notes, quota: { files: 5 } } };
    const config = { workspace: { quota: { files: 20 }, shared: limited } };
    const { engine } = await openEngine(SERVERS, { config });
    const make = (folder: string, from: number, count: number) =>
      `for (let at = ${from}; at < ${from + count}; at++) fs.writeFileSync("${folder}/" + at, ""); return 1`;
    await resultOf(engine, make("workspace", 0, 18));
    const over = await engine.run({ code: make("workspace", 18, 5) });
    expect(over.error).toMatchObject({ kind: "disk" });
    expect(over.error?.message).toContain("more than 20 files and folders in the workspace");
    const inShared = await engine.run({ code: make("shared/notes", 0, 6) });
    expect(inShared.error?.message).toContain("more than 5 files and folders in ./shared/notes");
    expect(inShared.error).toMatchObject({ hint: "Delete files in ./shared/notes" });
    const held = await engine.run({ code: make("shared/notes", 9, 1) });
    expect(held.error?.message).toContain("ENOSPC");
  });
});

it("what is known of a workspace is known to the next process, and what was put there by hand after the next run", async () => {
  const config = { workspace: { quota: { bytes: "1MB" } } };
  const { engine, opened } = await openEngine(SERVERS, { config });
  await resultOf(engine, `await fs.promises.writeFile("workspace/a.txt", "x"); return 1`);
  await engine.close();
  await writeFile(join(opened.dir, "workspace/by-hand.bin"), Buffer.alloc(2_000_000));
  const { engine: next } = await reopenEngine(opened.dir);
  const after = await next.run({ code: `await fs.promises.writeFile("workspace/b.txt", "x"); return 1` });
  expect(after.error).toMatchObject({ kind: "disk" });
});
