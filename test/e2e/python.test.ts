import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectFront } from "../fixtures/front/clients.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { reference, writeProject } from "../fixtures/project.ts";

const text = (value: string) => ({ type: "text", text: expect.stringContaining(value) });

describe("Python by the MCP front", () => {
  it("runs, by keywords and by a dict, awaited or not, named or not [python-run]", async () => {
    const front = await connectFront("v2 modern", "stdio");
    const run = async (code: string, language?: string) =>
      (await front.call("execute_code", { code, ...(language && { language }) })).data;
    const programs = [
      ["math.add_up(numbers=[40, 2])['sum']", "python"],
      ['answer = await math.add_up({"numbers": [40, 2]})\nprint("hi")\nreturn answer.sum', "py"],
      ["from servers.math import add_up\nadd_up(numbers=[40, 2]).get('sum')", undefined],
      [
        "import asyncio\nboth = await asyncio.gather(math.add_up(numbers=[40]), math.add_up(numbers=[2]))\nsum(one['sum'] for one in both)",
        undefined,
      ],
      ["def main():\n    return call_mcp_tool('math__add_up', {'numbers': [40, 2]})['sum']", undefined],
    ] as const;
    for (const [code, language] of programs)
      expect(await run(code, language)).toMatchObject({
        ok: true,
        result: 42,
        calls: [{ tool: "add_up" }, ...(code.includes("gather") ? [{}] : [])],
      });
  });

  it("is checked before it runs: nothing was called, and what to write is told [python-check]", async () => {
    const front = await connectFront("v2 modern", "stdio");
    const failed = async (code: string, language = "python") =>
      front.call("execute_code", { code, language });
    const wrong = await failed('math.add_up(numbers=[1])\nmath.add_up(number=["a"])');
    expect(wrong).toMatchObject({
      isError: true,
      content: [text("await math.add_up(numbers: list[float] = ...)")],
    });
    expect(wrong.data).toMatchObject({
      calls: [],
      error: { kind: "types", errors: [{ line: 2, hint: "Did you mean 'numbers'?" }] },
    });
    // What only Python's own parser refuses, in the sandbox, is told the same.
    for (const code of ["x = 1\nif x\n    pass", "x = 1\nx.y() = 5", "x = 1\nbreak"])
      expect((await failed(code)).data).toMatchObject({
        calls: [],
        error: { kind: "syntax", location: { line: 2 }, excerpt: expect.stringMatching(/^2 \| .*\n.*\^/) },
      });
    expect((await failed("const a = 1;\nreturn a")).content).toMatchObject([text('language: "typescript"')]);
    expect((await failed("for x in [1]:\n    print(x)", "typescript")).content).toMatchObject([
      text('language: "python"'),
    ]);
    expect((await failed("print(1)", "typescript")).content).toMatchObject([text('language: "python"')]);
  });

  it("has searches answered in Python once a program was in it [python-search]", async () => {
    const front = await connectFront("v2 modern", "stdio");
    const search = async (args: Record<string, unknown> = {}) =>
      JSON.stringify((await front.call("search_tools", { query: "sum", detail: "full", ...args })).content);
    expect(await search()).toContain("math.addUp(");
    expect(await search({ language: "python" })).toContain("math.add_up(");
    await front.call("execute_code", { code: "1", language: "python" });
    expect(await search()).toContain("math.add_up(");
    const { data } = await front.call("execute_code", {
      code: "search_tools('sum', 'full')['tools'][0]['definition']",
      language: "python",
    });
    expect(JSON.stringify(data)).toContain("math.add_up(");
    expect(
      (
        await front.call("execute_code", {
          code: "import os\nsorted(os.listdir('servers/math'))",
          language: "python",
        })
      ).data,
    ).toMatchObject({
      result: ["__init__.py", "add_up.py"],
    });
    const wrong = `said = []
for work in [lambda: open("servers/math/" + "q" * 220), lambda: getattr(math, "qqq" + "qqq")()]:
    try: str(work())
    except Exception as error: said.append(str(error))
return said`;
    const told = JSON.stringify((await front.call("execute_code", { code: wrong, language: "python" })).data);
    for (const words of ["os.listdir(", "Find its tools with search_tools"]) expect(told).toContain(words);
    expect(told).not.toMatch(/searchTools|readdir/);
    await front.call("execute_code", { code: "return 1" });
    expect(await search()).toContain("math.addUp(");
  });
});

describe("Python by the command line", () => {
  it("runs and is checked, by the file's ending or as it is said [python-cli]", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { memory: reference("memory") } } });
    const code = "graph = memory.read_graph()\nlen(graph['entities']) + 41";
    await writeFile(join(dir, "program.py"), code);
    expect(await keyhole(dir, ["run", "program.py"])).toMatchObject({ code: 0, stdout: "41\n" });
    expect(await keyhole(dir, ["run", "--lang", "python", "-e", code])).toMatchObject({
      code: 0,
      stdout: "41\n",
    });
    expect(await keyhole(dir, ["check", "program.py"])).toMatchObject({ code: 0 });
    // Without CPython it is Pyodide, which is made ready once for all tests.
    const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
    const without = await keyhole(dir, ["run", "program.py"], { PATH: dir, XDG_CACHE_HOME: cache });
    expect(without).toMatchObject({ code: 0, stdout: "41\n" });
    await writeFile(join(dir, "wrong.py"), "memory.create_entities(entities=[{'name': 'a'}])");
    const wrong = await keyhole(dir, ["check", "wrong.py"]);
    expect(wrong).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("'entities' needs 'entityType' and 'observations'"),
    });
  }, 180_000);
});
