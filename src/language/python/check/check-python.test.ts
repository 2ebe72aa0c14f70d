import { describe, expect, it } from "vitest";
import { SERVERS } from "../../../../test/fixtures/check/servers.ts";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { preparePython } from "../prepare/prepare-python.ts";
import { checkPython } from "./check-python.ts";

const SHOP = serverRecord("shop", [
  toolRecord({
    name: "order",
    inputSchema: {
      type: "object",
      properties: {
        count: { type: "integer" },
        price: { type: "number" },
        express: { type: "boolean" },
        size: { enum: ["small", "large"] },
        from: { type: "string" },
        address: {
          type: "object",
          properties: { city: { type: "string" }, zip: { type: ["string", "null"] } },
          required: ["city"],
        },
        lines: {
          type: "array",
          items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
        },
      },
    },
    outputSchema: {
      type: "object",
      properties: { id: { type: "string" }, lines: { type: "array", items: { $ref: "#/$defs/line" } } },
      $defs: {
        line: { type: "object", properties: { sku: { type: "string" } }, additionalProperties: false },
      },
      additionalProperties: false,
    },
  }),
  toolRecord({
    name: "either",
    inputSchema: {
      anyOf: [
        { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
        {
          type: "object",
          properties: { name: { type: "string" }, first: { type: "boolean" } },
          required: ["name"],
        },
      ],
    },
  }),
  toolRecord({
    name: "open_ended",
    inputSchema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
  }),
]);
const ALL = [...SERVERS, SHOP];

async function check(source: string) {
  const world = { servers: ALL, unavailable: new Map([["mail", "failed: no password"]]) };
  const { parsed, program } = preparePython(source, world);
  if (!program.ok) throw new Error(`${program.error.kind}: ${program.error.message}`);
  return checkPython({ ...world, parsed, skillOf: () => undefined, load: async () => {} });
}

async function mistakes(source: string): Promise<string[]> {
  const result = await check(source);
  return result.ok
    ? []
    : result.error.errors.map(({ message, hint }) => [message, hint].filter(Boolean).join(" | "));
}

describe("a wrong program in Python", () => {
  it("has the place, the message and the signature of the tool concerned", async () => {
    const source =
      'from servers.github import create_issue as create\ntitle = "😀 é"; create(owner="a", repo=5, title=title)';
    const signature = expect.stringMatching(
      /^await github\.create_issue\(owner: str, repo: str, title: str, labels: list\[str\] = \.\.\.\)$/,
    );
    const message = "'repo' must be str, not 5";
    expect(await check(source)).toMatchObject({
      ok: false,
      error: { kind: "types", errors: [{ line: 2, column: 40, message, signature }] },
    });
  });

  it.each([
    ["a missing argument", 'github.create_issue(owner="a", repo="b")', /needs 'title'/],
    ["missing arguments", "github.create_issue()", /needs 'owner', 'repo' and 'title'/],
    ["a missing key", 'await github.create_issue({"owner": "a", "repo": "b"})', /needs 'title'/],
    [
      "a misspelt argument",
      'github.create_issue(owner="", repo="", title="", label=[])',
      /no 'label' \| Did you mean 'labels'/,
    ],
    [
      "a misspelt key",
      'github.create_issue({"owner": "", "repo": "", "titel": ""})',
      /no 'titel' \| Did you mean 'title'/,
    ],
    [
      "arguments in a row",
      'github.create_issue("owner", "repo", "title")',
      /takes keyword arguments or one dict \| .*owner=/,
    ],
    ["one text", 'my_db.query("select 1")', /takes keyword arguments or one dict/],
    [
      "an element of a wrong type",
      'github.create_issue(owner="", repo="", title="", labels=["a", 1])',
      /'labels' must be str, not 1/,
    ],
    [
      "a text for a list",
      'github.create_issue(owner="", repo="", title="", labels="bug")',
      /must be list\[str\], not the str "bug"/,
    ],
    [
      "a value that is none of those listed",
      'github.list_issues(state="opne")',
      /one of "open", "closed", not the str "opne" \| Did you mean 'open'/,
    ],
    ["a constant", 'STATE = "all"\ngithub.list_issues(state=STATE)', /must be one of/],
    ["one of two values", 'github.list_issues(state="open" if True else "all")', /not the str "all"/],
    ["a text for a number", 'shop.order(count="5")', /'count' must be int, not the str "5"/],
    ["a fraction for a whole number", "shop.order(count=1.5)", /must be int, not 1.5/],
    ["a number for a text", 'shop.order({"from": 5})', /'from' must be str, not 5/],
    ["a boolean for a number", "shop.order(price=True)", /must be float, not True/],
    ["a number for a boolean", "shop.order(express=1)", /must be bool, not 1/],
    ["something missing further in", 'shop.order(address={"zip": "1"})', /'address' needs 'city'/],
    [
      "something wrong in a list of dicts",
      'shop.order(lines=[{"sku": "a"}, {"sk": "b"}])',
      /'lines' takes no 'sk'/,
    ],
    ["a word of Python's with a wrong value", "shop.order(from_=5)", /'from' must be str, not 5/],
    [
      "an argument twice",
      'github.create_issue(owner="a", repo="b", title="c", Title="d")',
      /takes no 'Title'/,
    ],
    ["none of the ways that there are", "shop.either(first=True)", /needs 'name'/],
    ["a dict under a name", 'args = {"owner": "a"}\ngithub.create_issue(args)', /needs 'repo' and 'title'/],
    ["a dict and keywords", 'github.create_issue({"owner": "a"}, repo="b", titel="c")', /no 'titel'/],
    ["a formatted text", 'n = 1\nshop.order(count=f"{n}")', /must be int, not a str/],
    ["str()", "shop.order(count=str(5))", /must be int, not a str/],
    ["a call by name", 'call_mcp_tool("github__list_issues", {"state": 1})', /'state' must be one of/],
    ["a call by name with keywords", 'call_mcp_tool("github__list_issues", stat="open")', /no 'stat'/],
    [
      "an unknown tool by name",
      'call_mcp_tool("github__list_isues", {})',
      /no tool 'github__list_isues' \| Did you mean 'github__list_issues'/,
    ],
    [
      "an unknown function",
      "await github.creat_issue()",
      /'creat_issue' does not exist on server 'github' \| Did you mean 'create_issue'/,
    ],
    ["an unknown function in brackets", 'github["nope"]({})', /'nope' does not exist/],
    ["an unknown server", "absent.tool()", /Cannot find name 'absent' \| Each server is a global: github/],
    ["a server that is not there", "mail.send()", /server mail failed: no password/],
    ["a misspelt server", "githib.list_issues()", /'githib' \| Did you mean 'github'/],
    [
      "a function without its server",
      "list_issues()",
      /Use github.list_issues, or from servers.github import list_issues/,
    ],
    ["a module that is not imported", "print(json.dumps({}))", /'json' \| Write import json/],
    ["words of another language", "x = null\ny = true", /Write None/],
    ["another name", "import servers.github as gh\ngh.list_issues(stat='open')", /no 'stat'/],
    ["a server from the package", "from servers import github as g\ng.nope()", /'nope'/],
    ["the package", "import servers\nservers.github.nope()", /'nope'/],
    ["a function under another name", "f = github.list_issues\nf(stat='open')", /no 'stat'/],
    [
      "what gather is given",
      "import asyncio\nawait asyncio.gather(*[github.list_issues(stat=s) for s in ['a']])",
      /no 'stat'/,
    ],
    [
      "a call in a function",
      "async def main():\n    return await github.list_issues(stat='open')\nawait main()",
      /no 'stat'/,
    ],
    [
      "a key that a closed result can't have",
      "o = shop.order()\nprint(o['idd'])",
      /'idd' is not in the declared result of shop.order \| Did you mean 'id'/,
    ],
    ["an attribute that a closed result can't have", "print(shop.order().nope)", /'nope' is not in/],
    ["a key of an element", "for line in shop.order()['lines']:\n    print(line['sk'])", /'sk' is not in/],
  ])("%s", async (_what, source, expected) => {
    const [first, ...others] = await mistakes(source);
    expect(first).toMatch(expected);
    expect(others.length).toBeLessThan(3);
  });

  it("tells at most five mistakes, each signature once", async () => {
    const result = await check(Array.from({ length: 7 }, () => "github.list_issues(stat=1)").join("\n"));
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(/and 2 more$/) } });
    if (!result.ok) {
      expect(result.error.errors).toHaveLength(5);
      expect(result.error.errors.filter(({ signature }) => signature !== undefined)).toHaveLength(1);
    }
  });
});

