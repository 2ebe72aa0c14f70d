import { describe, expect, it } from "vitest";
import { openEngine } from "../fixtures/engine.ts";
import { onCleanup } from "../fixtures/project.ts";
import { type ScriptedAnswer, startScriptedServers } from "../fixtures/scripted-servers.ts";

const text = { type: "string" };
const SERVERS = new Map([
  [
    "desk",
    [
      {
        name: "list_tickets",
        inputSchema: {
          type: "object",
          properties: { queue: text, page: { type: "integer" } },
          required: ["queue"],
        },
      },
      { name: "close_ticket", inputSchema: { type: "object", properties: { id: text }, required: ["id"] } },
    ],
  ],
]);
const ANSWERS: ScriptedAnswer[] = [
  {
    server: "desk",
    tool: "list_tickets",
    when: { page: 1 },
    result: {
      total: 3,
      tickets: [
        { id: "T1", votes: 4 },
        { id: "T2", votes: 9 },
      ],
    },
  },
  {
    server: "desk",
    tool: "list_tickets",
    when: { page: 2 },
    result: { total: 3, tickets: [{ id: "T3", votes: 1 }] },
  },
  { server: "desk", tool: "close_ticket", when: { id: "T9" }, error: "No ticket T9" },
  { server: "desk", tool: "close_ticket", result: "closed" },
];

/** As models write them. */
const SKILLS: readonly (readonly [name: string, code: string])[] = [
  [
    "all-tickets",
    `"""Pages of a queue."""
from typing import Any

async def all_tickets(queue: str, most: int | None = None) -> list[dict[str, Any]]:
    """Every ticket of a queue, page by page."""
    page, found = 1, []
    while True:
        answer = await desk.list_tickets(queue=queue, page=page)
        found.extend(answer["tickets"])
        if len(found) >= answer["total"] or (most and len(found) >= most):
            return found[:most]
        page += 1

def each(queue):
    page = 1
    while page < 3:
        yield from desk.list_tickets(queue=queue, page=page)["tickets"]
        page += 1

def close(id: str) -> str:
    return desk.close_ticket(id=id)
`,
  ],
  [
    "ticket-report",
    `from __future__ import annotations
from dataclasses import dataclass
from skills.all_tickets import all_tickets

@dataclass
class Report:
    count: int = 0
    votes: int = 0

    @property
    def mean(self) -> float:
        return self.votes / self.count

class NothingThere(Exception):
    pass

async def report(queue: str = "house") -> Report:
    made = Report()
    for ticket in await all_tickets(queue):
        made.count += 1
        made.votes += ticket["votes"]
    if not made.count:
        raise NothingThere(queue)
    return made
`,
  ],
  [
    "at-once",
    `import asyncio, functools
from concurrent.futures import ThreadPoolExecutor
__all__ = ["limited", "in_threads", "retry"]

async def limited(most, *coros):
    gate = asyncio.Semaphore(most)
    async def one(coro):
        async with gate:
            return await coro
    return await asyncio.gather(*(one(c) for c in coros))

def in_threads(f, items):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(f, items))

def retry(times=3):
    def wrap(f):
        @functools.wraps(f)
        async def inner(*given, **named):
            for left in reversed(range(times)):
                try:
                    return await f(*given, **named)
                except ToolError:
                    if not left:
                        raise
        return inner
    return wrap

def _own(): return "own"

if __name__ == "__main__":
    raise SystemExit(1)
`,
  ],
];

