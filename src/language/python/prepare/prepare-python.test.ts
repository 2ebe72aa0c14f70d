import { describe, expect, it } from "vitest";
import { SERVERS } from "../../../../test/fixtures/check/servers.ts";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { looksLikePython } from "../looks-like-python.ts";
import { preparePython } from "./prepare-python.ts";

const TIME = serverRecord("time", [toolRecord({ name: "get_current_time" })]);
const world = { servers: [...SERVERS, TIME], unavailable: new Map([["mail", "failed: no password"]]) };
const read = (source: string) => preparePython(source, world).program;

describe("a text that is no Python is refused with the place and what to write", () => {
  it.each([
    ["print 'x'", 1, 1, /print is a function/, /print\(…\)/],
    ["if x\n    pass", 1, 5, /colon is missing/, /Write: if x:/],
    ["def f():\nreturn 1", 2, 1, /indented block is missing/, /Indent/],
    ["x = 1\n    y = 2", 2, 5, /indented more/, undefined],
    ["if True:\n    a = 1\n  b = 2", 3, 3, /indented more/, undefined],
    ["def f():\n    if True:\n        a = 1\n      b = 2", 4, 7, /indented/, undefined],
    ["def f():\n    await g()", 2, 5, /not async/, /async def, or leave await out/],
    ["f = lambda: await g()", 1, 13, /lambda/, /async def/],
    ["f(a=1, 2)", 1, 8, /without a name/, /Name it/],
    ["f(a=1, a=2)", 1, 8, /'a' is given twice/, undefined],
    ["x = {'a': 1", 1, 5, /'\{' is never closed/, undefined],
    ["print((1)", 1, 6, /'\(' is never closed/, undefined],
    ['print("a"\nx = 1', 1, 6, /'\(' is never closed/, undefined],
    ["rows = [\n  1,\n  2\nfor r in rows:\n  print(r)", 1, 8, /'\[' is never closed/, undefined],
    ["x = 'abc", 1, 5, /never closed/, undefined],
    ["const x = 1", 1, 7, /no Python/, /TypeScript/],
    ["x = a === b", 1, 9, /no Python/, /==/],
    ["x = a && b", 1, 8, /no Python/, /Write and/],
    ["x = a ?? b", 1, 7, /no Python/, /None/],
    ["x++", 1, 4, /no Python/, /\+= 1/],
    ["// note\nx = 1", 1, 1, /no Python/, /#/],
    ["x = new Date()", 1, 9, /no Python/, /Leave new out/],
    ["x = `a`", 1, 5, /no Python/, /f"/],
    ["throw Error('x')", 1, 7, /no Python/, /raise/],
    ["import { a } from './servers/github'", 1, 8, /no Python/, /language: "typescript"/],
    ["for (const x of y) {\n}", 1, 12, /no Python/, /language: "typescript"/],
  ])("%j", (source, line, column, message, hint) => {
    const program = read(source);
    expect(program).toMatchObject({
      ok: false,
      error: {
        kind: "syntax",
        location: { line, column },
        message: expect.stringMatching(message),
        excerpt: expect.stringContaining("^"),
        ...(hint && { hint: expect.stringMatching(hint) }),
      },
    });
  });

  it("within a second, however it is made", () => {
    for (const text of [
      "(".repeat(50_000),
      "a && ".repeat(5_000),
      `${" ".repeat(50_000)}x ?`,
      "'".repeat(30_001),
    ])
      expect(read(text).ok).toBe(false);
  });
});

describe("an import of what there is not", () => {
  it.each([
    ["from servers.githib import x", /no server "githib"/, /'github'/],
    ["from servers import githib", /no server "githib"/, /'github'/],
    ["import servers.nope as n", /no server "nope"/, /Servers: github, my_db/],
    ["from servers.github import creat_issue", /has no "creat_issue"/, /'create_issue'/],
    ["from servers.mail import send", /server mail failed: no password/, undefined],
    ["import requests, numpy as np", /Cannot import "requests": .*fetch/, undefined],
    [
      "def f(): from dateutil.parser import parse",
      /Cannot import "dateutil.parser": .*fromisoformat/,
      undefined,
    ],
    ["import left_pad", /no module "left_pad": .*standard library/, undefined],
    ["import github", /no module "github"/, /^Leave it out: github/],
    [
      "from mcp.github import create_issue",
      /no module "mcp.github"/,
      /^Write from servers.github import create_issue/,
    ],
  ])("is refused: %j", (source, message, hint) => {
    expect(read(source)).toMatchObject({
      ok: false,
      error: {
        kind: "import",
        location: { line: 1 },
        message: expect.stringMatching(message),
        ...(hint && { hint: expect.stringMatching(hint) }),
      },
    });
  });

  it.each([
    "from servers.github import create_issue, list_issues as li, CreateIssueInput",
    "from servers.github import *",
    "from servers.github.create_issue import create_issue",
    "import servers, servers.github, servers.my_db as db",
    "from servers import github, my_db, myDb",
    "try:\n    from servers.nope import x\nexcept ImportError:\n    x = None",
    "import json, os.path, asyncio, xml.etree.ElementTree as ET\nfrom concurrent.futures import ThreadPoolExecutor",
    "try:\n    import requests\nexcept ImportError:\n    requests = None",
    "import sys\nsys.path.append('workspace')\nimport mine",
    "from __future__ import annotations\nfrom keyhole import ToolError",
  ])("is not: %j", (source) => expect(read(source)).toMatchObject({ ok: true }));
});

describe("a program that is ready", () => {
  it("is the text itself, its places too", () => {
    const source = "\n# hello\nx = 1  # é😀\nreturn x\n";
    expect(read(source)).toMatchObject({ ok: true, code: source, places: new Int32Array() });
  });

  it.each([
    ["```python\nprint(1)\n```", "         \nprint(1)\n   "],
    ["Here it is:\n```py\nprint(1)\n```\nIt prints.", "           \n     \nprint(1)\n   \n          "],
    ["\ufeffprint(1)", "print(1)"],
  ])("without what is around it: %j", (source, code) =>
    expect(read(source)).toMatchObject({ ok: true, code }),
  );

  it.each([
    ["github.list_issues()", ["github"], []],
    ["import servers.github as gh\ngh.list_issues()", ["github"], []],
    ["call_mcp_tool('my-db__query', {})", [], []],
    ["myDb.query()", ["my-db"], [["myDb", "my_db"]]],
    ["print(open)", [], []],
    ["import time\ntime.sleep(1)", ["time"], []],
  ])("says which servers it uses: %j", (source, servers, aliases) => {
    expect(read(source)).toMatchObject({ uses: { servers, aliases, isOpen: false } });
  });

  it.each(["getattr(x, n)", "globals()[n]", "import servers\nservers[n]", "import importlib", "eval(t)"])(
    "may use any server: %j",
    (source) => {
      expect(read(source)).toMatchObject({
        uses: { isOpen: true, servers: ["github", "my-db", "many", "time"] },
      });
    },
  );

  it.each([
    "open('workspace/a')",
    "from pathlib import Path",
    "import os",
    "import csv, json",
    "import sqlite3",
    "exec(t)",
    "getattr(x, n)",
    "__import__('os')",
    "import sys, unknown_module",
    "print('./workspace')",
  ])("may use files: %j", (source) => expect(read(source)).toMatchObject({ modules: ["fs"] }));

  it.each([
    "import json, re, asyncio\nfrom datetime import datetime\nfrom urllib.parse import quote\nprint(opened.reopen())",
    "from servers.github import list_issues\nlist_issues()",
  ])("uses no files: %j", (source) => expect(read(source)).toMatchObject({ modules: [] }));

  it("says how to end it where it gives nothing back", () => {
    expect(read("a = 1\ntotal = a + 1\n# done")).toMatchObject({ hint: "End it with: return total" });
    expect(read("a = 1\nprint(a)")).not.toHaveProperty("hint");
  });
});

describe("a text for which no language is named", () => {
  it.each([
    "from servers.github import list_issues\nlist_issues()",
    "import json\nprint(1)",
    "import json, re",
    "def main():\n    return 1",
    "for x in y:\n    print(x)",
    "# count the issues\nlen(github.list_issues())",
    'print(f"{x}")',
    "x = everything.get_sum(a=1, b=2)\nprint(x)",
    "{'a': everything.get_sum(a=1,b=2), 'b': None}",
    "await memory.search_nodes(query='x')",
    "print(1)",
    "o = await slow_shop.list_orders()\no",
    "orders = (await slow_shop.list_orders())['orders']\nlen(orders)",
    "x = [1, 2, 3]\nsum(x)",
    "result = await memory.read_graph()\nnames = [e['name'] for e in result['entities']]\nnames",
    "sorted({w for w in await words.list()})",
  ])("is Python: %j", (text) => expect(looksLikePython(text)).toBe(true));

  it.each([
    "const a = 1;\nreturn a",
    "class A {\n  m(a=1) {\n    return a\n  }\n}\nreturn new A().m()",
    "const add = (a=1, b=2) => a + b\nreturn add()",
    "return await everything.getSum({ a: 1, b: 2 })",
    "if (x == 1) {\n  return f(x)\n}",
    "github.list_issues()",
    'import { a } from "./servers/github";\nawait a()',
    'import fs from "fs"\nfs.x()',
    "// note\nreturn await github.listIssues({})",
    "/*\nimport json\n*/\nreturn 1",
    "return `\nimport json\n`",
    "switch (a) {\n  case 1:\n}",
    'const text = "x";\n# y',
    "items.map((x) => x)\n",
    "result = await github.listIssues({ owner: 'a' })\nreturn result",
    "rows = await db.query({ sql: 'select 1' })\nrows.length",
    "ok = true\nreturn ok",
    "let n = 0\nfor (x in rows) n++\nn",
  ])("is not: %j", (text) => expect(looksLikePython(text)).toBe(false));

  it("is looked at in no time", () => {
    for (const text of [
      "def f(".repeat(9_000),
      "import a, ".repeat(9_000),
      "\n ".repeat(9_000),
      "if ".repeat(9_000),
      "f(a, ".repeat(4_000),
      `f(${"a, ".repeat(6_000)}`,
      "a".repeat(20_000),
      "[a ".repeat(6_000),
      "[ for a in ".repeat(1_800),
      "{ ".repeat(9_000),
    ])
      expect(looksLikePython(text)).toBe(false);
  });
});