describe("a program in Python that may be right passes", () => {
  it.each([
    'github.create_issue(owner="a", repo="b", title="c", labels=[])',
    'github.create_issue({"owner": "a", "repo": "b", "title": "c"})',
    'github.create_issue({"owner": "a"}, repo="b", title="c", timeout_ms=500)',
    'github.createIssue(owner="a", repo="b", title="c")',
    'args = {"owner": "a"}\nargs["repo"] = "b"\nargs.update(title="c")\ngithub.create_issue(args)',
    'args = {"owner": "a", "repo": "b", "title": "c"}\ngithub.create_issue(**args)',
    'github.create_issue(owner="a", **rest())\ndef rest(): return {}',
    "github.create_issue(*things)\nthings = []",
    "def f(github):\n    return github.nope()\nf(1)",
    "github = object()\ngithub.nope()",
    "for github in [1]:\n    github.nope()",
    "class Github: pass\nwith Github() as github:\n    github.nope()",
    "import time\ntime.sleep(1)",
    "state = 'all'\nstate = 'open'\ngithub.list_issues(state=state)",
    "def f(state):\n    return github.list_issues(state=state)\nstate = 'all'\nf('open')",
    "github.list_issues(state=None)",
    "shop.order(count=5.0, price=3, express=not True)",
    "shop.order(count=len('a'), size='small', address={'city': 'a', 'zip': None})",
    "labels = []\nlabels.append('x')\ngithub.create_issue(owner='', repo='', title='', labels=labels)",
    "github.create_issue(owner='', repo='', title='', labels=('a', 'b'))",
    "github.create_issue(owner='', repo='', title='', labels=[*'ab'])",
    "github.tag(labels={'any': 'key'})",
    "shop.open_ended(b=1)",
    "shop.order(from_='a')\nshop.order({'Price': 1})",
    "shop.either(id='1')\nshop.either(name='1')",
    "my_db.query(sql='select 1')\nmy_db.query({'sql': 1})",
    "getattr(github, 'nope')()",
    "hasattr(github, 'nope')",
    "call_mcp_tool(name)\nname = input()",
    "call_mcp_tool('github__list_issues')",
    "call_mcp_tool('github__list_issues', args={'state': 'open'}, timeout_ms=5)",
    "from math import *\nprint(sqrt(4))",
    "from servers.github import *\nlist_issues(state='open')",
    "exec('a = 1')\nprint(a)",
    "try:\n    print(a)\nexcept NameError:\n    a = 1",
    "print([x for x in range(3) if (y := x)], y)",
    "print({k: v for k, v in {}.items()})",
    "f = lambda a, *b, c=1, **d: (a, b, c, d)\nprint(f(1))",
    "def outer():\n    def inner(): return later\n    return inner\nlater = 1",
    "import os.path as p, sys\nprint(p.join('a'), sys.argv)",
    "try:\n    1\nexcept (ValueError, KeyError) as error:\n    print(error)",
    "match [1]:\n    case [x, *rest]:\n        print(x, rest)\n    case {'a': y, **more}:\n        print(y, more)",
    "global total\ntotal = 1\nprint(total)",
    "x: 'Unknown' = 1\ndef f(a: Missing = 1) -> Nothing: return a",
    "print(__name__, __file__, ToolError, emit, search_tools, run_command, runs, pii, fetch)",
    "if __name__ == '__main__':\n    print(1)",
    "class A:\n    b = 1\n    def c(self): return self.b\nA().c()",
    "import functools\n@functools.cache\n@functools.lru_cache(maxsize=1)\ndef f(): pass",
    "class A:\n    @property\n    def b(self): return 1\n    @b.setter\n    def b(self, value): pass",
    "i = shop.order()\ni['score'] = 1\nprint(i['score'], i.get('id'), i.items())",
    "i = shop.order()\nif 'extra' in i:\n    print(i['extra'])",
    "i = shop.order()\ntry:\n    print(i['extra'])\nexcept KeyError:\n    pass",
    "i = github.create_issue(owner='', repo='', title='')\nprint(i['user']['login'], i.number, i['extra']['any'], i['open']['other'])",
    "print(github.get_issue()['issue'])",
    "print(my_db.query()['anything'])",
    "github.CreateIssueInput",
    "from servers.github.create_issue import create_issue\ncreate_issue(owner='', repo='', title='')",
  ])("%j", async (source) => {
    expect(await mistakes(source)).toEqual([]);
  });
});