const PROGRAMS: readonly (readonly [what: string, code: string, result: unknown])[] = [
  [
    "await",
    'from skills.all_tickets import all_tickets\nreturn [t["id"] for t in await all_tickets("house")]',
    ["T1", "T2", "T3"],
  ],
  [
    "no await",
    'import skills.all_tickets as tickets\nrows = tickets.all_tickets("house", most=2)\nlen(rows)',
    2,
  ],
  ["a generator", 'from skills import all_tickets\nsum(t["votes"] for t in all_tickets.each("house"))', 14],
  [
    "what a skill calls by another",
    "from skills.ticket_report import report, Report\nmade = report()\nassert isinstance(made, Report)\nreturn made.mean * 3",
    14,
  ],
  [
    "main",
    "import asyncio\nfrom skills.ticket_report import report\nasync def main():\n    return (await report()).count\nif __name__ == '__main__':\n    asyncio.run(main())",
    3,
  ],
  [
    "all at once",
    'from skills.at_once import limited, in_threads\nfrom skills.all_tickets import all_tickets as all_of, close\na, b = await limited(1, all_of("a"), desk.list_tickets(queue="b", page=2))\nreturn [len(a), b["total"], in_threads(close, ["T1", "T2"])]',
    [3, 3, ["closed", "closed"]],
  ],
  [
    "a decorator",
    'from skills.at_once import *\ntries = []\n@retry(times=2)\nasync def f(id):\n    tries.append(id)\n    return await desk.close_ticket(id=id)\ntry:\n    await f("T9")\nexcept ToolError as error:\n    return [len(tries), error.tool]',
    [2, "close_ticket"],
  ],
  [
    "an exception of a skill's",
    "from skills import ticket_report as tr\ntr.all_tickets = lambda queue: []\ntry:\n    await tr.report('none')\nexcept tr.NothingThere as error:\n    return str(error)",
    "none",
  ],
  [
    "another way",
    "try:\n    from skills.fast import f\nexcept ImportError:\n    from skills.at_once import _own as f\nreturn f()",
    "own",
  ],
  ["by its name", 'import importlib\nreturn importlib.import_module("skills.at_once")._own()', "own"],
];

async function open(rules: readonly object[]) {
  const servers = await startScriptedServers(SERVERS);
  onCleanup(servers.close);
  const { engine } = await openEngine(servers.definitions, {
    config: { permissions: { rules } },
    poolSize: 2,
  });
  servers.script(ANSWERS);
  const run = (code: string) => engine.run({ code, language: "python" });
  for (const [name, code] of SKILLS) {
    const saved = await run(
      `return save_skill(name="${name}", description="About tickets", code=${JSON.stringify(code)})`,
    );
    expect(saved.text).toContain('"status":"ready"');
  }
  return { servers, engine, run };
}

describe("skills in Python", () => {
  it("are imported as models write it", async () => {
    const { run } = await open([{ tool: "*", decision: "allow" }]);
    for (const [what, code, result] of PROGRAMS) {
      const ended = await run(code);
      expect(ended.status, `${what}: ${ended.text}`).toBe("done");
      expect(ended.result, what).toEqual(result);
    }
  });

  it("are refused with what to write, before anything is called", async () => {
    const { run, servers } = await open([{ tool: "*", decision: "allow" }]);
    const before = servers.calls().length;
    const wrong: readonly (readonly [code: string, told: string])[] = [
      ["from skills.all_ticket import all_tickets\ndesk.close_ticket(id='T1')", "Did you mean 'all_tickets'"],
      ["from skills.all_tickets import all_ticket\ndesk.close_ticket(id='T1')", "Did you mean 'all_tickets'"],
      ["from skills.all_tickets import close\nclose('T1')\nclose(5)", "'id' must be str, not 5"],
      ["from skills.all_tickets import close\nclose('T1')\nclose(number=1)", "close() takes no 'number'"],
    ];
    for (const [code, told] of wrong) expect((await run(code)).text).toContain(told);
    expect(servers.calls()).toHaveLength(before);
  });

  it("are saved by what save_skill takes, and by nothing else", async () => {
    const { run } = await open([]);
    const whole = `name="n", description="d", code="def f():\\n    return 1"`;
    const wrong: readonly (readonly [code: string, told: string])[] = [
      [`save_skill(${whole}, tag=["a"])`, `A skill has no "tag". Did you mean 'tags'?`],
      [`save_skill(${whole}, files=[])`, 'A skill has no "files". It has name, description, code, tags'],
      ['save_skill("n", "d", "c")', "save_skill takes keyword arguments: write save_skill(name=…"],
    ];
    for (const [code, told] of wrong) expect((await run(code)).text).toContain(told);
  });

  it("are held to the caller's rules, and tell their own place", async () => {
    const { run, servers } = await open([
      { tool: "list_tickets", decision: "deny" },
      { tool: "*", decision: "allow" },
    ]);
    const ended = await run("from skills.all_tickets import all_tickets\n\nawait all_tickets('house')");
    expect(ended.error).toMatchObject({
      code: "denied",
      location: { line: 3 },
      inSkill: {
        file: "skills/all-tickets/__init__.py",
        line: 8,
        text: "        answer = await desk.list_tickets(queue=queue, page=page)",
      },
    });
    expect(servers.calls()).toEqual([]);
  });
});
