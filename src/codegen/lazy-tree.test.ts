import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../test/fixtures/codegen/records.ts";
import type { ObservedType } from "../catalog/tool.ts";
import { createLazyTree } from "./lazy-tree.ts";
import { PRINTERS } from "./printers.ts";
import { toTree } from "./tree.ts";

const tools = ["create", "index", "find"].map((name) => toolRecord({ name, description: `To ${name}` }));
const github = serverRecord("github", tools);
const bad = serverRecord("bad", tools, "../bad");

test.each(["typescript", "python"] as const)("it has the same files as the whole tree in %s", (language) => {
  const lazy = createLazyTree(PRINTERS[language]);
  const { files } = toTree([github, bad], PRINTERS[language]);
  const names = lazy.list(github);
  const roots = [...files.keys()].filter((path) => !path.includes("/"));
  expect([...roots, ...names.map((name) => `github/${name}`)]).toEqual([...files.keys()]);
  for (const name of names) expect(lazy.read(github, name)).toBe(files.get(`github/${name}`));
  for (const name of roots) expect(lazy.readRoot(name)).toBe(files.get(name));
  expect(lazy.list(bad)).toEqual([]);
});

test("reading one file prints that one alone, and once", () => {
  let looked = 0;
  const watched = (name: string) => ({
    ...toolRecord({ name }),
    get inputSchema() {
      looked++;
      return { type: "object" };
    },
  });
  const server = serverRecord("s", [watched("a"), watched("b")]);
  const lazy = createLazyTree(PRINTERS.typescript);
  expect(lazy.list(server)).toEqual(["a.ts", "b.ts", "index.ts"]);
  expect(looked).toBe(0);
  const first = lazy.read(server, "b.ts");
  const once = looked;
  expect(lazy.read(server, "b.ts")).toBe(first);
  expect(looked).toBe(once);
});

test("a file is printed anew when its type changed or was observed in many more calls, not for each call", () => {
  let observed: ObservedType = { schema: { type: "string" }, calls: 1 };
  const tool = {
    ...toolRecord({ name: "a" }),
    outputSchema: undefined,
    get observed() {
      return observed;
    },
  };
  const lazy = createLazyTree(PRINTERS.typescript);
  const server = serverRecord("s", [tool]);
  const texts = new Set<string | undefined>();
  const read = () => {
    const text = lazy.read(server, "a.ts");
    texts.add(text);
    return text;
  };
  expect(read()).toContain("observed in 1 call;");
  for (let calls = 2; calls <= 10_000; calls++) {
    observed = { ...observed, calls };
    const [, shown] = /observed in (\d+) call/.exec(read() ?? "") ?? [];
    expect(Number(shown)).toBeGreaterThanOrEqual(calls / 1.1);
  }
  expect(texts.size).toBeLessThan(100);
  observed = { ...observed, schema: { type: "number" } };
  expect(read()).toContain("number");
});

test("another record is another state", () => {
  const lazy = createLazyTree(PRINTERS.typescript);
  const before = lazy.read(github, "create.ts");
  const changed = serverRecord("github", [toolRecord({ name: "create", description: "Now different" })]);
  expect(lazy.read(changed, "create.ts")).not.toBe(before);
  expect(lazy.list(changed)).toEqual(["create.ts", "index.ts"]);
  expect(lazy.read(github, "create.ts")).toBe(before);
});

test.each(["__proto__", "constructor", "../github/create.ts", "create", "", "toString"])(
  "%j is no file",
  (name) => {
    expect(createLazyTree(PRINTERS.typescript).read(github, name)).toBeUndefined();
    expect(createLazyTree(PRINTERS.typescript).readRoot(name)).toBeUndefined();
  },
);