it("tells of a key that an open result does not name, and refuses nothing", async () => {
  const source = "i = github.create_issue(owner='', repo='', title='')\nprint(i['nubmer'], i.user.logn)";
  expect(await check(source)).toEqual({
    ok: true,
    hints: [
      "2:9 'nubmer' is not in the declared result of github.create_issue. Did you mean 'number'?",
      "2:27 'logn' is not in the declared result of github.create_issue. Did you mean 'login'?",
    ],
  });
});

it("is done with thousands of wrong calls, and skips what takes too long", async () => {
  const calls = Array.from({ length: 3_000 }, (_, at) => `github.create_issue(args, titel=${at})`).join("\n");
  const result = await check(`args = {"owner": "a"}\n${calls}`);
  expect(result.ok ? result.skipped : result.error.errors).toBeDefined();
});

it("takes no long time for a text made to be slow", async () => {
  const source = `a0 = github\n${Array.from({ length: 5_000 }, (_, at) => `a${at + 1} = a${at}`).join("\n")}\na5000.nope()`;
  expect(await mistakes(source)).toEqual([]);
  expect(await mistakes(`x = ${"[".repeat(100)}${"]".repeat(100)}`)).toEqual([]);
});

it.each([
  ["call_mcp_tool('shop__order', args={'count': 'x'})", "'count' must be int, not"],
  ["call_mcp_tool('shop__order', arguments={'cout': 1})", "cout"],
  ["call_mcp_tool(name='shop__order', args={'count': 'x'}, timeout_ms=5)", "'count' must be int"],
  ["call_mcp_tool('shop__order', count='x', timeout_ms=5)", "'count' must be int"],
  ["call_mcp_tool('shop', 'order', args={'count': 1})", 'Write call_mcp_tool("shop__order", {…})'],
  ["shop.order(address={city: 'x'})", 'stands in quotes: {"city": …}'],
  ["rows = {date: 1}", 'stands in quotes: {"date": …}'],
])("is told what is wrong with %j", async (source, told) => {
  expect((await mistakes(source)).join("\n")).toContain(told);
});

it.each([
  "call_mcp_tool('shop__order', args={'count': 1}, timeout_ms=5)",
  "options = shop.order()\ncall_mcp_tool('shop__order', arguments=options)",
  "call_mcp_tool('shop__open_ended', name='x', args='y')",
  "key = 'a'\nrows = {key: 1}",
])("has nothing against %j", async (source) => expect(await mistakes(source)).toEqual([]));
