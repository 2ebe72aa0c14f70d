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
          properties: { queue: text, perPage: { type: "integer" }, from: { type: "integer" } },
          required: ["queue"],
        },
      },
      { name: "getTicket", inputSchema: { type: "object", properties: { id: text }, required: ["id"] } },
      { name: "close_ticket", inputSchema: { type: "object", properties: { id: text }, required: ["id"] } },
    ],
  ],
  ["time", [{ name: "get_current_time", inputSchema: { type: "object", properties: { timezone: text } } }]],
  ["fetch", [{ name: "fetch", inputSchema: { type: "object", properties: { url: text } } }]],
]);
const TICKETS = [
  { id: "T1", title: "No light", votes: 4 },
  { id: "T2", title: "Door stuck", votes: 9 },
];
const ANSWERS: ScriptedAnswer[] = [
  { server: "desk", tool: "list_tickets", when: { from: 2 }, result: { tickets: [], next: null } },
  { server: "desk", tool: "list_tickets", result: { tickets: TICKETS, next: 2 } },
  { server: "desk", tool: "getTicket", when: { id: "T9" }, error: "No ticket T9" },
  { server: "desk", tool: "getTicket", result: TICKETS[1] },
  { server: "desk", tool: "close_ticket", result: "closed" },
  { server: "time", tool: "get_current_time", result: { datetime: "2031-02-03T04:05:06Z" } },
  { server: "fetch", tool: "fetch", error: "Status 503" },
  { server: "fetch", tool: "fetch", result: "Contents:\nhello" },
];

type Expected = { readonly calls: number; readonly result?: unknown; readonly prints?: string };

/** The shapes of the 230 programs of `npm run bench -- python`, over tools of our own. */
const PROGRAMS: readonly (readonly [what: string, code: string, expected: Expected])[] = [
  [
    "await, and the last expression",
    `from servers.desk import list_tickets
found = await list_tickets(queue="house", per_page=5)
max(found["tickets"], key=lambda ticket: ticket["votes"])["title"]`,
    { calls: 1, result: "Door stuck" },
  ],
  [
    "main under asyncio.run, all at once",
    `import asyncio
from servers.desk import get_ticket

async def main():
    tickets = await asyncio.gather(*(get_ticket(id=i) for i in ["T1", "T2"]))
    return [t.title for t in tickets]

if __name__ == "__main__":
    asyncio.run(main())`,
    { calls: 2, result: ["Door stuck", "Door stuck"] },
  ],
  [
    "main that nobody calls",
    'async def main():\n    return (await desk.close_ticket({"id": "T1"})).upper()',
    { calls: 1, result: "CLOSED" },
  ],
  [
    "calls without await, page by page",
    `page, titles = {"next": 0}, []
while page["next"] is not None:
    page = desk.list_tickets(queue="house", from_=page["next"])
    titles += [t["title"] for t in page["tickets"]]
print(titles)`,
    { calls: 2, prints: "['No light', 'Door stuck']" },
  ],
  [
    "main without await, and time of both kinds",
    `import time
from servers.time import get_current_time

async def main():
    now = await get_current_time(timezone="UTC")
    return [now["datetime"][:4], time.time() > 0]

main()`,
    { calls: 1, result: ["2031", true] },
  ],
  [
    "errors that are caught in a function",
    `from servers import ToolError
def title_of(id):
    try:
        return desk.get_ticket(id=id)["title"]
    except ToolError as error:
        return f"{error.tool}: {error.message}"
[title_of(i) for i in ("T2", "T9")]`,
    { calls: 2, result: ["Door stuck", "get_ticket: No ticket T9"] },
  ],
  [
    "tries again by a decorator",
    `import functools
def again(times):
    def deco(fn):
        @functools.wraps(fn)
        async def inner(*args, **kwargs):
            for n in range(times):
                try:
                    return await fn(*args, **kwargs)
                except Exception as error:
                    print(fn.__name__, n, error)
        return inner
    return deco

@again(times=3)
async def page(url):
    return await fetch.fetch(url=url)

print((await page("https://a.example")).splitlines()[-1])`,
    { calls: 2, prints: "hello" },
  ],
  [
    "parses what is parsed already, by a tool's name",
    `import json
json.loads(await call_mcp_tool("desk__list_tickets", {"queue": "house"}))["next"]`,
    { calls: 1, result: 2 },
  ],
  [
    "threads and files",
    `import csv, os
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool:
    tickets = list(pool.map(lambda id: desk.get_ticket(id=id), ["T1", "T2"]))
with open("workspace/tickets.csv", "w", newline="") as file:
    csv.writer(file).writerows([t["id"], t["votes"]] for t in tickets)
sorted(os.listdir("workspace")), open("workspace/tickets.csv").read().split()`,
    { calls: 2, result: [expect.arrayContaining(["tickets.csv"]), ["T2,9", "T2,9"]] },
  ],
  [
    "leaves by return, in a try",
    `try:
    html = await fetch.fetch(url="https://a.example")
    return "loaded"
except Exception as error:
    return {"failed": str(error)}`,
    { calls: 1, result: { failed: "Status 503" } },
  ],
];

describe("ordinary Python programs", () => {
  it("run as models write them", async () => {
    const servers = await startScriptedServers(SERVERS);
    onCleanup(servers.close);
    const permissions = { rules: [{ tool: "*", decision: "allow" }] };
    const { engine } = await openEngine(servers.definitions, { config: { permissions }, poolSize: 2 });
    for (const [what, code, { calls, result, prints = "" }] of PROGRAMS) {
      servers.script(ANSWERS);
      const run = await engine.run({ code, language: "python" });
      expect(run.status, `${what}: ${run.text}`).toBe("done");
      expect(servers.calls(), what).toHaveLength(calls);
      if (result !== undefined) expect(run.result, what).toEqual(result);
      expect(run.logs.map((log) => log.text).join("\n"), what).toContain(prints);
    }
  });
});
