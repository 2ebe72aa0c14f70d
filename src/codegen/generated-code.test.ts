import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkPython, checkTypeScript, writeFiles } from "../../test/fixtures/codegen/checkers.ts";
import { nastyServer } from "../../test/fixtures/codegen/nasty-tools.ts";
import { serverRecord, toolRecord } from "../../test/fixtures/codegen/records.ts";
import { PRINTERS } from "./printers.ts";
import { toTree } from "./tree.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-codegen-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Servers whose names and descriptions are any text at all. */
function arbitraryServer() {
  const text = fc.string({ unit: "binary", maxLength: 30 });
  const texts = fc.sample(fc.tuple(text, text, text), { numRuns: 60, seed: 7 });
  const tools = texts.map(([name, property, description], index) =>
    toolRecord({
      name,
      identifiers: { typescript: `t${index}`, python: `t${index}` },
      description,
      inputSchema: {
        type: "object",
        properties: { [property]: { type: "string", description, enum: [name, description] } },
        required: [property],
        $defs: { [property]: true },
      },
    }),
  );
  return serverRecord("arbitrary", tools);
}

function arbitrarySchemas() {
  const schemas = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 60, seed: 11 });
  const names = [
    "type",
    "properties",
    "items",
    "anyOf",
    "enum",
    "const",
    "required",
    "$ref",
    "additionalProperties",
  ];
  const keyed = fc.sample(fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 5 }), {
    numRuns: 60,
    seed: 13,
  });
  const tools = [...schemas, ...keyed].map((schema, index) =>
    toolRecord({
      name: `t${index}`,
      inputSchema: { type: "object", properties: { x: schema } },
      outputSchema: { properties: { x: schema }, allOf: [schema] },
    }),
  );
  return serverRecord("schemas", tools);
}

const servers = [nastyServer(), arbitraryServer(), arbitrarySchemas()];

describe("TypeScript", () => {
  test.each(["bundler", "nodenext"] as const)("every wrapper compiles with module %s", async (module) => {
    await writeFiles(dir, toTree(servers, PRINTERS.typescript).files);
    expect(await checkTypeScript(dir, module)).toEqual([]);
  });

  test("right calls compile and wrong ones are refused", async () => {
    await writeFiles(dir, toTree(servers, PRINTERS.typescript).files);
    const program = `import * as nasty from "./nasty/index.js";
export const right = async () => {
  await nasty.recursive({ root: { value: "a", children: [{ value: "b" }] } });
  await nasty.mutual({ a: [{ k: [{ deep: "x" }] }] });
  await nasty.mutual();
  await nasty.names({ "a-b": "x", "*/": "y" });
  await nasty.prototype_keys({ ["__proto__"]: "x" });
  await nasty.tuples({ pair: [1, "a"], loose: [null], none: [] });
  await nasty.tuples({ pair: [1, "a"], loose: ["x", 1, true, false] });
  await nasty.choice({ kind: "a", size: 1 });
  await nasty.choice({ kind: "b", "the name": "x" });
  await nasty.merged({ id: 1, extra: null });
  await nasty.open({ a: "x", other: [1] });
  await nasty.counts({ label: "x", count: 3 });
  await nasty.patterns({ "x-a": "1" });
  await nasty.nothing();
  await nasty.nothing({});
  await nasty.anything({ whatever: 1 });
  await nasty.outside({ a: 1, b: {} });
  await nasty.impossible({ a: "x" });
  await nasty.text({ a: 1 });
  const result = await nasty.with_output({ root: { value: "" } });
  const id: number | undefined = result.items[0]?.parent?.id;
  const odd: number | undefined = result["odd key"]?.n;
  const more: unknown = result["more"];
  return { id, odd, more };
};
`;
    const wrong = [
      `nasty.recursive()`,
      `nasty.recursive({ root: { value: 1 } })`,
      `nasty.recursive({ root: { value: "a", children: [{}] } })`,
      `nasty.recursive({ root: { value: "a" }, typo: 1 })`,
      `nasty.names({ "a-b": 1 })`,
      `nasty.prototype_keys({})`,
      `nasty.tuples({ pair: [1] })`,
      `nasty.tuples({ pair: ["a", 1] })`,
      `nasty.tuples({ pair: [1, "a"], none: [1] })`,
      `nasty.choice({ kind: "a" })`,
      `nasty.choice({ kind: "c" })`,
      `nasty.merged({ id: 1 })`,
      `nasty.counts({ label: 1, count: "x" })`,
      `nasty.patterns({ "x-a": 1 })`,
      `nasty.nothing({ a: 1 })`,
      `nasty.values({ any: "other" })`,
      `nasty.wire(1)`,
    ];
    const lines = wrong.map((call) => `void ${call};`);
    const main = `import * as nasty from "./nasty/index.js";\n${lines.join("\n")}\n`;
    await writeFiles(dir, [
      ["right.ts", program],
      ["wrong.ts", main],
    ]);
    const errors = await checkTypeScript(dir);
    expect(errors.filter((error) => error.file !== "wrong.ts")).toEqual([]);
    const refused = new Set(errors.map((error) => lines[error.line - 2]));
    expect(lines.filter((line) => !refused.has(line))).toEqual([]);
  });
});

