import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Readers } from "../../src/language/language.ts";
import { placeOf } from "../../src/language/place-table.ts";
import { TYPESCRIPT_LANGUAGE } from "../../src/language/typescript/typescript.ts";
import { SERVERS } from "../fixtures/check/servers.ts";
import { toolRecord } from "../fixtures/codegen/records.ts";
import { isAlive, until } from "../fixtures/processes.ts";

let readers: Readers;
let servers = SERVERS;
beforeAll(async () => {
  readers = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => servers });
  await readers.warm();
});
afterAll(() => readers.close());

async function read(source: string, by = readers) {
  return by.read(source, { types: true });
}

async function failure(source: string, by = readers) {
  const result = await read(source, by);
  if (result.ok) throw new Error("It was read");
  return result.error;
}

describe("reading a program in another process", () => {
  it("gives what runs, where it was, and what it uses", async () => {
    const result = await read(
      'import { createIssue } from "./servers/github";\ninterface A { b: 1 }\nthrow new Error("😀")',
    );
    if (!result.ok) throw new Error("It was refused");
    expect(result.code).toContain('throw new Error("😀")');
    expect(result.uses).toEqual({ servers: ["github"], aliases: [], isOpen: false });
    const lines = result.code.split("\n");
    const line = lines.findIndex((text) => text.includes("throw"));
    const column = (lines[line] ?? "").indexOf("throw") + 1;
    expect(placeOf(result.places, line + 1, column)).toEqual({ line: 3, column: 1 });
  });

  it("checks it against the types of tools, which it asks for", async () => {
    expect(await failure('await github.createIssue({ owner: 5, repo: "", title: "" })')).toMatchObject({
      kind: "types",
      errors: [{ message: expect.stringContaining("'owner': Type 'number'"), line: 1 }],
    });
    expect(await failure("await github.createIsue({})")).toMatchObject({
      errors: [
        {
          hint: expect.stringContaining("createIssue"),
          signature: expect.stringContaining("title: string"),
        },
      ],
    });
  });

  it("hears of servers that come, go and change", async () => {
    const source = "return await extra.now({ a: 1 })";
    expect(await failure(source)).toMatchObject({ errors: [{ message: "Cannot find name 'extra'" }] });
    const extra = (type: string) => ({
      name: "extra",
      identifiers: { typescript: "extra", python: "extra" },
      folder: "extra",
      tools: [toolRecord({ server: "extra", name: "now", inputSchema: toSchema(type) })],
    });
    servers = [...SERVERS, extra("number")];
    expect((await read(source)).ok).toBe(true);
    servers = [...SERVERS, extra("string")];
    expect(await failure(source)).toMatchObject({ errors: [{ message: expect.stringContaining("'a'") }] });
    servers = SERVERS;
    expect(await failure(source)).toMatchObject({ errors: [{ message: "Cannot find name 'extra'" }] });
  });

  it("hears of what was learned since", async () => {
    const types = [{ type: "string" }, { type: "object", properties: { b: { type: "number" } } }];
    const [text, record] = types.map((schema) => ({ schema, calls: 9 }));
    let observed = text;
    const tool = {
      ...toolRecord({ server: "learned", name: "get", inputSchema: { type: "object" } }),
      outputSchema: undefined,
      get observed() {
        return observed;
      },
    };
    servers = [
      ...SERVERS,
      {
        name: "learned",
        identifiers: { typescript: "learned", python: "learned" },
        folder: "learned",
        tools: [tool],
      },
    ];
    const source = "const { b } = await learned.get({}); return b.toFixed()";
    expect(await read(source)).toMatchObject({ ok: true, hints: [expect.any(String)] });
    observed = record;
    const after = await read(source);
    expect(after).toMatchObject({ ok: true });
    expect(after).not.toHaveProperty("hints");
    servers = SERVERS;
  });
});

const toSchema = (type: string) => ({ type: "object", properties: { a: { type } }, required: ["a"] });

describe("a program made against what reads it", () => {
  const deep = 200_000;
  // A busy machine may come to the limit of time first.
  const TOO_MUCH = /nested|MB|seconds/;
  it.each([
    ["40,000 errors in one line", "let;".repeat(40_000), /768 MB.*160,000 characters.*"(let|;)"/s],
    ["60,000 of another kind", "static;".repeat(60_000), /768 MB|seconds/],
    ["parentheses", `return ${"(".repeat(deep)}1${")".repeat(deep)}`, TOO_MUCH],
    ["brackets that stay open", "[".repeat(deep), TOO_MUCH],
    ["blocks", "{".repeat(deep) + "}".repeat(deep), TOO_MUCH],
    ["classes", `${"class A{x=".repeat(80_000)}1${"}".repeat(80_000)}`, TOO_MUCH],
    ["awaits", `return ${"await ".repeat(150_000)}1`, TOO_MUCH],
    ["operators", `return ${"!".repeat(deep)}1`, TOO_MUCH],
    ["conditions", `const a = 1; return ${"a?".repeat(8_000)}1${":2".repeat(8_000)}`, TOO_MUCH],
    ["types", `let x: ${"A<".repeat(deep)}1${">".repeat(deep)}`, TOO_MUCH],
    ["templates", `return ${"`${".repeat(150_000)}1${"}`".repeat(150_000)}`, TOO_MUCH],
  ])("is refused with what was too much, and leaves nothing: %s", async (_, source, message) => {
    const error = await failure(source);
    expect(error).toMatchObject({ kind: "too_large", message: expect.stringMatching(message) });
    expect((await read("return 1")).ok).toBe(true);
  });

  it("does not delay the programs of others", async () => {
    const mine = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => SERVERS });
    const stuck = mine.read("return 0", { types: true, turn: "a" });
    await until(() => mine.pids.length > 0, "the start");
    const [first = 0] = mine.pids;
    process.kill(first, "SIGSTOP");
    const other = await mine.read("return 1", { types: true, turn: "b" });
    expect(other.ok).toBe(true);
    process.kill(first, "SIGCONT");
    expect((await stuck).ok).toBe(true);
    mine.close();
  });

  it("is read again when somebody ended the process", async () => {
    const mine = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => SERVERS });
    await mine.warm();
    const [first = 0] = mine.pids;
    process.kill(first, "SIGSTOP");
    const reading = mine.read("return 1", { types: true });
    process.kill(first, "SIGKILL");
    expect((await reading).ok).toBe(true);
    mine.close();
    await until(() => !isAlive(first), "its end");
  });

  it("leaves no process when it is closed", async () => {
    const mine = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => SERVERS });
    const reading = mine.read("return 1", { types: true });
    await until(() => mine.pids.length > 0, "the start");
    const { pids } = mine;
    mine.close();
    await expect(reading).rejects.toThrow("closing");
    await until(() => !pids.some(isAlive), "the end of its processes");
    await expect(mine.read("return 1", { types: true })).rejects.toThrow("closing");
  });
});
