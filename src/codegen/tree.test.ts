import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../test/fixtures/codegen/records.ts";
import { PRINTERS } from "./printers.ts";
import { toTree } from "./tree.ts";

const createIssue = toolRecord({
  name: "create_issue",
  identifiers: { typescript: "createIssue", python: "create_issue" },
});

test("a TypeScript tree has a file for each tool, an index for each server and one bridge", () => {
  const { files, warnings } = toTree(
    [serverRecord("github", [createIssue]), serverRecord("empty", [])],
    PRINTERS.typescript,
  );
  expect(warnings).toEqual([]);
  expect([...files.keys()]).toEqual([
    "_keyhole.ts",
    "github/createIssue.ts",
    "github/index.ts",
    "empty/index.ts",
  ]);
  expect(files.get("github/index.ts")).toBe(
    'export { createIssue, type CreateIssueInput, type CreateIssueResponse } from "./createIssue.js";\n',
  );
  expect(files.get("empty/index.ts")).toBe("export {};\n");
  expect(files.get("_keyhole.ts")).toContain("keyhole run FILE");
});

test("a Python tree is a package of packages", () => {
  const { files } = toTree([serverRecord("github", [createIssue])], PRINTERS.python);
  expect([...files.keys()]).toEqual([
    "__init__.py",
    "_keyhole.py",
    "github/create_issue.py",
    "github/__init__.py",
  ]);
  expect(files.get("github/__init__.py")).toContain("from .create_issue import create_issue as create_issue");
});

test("a tool called like the index gets another file", () => {
  const tools = ["index", "index_"].map((name) => toolRecord({ name }));
  const { files } = toTree([serverRecord("s", tools)], PRINTERS.typescript);
  expect([...files.keys()].slice(1)).toEqual(["s/index__.ts", "s/index_.ts", "s/index.ts"]);
  expect(files.get("s/index.ts")).toContain(
    'export { index, type IndexInput, type IndexResponse } from "./index__.js"',
  );
});

test("a name that is no identifier, or used twice, never becomes a path", () => {
  const names = ["../../etc/passwd", "ok", "OK", "a.b", ""];
  const tools = names.map((name) => toolRecord({ name }));
  const servers = [serverRecord("s", tools), serverRecord("bad", [createIssue], "../bad")];
  const { files, warnings } = toTree(servers, PRINTERS.typescript);
  expect([...files.keys()]).toEqual(["_keyhole.ts", "s/ok.ts", "s/index.ts"]);
  expect(warnings.map(({ server, tool }) => `${server} ${tool}`)).toEqual([
    "s ../../etc/passwd",
    "s OK",
    "s a.b",
    "s ",
    "bad ",
  ]);
});

test("a malformed schema is reported by server and tool", () => {
  const tool = toolRecord({ name: "broken", inputSchema: { type: "string" } });
  const { files, warnings } = toTree([serverRecord("s", [tool])], PRINTERS.typescript);
  expect(warnings).toEqual([
    {
      server: "s",
      tool: "broken",
      message: "the input schema does not describe an object; any arguments are accepted",
    },
  ]);
  expect(files.get("s/broken.ts")).toContain("export type BrokenInput = Record<string, unknown>;");
});

test.each(["typescript", "python"] as const)(
  "a schema that cannot be read costs its own types only, in %s",
  (language) => {
    const inputSchema = {
      type: "object",
      get properties(): object {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const tools = [toolRecord({ name: "broken", inputSchema }), createIssue];
    const { files, warnings } = toTree([serverRecord("s", tools)], PRINTERS[language]);
    expect(files.size).toBe(language === "python" ? 5 : 4);
    expect(warnings.map(({ tool, message }) => `${tool}: ${message}`)).toEqual([
      "broken: schema: cannot be read; anything is accepted: Maximum call stack size exceeded",
    ]);
  },
);

test("the same servers give the same tree", () => {
  const servers = [serverRecord("github", [createIssue])];
  expect(toTree(servers, PRINTERS.typescript)).toEqual(toTree(servers, PRINTERS.typescript));
});