describe("Python", () => {
  test("every wrapper passes pyright, and only right calls do", async () => {
    await writeFiles(join(dir, "servers"), toTree(servers, PRINTERS.python).files);
    const right = `from servers.nasty import (
    choice, merged, mutual, names, nothing, open as open_, overload, recursive, root_reference, text, tuples, with_output
)
from servers.nasty import list as list_


async def main() -> None:
    await recursive({"root": {"value": "a", "children": [{"value": "b"}]}})
    await recursive(root={"value": "a"})
    await root_reference(value="a", children=[])
    await mutual({"a": [{"k": "v"}, {"k": [{"l": "w"}]}]})
    await mutual()
    await names({"a-b": "x", "class": "y", "__dunder": "z"})
    await tuples({"pair": (1, "a")})
    await tuples(pair=[1, "a"], loose=[None, "a", True])
    await choice({"kind": "a", "size": 1})
    await choice(kind="a", size=1)
    await choice({"kind": "b", "the name": "x"})
    await merged(id=1, extra=None)
    await open_({"a": "x", "other": [1]})
    await nothing()
    await nothing({})
    await text(anything=1)
    await list_(items=["a"])
    await overload(list=[1], float=1.5)
    result = await with_output(root={"value": ""})
    number: int = result["items"][0]["id"]
    print(number)
`;
    const wrong = [
      "recursive()",
      'recursive({"root": {"value": 1}})',
      'recursive(root={"value": "a", "children": [{}]})',
      'recursive(root={"value": "a"}, typo=1)',
      'names({"a-b": 1})',
      'choice(kind="a")',
      'choice({"kind": "c"})',
      "merged(id=1)",
      'nothing({"a": 1})',
      "nothing(a=1)",
    ];
    const head = "from servers.nasty import choice, merged, names, nothing, recursive\n";
    const lines = wrong.map((call) => `_ = ${call}`);
    await writeFiles(dir, [
      ["right.py", right],
      ["wrong.py", `${head}${lines.join("\n")}\n`],
    ]);
    const { errors } = await checkPython(dir);
    expect(errors.filter((error) => error.file !== "wrong.py")).toEqual([]);
    const refused = new Set(errors.map((error) => lines[error.line - 2]));
    expect(lines.filter((line) => !refused.has(line))).toEqual([]);
  });

  test.skipIf(!hasPython())("every package can be imported and called", async () => {
    await writeFiles(join(dir, "servers"), toTree(servers, PRINTERS.python).files);
    const program = `
import asyncio, builtins, json
from servers import arbitrary, nasty, schemas

try:
    asyncio.run(nasty.nothing())
except RuntimeError as error:
    assert "keyhole run FILE --lang python" in str(error)

async def bridge(name, arguments):
    return [name, arguments]

builtins.call_mcp_tool = bridge
print(json.dumps([asyncio.run(nasty.nothing()), asyncio.run(nasty.wire({"a": 1})), asyncio.run(nasty.wire(b=2))]))
`;
    const output = execFileSync("python3", ["-c", program], { cwd: dir, encoding: "utf8" });
    expect(JSON.parse(output)).toEqual([
      ["nasty__nothing", {}],
      ['nasty__wire"name\n', { a: 1 }],
      ['nasty__wire"name\n', { b: 2 }],
    ]);
  });
});

/** The generated code asks for 3.11, which not every machine has. */
function hasPython(): boolean {
  try {
    const isNewEnough = "import sys; print(sys.version_info >= (3, 11))";
    return (
      execFileSync("python3", ["-c", isNewEnough], { encoding: "utf8", stdio: "pipe" }).trim() === "True"
    );
  } catch {
    return false;
  }
}
