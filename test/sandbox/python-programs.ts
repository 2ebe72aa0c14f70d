import { describe, expect, it } from "vitest";
import type { Host } from "../../src/sandbox/sandbox.ts";
import type { PythonCapabilities, PythonWorld } from "./python-conformance.ts";

/** What a Python program finds and may do, as models write it, as far as the guest's own files decide it. */
export function testPythonPrograms(
  world: () => PythonWorld,
  { isPyodide = false }: PythonCapabilities,
): void {
  describe("the program's world", () => {
    const returned: PythonWorld["returned"] = (...given) => world().returned(...given);
    const failed: PythonWorld["failed"] = (...given) => world().failed(...given);

    it.each([
      ["what it returns", 'return {"a": [1, None, "x"]}', { a: [1, null, "x"] }],
      [
        "a return in a branch, past handlers",
        "try:\n    if True:\n        return 5\nexcept BaseException:\n    pass",
        5,
      ],
      ["the last expression", "x = 2\nx * 21", 42],
      ["the last expression of a branch", "if True:\n    'yes'\nelse:\n    'no'", "yes"],
      ["main, never called", "async def main():\n    return 7\nx = 1", 7],
      ["a lone function", "def count():\n    return 3", 3],
      [
        "main, run as a script",
        'import asyncio\nasync def main():\n    return 8\nif __name__ == "__main__":\n    asyncio.run(main())',
        8,
      ],
      ["main, called before the end", 'def main():\n    return 9\nmain()\nprint("started")', 9],
      ["main, without await", "async def main():\n    return 10\nmain()", 10],
      [
        "a loop that is asked for",
        "import asyncio\nasync def main():\n    return 11\nloop = asyncio.get_event_loop()\nloop.run_until_complete(main())",
        11,
      ],
      ["Markdown around it", "```python\n1 + 1\n```", 2],
      ["nothing", "", undefined],
      ["an assignment", "x = 1", undefined],
      ["awaitables in a list", "[github.x(n=1), github.x(n=2)]", [expect.anything(), expect.anything()]],
    ])("has as its result: %s", async (_what, code, value) => {
      expect(await returned(code)).toEqual(value);
    });

    it("has calls that block in annotations, defaults and targets, too", async () => {
      const code = `def f(a: github.x(n=1), b=github.x(n=2), *c: github.x(n=3), d: github.x(n=4) = 1) -> github.x(n=5):
    return b["args"]["n"]
class A:
    e: github.x(n=6) = 1
g: github.x(n=7)
h = {1: 1}
h[github.x(n=1)["args"]["n"]] += 1
1`;
      expect(await returned(code)).toBe(1);
      expect(await returned(code.replace(/1$/, "[f(0), h[1]]"))).toEqual([2, 2]);
    });

    it("has functions whose tool no attribute changes", async () => {
      const code = `tried = []
for name, value in [("__name__", "delete_entities"), ("_server", "memory"), ("_calls", None)]:
    try:
        setattr(github.get_issue, name, value)
        tried.append(name)
    except AttributeError as error:
        tried.append(str(error))
return [*tried, github.get_issue.__name__, github.get_issue().tool, hasattr(github.get_issue, "__dict__")]`;
      expect(await returned(code)).toEqual([
        ...Array(3).fill('The function "get_issue" cannot be changed'),
        ...["get_issue", "get_issue", false],
      ]);
    });

    it("finds its servers by every name and import", async () => {
      const code = `import servers.github as gh
import servers
from servers import github as hub, memory
from servers.github import create_issue, CreateIssueInput
from servers.github.get_issue import get_issue
given: CreateIssueInput = {"title": "a"}
return [create_issue(given).tool, gh.list_issues().tool, hub["a-b"]().tool, servers.memory.read().server, github.createIssue({"n": 1}, timeout_ms=500).args,
  get_issue(id=1).args, call_mcp_tool("my-server__do_it", {"x": 1}).server, search_tools("issues", "full").args, runs.result("r1").args]`;
      expect(await returned(code)).toEqual([
        ...["create_issue", "list_issues", "a-b", "memory", { n: 1 }, { id: 1 }, "my-server"],
        ...[{ query: "issues", detail: "full" }, { id: "r1" }],
      ]);
      expect((await failed("github.get_issue(5)")).message).toMatch(/takes keyword arguments or one dict/);
    });

    it("finds ToolError wherever it is looked for, and what has a server's name is both", async () => {
      const code = `import json
from servers import ToolError as a
from servers.github import ToolError as b
from keyhole import ToolError as c, search_tools
parsed = json.loads(fetch.get(id=1))
return [a is b is c is ToolError, parsed["tool"], callable(fetch), search_tools("x").own, runs.result("r").own, runs.list().tool]`;
      const program = { code, servers: ["github", "fetch", "runs"], modules: [] };
      const host: Host = {
        callTool: async (_server, tool) => ({ tool }),
        callOwn: async (own) => ({ own }),
      };
      expect(await world().sandbox.run(program, host)).toMatchObject({
        value: [true, "get", true, "searchTools", "runResult", "list"],
      });
    });

    it("knows what Keyhole does itself by Python's names, in failures too", async () => {
      const code = `found = []
for ask in (lambda: search_tools("x"), lambda: runs.result("r")):
    try: ask()
    except ToolError as error: found.append(error.tool)
try: call_mcp_tool("github", "create_issue", {})
except TypeError as error: found.append(str(error))
return found`;
      const host: Host = {
        callTool: async () => null,
        callOwn: () => Promise.reject(new Error("no")),
      };
      expect(await world().sandbox.run({ code, servers: ["github"] }, host)).toMatchObject({
        value: [
          "search_tools",
          "runs.result",
          expect.stringContaining('call_mcp_tool("github__create_issue"'),
        ],
      });
    });

    it("catches what a tool fails with in the function that calls it", async () => {
      const code = `def look(id):
    try:
        return "found", github.get(id=id)
    except ToolError as error:
        return "lost", str(error)
return look(1)`;
      const host: Host = {
        callTool: async () => {
          throw new Error("no such issue");
        },
      };
      expect(await returned(code, host)).toEqual(["lost", "no such issue"]);
    });

    it("has calls that block where they are used plainly", async () => {
      const code = `issue = github.get(id=1)
titles = [github.get(id=n)["args"]["id"] for n in range(2)]
def helper(n): return github.get(id=n)
if helper(4).args["id"] == 4: print(f"{github.get(id=5)['args']}")
rows = []
for n in range(2): rows.append(github.get(id=n))
total = sum(github.get(id=n).args.id for n in range(3))
found = {n: github.get(id=n) for n in range(2)}
import json
return [issue.args.id, titles, json.loads(json.dumps(rows))[1]["args"], total, isinstance(found[1], dict), list(map(github.get, [{"id": 8}]))[0].args]`;
      expect(await returned(code)).toEqual([1, [0, 1], { id: 1 }, 3, true, { id: 8 }]);
    });

    const waysToCall = [
      ["gather of calls", "await asyncio.gather(*[github.get(id=n) for n in range(5)])"],
      ["tasks in a list", "tasks = [github.get(id=n) for n in range(5)]\nawait asyncio.gather(*tasks)"],
      [
        "tasks appended",
        "tasks = []\nfor n in range(5): tasks.append(github.get(id=n))\nfor t in tasks: await t",
      ],
      [
        "create_task",
        "tasks = [asyncio.create_task(github.get(id=n)) for n in range(5)]\nawait asyncio.wait(tasks)",
      ],
      [
        "a plain function that gives calls",
        "def one(n): return github.get(id=n)\nawait asyncio.gather(*(one(n) for n in range(5)))",
      ],
      [
        "a dict of calls",
        "kept = {n: github.get(id=n) for n in range(5)}\nawait asyncio.gather(*kept.values())",
      ],
      [
        "a helper that awaits its parameter",
        "async def limited(call):\n    async with asyncio.Semaphore(9): return await call\nawait asyncio.gather(*[limited(github.get(id=n)) for n in range(5)])",
      ],
      [
        "coroutines of the program",
        "async def one(n): return await github.get(id=n)\nasync def main(): return await asyncio.gather(*[one(n) for n in range(5)])\nasyncio.run(main())",
      ],
      [
        "a group of tasks",
        "async with asyncio.TaskGroup() as group:\n    for n in range(5): group.create_task(github.get(id=n))",
      ],
      [
        "a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(5) as pool: list(pool.map(lambda n: github.get(id=n), range(5)))",
      ],
      ["to_thread", "await asyncio.gather(*[asyncio.to_thread(github.get, id=n) for n in range(5)])"],
    ] as const;
    // Threads run where they are started there, one after the other.
    const atOnce = waysToCall.filter(([, code]) => !isPyodide || !/thread/i.test(code));
    it.each(atOnce)("makes calls at once: %s", async (_what, code) => {
      let waiting: (() => void)[] = [];
      // None is answered before all of them are there.
      const host: Host = {
        callTool: () =>
          new Promise((resolve) => {
            waiting.push(() => resolve({ ok: true }));
            if (waiting.length < 5) return;
            for (const answer of waiting) answer();
            waiting = [];
          }),
      };
      expect(await returned(`import asyncio\n${code}\nreturn "all"`, host)).toBe("all");
    });

    it("raises a tool's failure as a ToolError that can be caught", async () => {
      const host: Host = { callTool: () => Promise.reject(new Error("No such repo")) };
      const code = `try:
    github.x()
except ToolError as e:
    return [isinstance(e, Exception), e.server, e.tool, str(e), e.message]`;
      expect(await returned(code, host)).toEqual([true, "github", "x", "No such repo", "No such repo"]);
      for (const call of [
        "github.x()",
        "await github.x()",
        "import asyncio; await asyncio.gather(github.x())",
      ])
        expect(await failed(`\n${call}`, host)).toMatchObject({
          kind: "tool_error",
          server: "github",
          tool: "x",
          message: "No such repo",
          location: { line: 2 },
        });
      expect(
        await returned(
          "import asyncio\nreturn [type(r).__name__ for r in await asyncio.gather(github.x(), github.x(), return_exceptions=True)]",
          host,
        ),
      ).toEqual(["ToolError", "ToolError"]);
    });

    it("ends with errors that come late, and tells of what can never go on", async () => {
      const late =
        "import asyncio\nasync def bad():\n    raise ValueError('left alone')\nt = asyncio.create_task(bad())\nt.add_done_callback(lambda _: None)";
      expect((await failed(late)).message).toBe("left alone");
      expect(await failed("import asyncio\nx = 1\nawait asyncio.Future()")).toMatchObject({
        kind: "stuck",
        source: { line: 3 },
      });
    });

    it.each([
      [
        "in a list, an error before they are awaited",
        `try:
    calls = [github.x(n=n) for n in range(3)]
    raise ValueError("early")
    await asyncio.gather(*calls)
except ValueError as error: said = str(error)
said`,
      ],
      [
        "in a function that asyncio runs",
        `async def main():
    calls = [github.x(n=n) for n in range(3)]
    if calls: raise ValueError("early")
    return await asyncio.gather(*calls)
try: asyncio.run(main())
except ValueError as error: said = str(error)
said`,
      ],
      [
        "in a thread",
        `from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor()
kept = [pool.submit(lambda: [github.x(n=n)]) for n in range(3)]
"early"`,
      ],
    ])("ends when nobody takes the answers of its last calls: %s", async (_what, code) => {
      const left = new Set<unknown>();
      const host: Host = {
        // Later than all that the program does by itself.
        callTool: async (_server, _tool, args) => {
          await new Promise((resolve) => setImmediate(resolve));
          return left.add(args);
        },
      };
      expect(await returned(`import asyncio\n${code}`, host, { limits: { runMs: 20_000 } })).toBe("early");
      expect(left.size).toBe(3);
    });

    it("makes a call of a thread's at once, also while the program waits for another one", async () => {
      let came = () => {};
      const second = new Promise<void>((resolve) => {
        came = resolve;
      });
      const host: Host = {
        callTool: async (_server, tool) => {
          if (tool === "second") came();
          else await second;
          return tool;
        },
      };
      const code = `import time
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor()
def late():
    time.sleep(0.3)
    return [github.second()]
kept = [pool.submit(lambda: [github.first()]), pool.submit(late)]
"both"`;
      expect(await returned(code, host, { limits: { runMs: 20_000 } })).toBe("both");
    });

    it("ends itself by sys.exit, and with another code fails", async () => {
      expect(await returned("import sys\nsys.exit()")).toBeUndefined();
      expect(await returned("exit(0)")).toBeUndefined();
      expect((await failed("import sys\nsys.exit(3)")).message).toContain("exit code 3");
    });

    it("takes the arguments of a call by name by any of the names that they have elsewhere", async () => {
      const code = `return [one.args for one in [
  call_mcp_tool("github__x", {"a": 1}), call_mcp_tool("github__x", args={"a": 1}), call_mcp_tool("github__x", arguments={"a": 1}),
  call_mcp_tool(name="github__x", arguments={"a": 1}), call_mcp_tool("github__x", a=1), call_mcp_tool("github__x", name="n"),
  call_mcp_tool("github__x", arguments="words", timeout_ms=5000)]]`;
      const asked = { a: 1 };
      expect(await world().returned(code)).toEqual([
        ...[asked, asked, asked, asked, asked],
        ...[{ name: "n" }, { arguments: "words" }],
      ]);
    });

    it("logs bytes, images and base64 by what they are and how large", async () => {
      const logs: string[] = [];
      const code = `import base64, os
png = b"\\x89PNG\\r\\n\\x1a\\n" + bytes(5192)
text = base64.b64encode(bytes(n * 7919 % 251 for n in range(900))).decode()
print({"png": png, "list": [b"abc"], "n": 1})
print([{"type": "image", "data": text, "mimeType": "image/png"}, {"url": "data:image/gif;base64," + text}])
print("plain", ["a"], b"xyz")`;
      await world().run(code, { callTool: async () => null, onLog: (_level, text) => logs.push(text) });
      expect(logs).toEqual([
        "{'png': <image/png, 5.2 KB>, 'list': [<bytes, 3 B>], 'n': 1}",
        "[<image/png, 900 B>, {'url': <image/gif, 916 B>}]",
        "plain ['a'] <bytes, 3 B>",
      ]);
    });

    it("leaves tokens as they are where letters are changed, and knows what they show", async () => {
      const code = `mail = "Ann <[EMAIL_1]> Bob"
return [mail.lower(), mail.title(), list(map(str.lower, [mail])), "ABC".lower(), pii.domain("[EMAIL_1]"), pii.last4("4111 1111 1111 1234"), pii.equal("a@b.c", "A@B.C"), pii.mask("ann@corp.com")]`;
      const facts = [["[EMAIL_1]", "v1", { domain: "corp.example" }]] as const;
      const program = { code, servers: [], facts, tokenClasses: ["EMAIL"] };
      expect(await world().sandbox.run(program, { callTool: async () => null })).toMatchObject({
        ok: true,
        value: [
          ...["ann <[EMAIL_1]> bob", "Ann <[EMAIL_1]> Bob", ["ann <[EMAIL_1]> bob"], "abc"],
          ...["corp.example", "1234", true, "a•••@corp.com"],
        ],
      });
    });

    it.each([
      ["subprocess", /run_command/],
      ["socket", /call a tool/],
      ["requests", /fetch/],
      ["multiprocessing", /ThreadPoolExecutor/],
      ["pandas", /standard library/],
      ["nosuchthing", /There is no module "nosuchthing"/],
    ])("says what to use in place of %s", async (module, words) => {
      expect((await failed(`import ${module}`)).message).toMatch(words);
    });
  });
}
