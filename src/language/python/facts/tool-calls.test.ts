import { expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { parsePython } from "../parse-python.ts";
import { toPythonFacts } from "./facts.ts";

const servers = [
  serverRecord("github", [toolRecord({ name: "create_issue" }), toolRecord({ name: "get_issue" })]),
  serverRecord("time", [toolRecord({ name: "get_current_time" })]),
];
const factsOf = (source: string) => toPythonFacts(source, parsePython(source), servers);

it.each([
  ['github.create_issue(title="a")', ["create_issue"]],
  ['await github.create_issue({"title": "a"})', ["create_issue"]],
  ['issue = github.create_issue(**{"title": "a"})', ["create_issue"]],
  ["from servers.github import create_issue\ncreate_issue(title='a')", ["create_issue"]],
  ["from servers.github import create_issue as c\nc(title='a')", ["create_issue"]],
  ["from servers.github.create_issue import create_issue\ncreate_issue(title='a')", ["create_issue"]],
  ["from servers import github\ngithub.create_issue()", ["create_issue"]],
  ["from servers import github as gh\ngh.create_issue()", ["create_issue"]],
  ["import servers.github as gh\ngh.create_issue()", ["create_issue"]],
  ["import servers\nservers.github.create_issue()", ["create_issue"]],
  ["import servers.github\nservers.github.create_issue()", ["create_issue"]],
  ["from servers.github import *\ncreate_issue()", ["create_issue"]],
  ["github['create_issue']()", ["create_issue"]],
  ["getattr(github, 'create_issue')()", ["create_issue"]],
  ["f = github.create_issue\nf()", ["create_issue"]],
  [
    "import asyncio\nawait asyncio.gather(github.create_issue(), github.get_issue())",
    ["create_issue", "get_issue"],
  ],
  ["import asyncio\nasync def main():\n    github.create_issue()\nasyncio.run(main())", ["create_issue"]],
  ["list(map(github.create_issue, rows))", ["create_issue"]],
  ["call_mcp_tool('github__create_issue', {})", ["create_issue"]],
  ["call_mcp_tool(args={}, name='github__create_issue')", ["create_issue"]],
  ["time.get_current_time()", ["get_current_time"]],
  ["with x() as y:\n    github.create_issue()", ["create_issue"]],
  ["match x:\n    case 1:\n        github.create_issue()", ["create_issue"]],
])("sees which tools are called: %j", (source, tools) => {
  const facts = factsOf(source);
  expect(facts.tools.map(({ tool }) => tool)).toEqual(tools);
  expect(facts.dynamic).toEqual([]);
});

it.each([
  "for row in rows:\n    github.create_issue(title=row)",
  "[github.create_issue(title=row) for row in rows]",
  "import asyncio\nawait asyncio.gather(*[github.create_issue(title=row) for row in rows])",
  "import asyncio\nawait asyncio.gather(*(github.create_issue(title=row) for row in rows))",
  "def make(row):\n    return github.create_issue(title=row)\nfor row in rows:\n    make(row)",
  "list(map(github.create_issue, rows))",
])("sees that they are called again and again: %j", (source) => {
  expect(factsOf(source).tools).toMatchObject([{ tool: "create_issue", inLoop: true }]);
});

it.each(["import time\ntime.sleep(1)", "import servers.github as time\ntime.sleep(1)"])(
  "takes a module of the same name for what it is: %j",
  (source) => {
    expect(factsOf(source).tools).toEqual([]);
  },
);

it.each([
  "call_mcp_tool(name, {})",
  "getattr(github, name)()",
  "import servers\ngetattr(servers, name).x()",
  "f(github)",
])("says where any may be called: %j", (source) => expect(factsOf(source).dynamic.length).toBeGreaterThan(0));

it("sees what one tool gave go to another, by keywords too", () => {
  const source = "issue = github.get_issue(number=1)\ngithub.create_issue(title=issue['title'])";
  expect(factsOf(source).flows).toMatchObject([
    { from: { tool: "get_issue" }, to: { tool: "create_issue" } },
  ]);
});

it("sees files and hosts that are named by keywords", () => {
  expect(factsOf("open(mode='w', file='/etc/x')").files).toMatchObject([{ path: "/etc/x", access: "write" }]);
  expect(factsOf("await fetch(url='https://api.example/x')").hosts).toMatchObject([{ host: "api.example" }]);
});
