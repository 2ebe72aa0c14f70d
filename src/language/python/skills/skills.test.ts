import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import type { SkillSource } from "../../language.ts";
import { createSkillNames } from "../../skills/skill-names.ts";
import { checkPython } from "../check/check-python.ts";
import { toPythonFacts } from "../facts/facts.ts";
import { preparePython } from "../prepare/prepare-python.ts";
import { findSkillImports } from "./imports.ts";
import { createSkillReader, loadPythonSkills } from "./load-python-skills.ts";
import { readPythonModule } from "./python-module.ts";
import { withSkills } from "./with-skills.ts";

const SERVERS = [
  serverRecord("github", [toolRecord({ name: "list_issues" })]),
  serverRecord("mail", [toolRecord({ name: "send" })]),
];
const WORLD = { servers: SERVERS, unavailable: new Map<string, string>() };

const ISSUES = `
"""Issues."""
from typing import Literal, Optional
from ..text_tools import cut
import json

LIMIT = 20
PAIR, OTHER = 1, 2
_own = 3

async def open_issues(repo: str, limit: int = LIMIT, *, state: Literal["open", "closed"] = "open") -> list[dict]:
    """Those that are open.

    More of it."""
    return (await github.list_issues(repo=repo))[:limit]

def title(issue: dict, width: Optional[float] = None, /, *more, **rest): return cut(issue["title"])

@staticmethod
def changed(a): pass

class Issue(dict):
    "One of them"
    def __init__(self, number: int, title="x"): self.number = number
    def close(self): pass

def _hidden(): pass
`;
const SKILLS: readonly SkillSource[] = [
  skill("open-issues", ISSUES),
  skill("text-tools", "def cut(text: str, width=80): return text[:width]\nif True:\n    maybe = 1\n"),
  skill(
    "mailer",
    "import servers.mail\nfrom skills.open_issues import *\ndef send(to): open('workspace/a').read()",
  ),
  skill("ab", "a = 1\ndef set():\n    global late\n    late = 1"),
  skill("a-b", "b = 1"),
  skill("class", "def f(): pass"),
  skill("round", "from skills.about import x\ny = 1"),
  skill("about", "from ..round import y\nx = 1"),
  skill("self", "import skills.self"),
  skill("lost", "from skills.open_issue import f"),
  skill("bad", "def f(:"),
  skill("tidy", "export const a = 1;", { language: "typescript" }),
  skill("fresh", "x = 1", {
    unavailable: { why: "is quarantined until somebody else approves it", fix: "Ask" },
  }),
];

function skill(name: string, code: string, more: Partial<SkillSource> = {}): SkillSource {
  return { name, code, language: "python", hash: `hash of ${name}`, ...more };
}

function known(skills: readonly SkillSource[] = SKILLS) {
  const names = createSkillNames(skills);
  const found = new Map<string, ReturnType<typeof names.find>>();
  return {
    async find(spellings: Iterable<string>) {
      for (const one of spellings) found.set(one, names.find(one));
      return found;
    },
    names: () => skills.map(({ name }) => name),
  };
}

async function load(source: string, self?: string) {
  const prepared = preparePython(source, WORLD, self);
  if (!prepared.program.ok) throw new Error(prepared.program.error.message);
  const imports = findSkillImports(prepared.parsed, prepared.bindings, self);
  const skills = await loadPythonSkills({ ...prepared, imports }, known(), createSkillReader(), self);
  return { ...prepared, program: prepared.program, skills };
}

async function loaded(source: string) {
  const { skills, ...rest } = await load(source);
  if ("kind" in skills) throw new Error(skills.message);
  return { ...rest, skills };
}

async function refused(source: string, self?: string): Promise<string> {
  const { skills } = await load(source, self);
  if (!("kind" in skills)) throw new Error("It is taken");
  const { location, message, hint } = skills;
  return [`${location?.line}:${location?.column} ${message}`, hint].filter(Boolean).join(" | ");
}

async function mistakes(source: string): Promise<string[]> {
  const { parsed, skills } = await loaded(source);
  const result = await checkPython({ ...WORLD, parsed, skillOf: skills.skillOf, load: async () => {} });
  return result.ok
    ? []
    : result.error.errors.map(({ message, hint }) => [message, hint].filter(Boolean).join(" | "));
}

describe("a program's skills in Python", () => {
  it.each([
    "from skills.open_issues import open_issues, title as t",
    "import skills.open_issues",
    "import skills.open_issues as s",
    "from skills import open_issues as s",
    "import skills\nskills.open_issues.LIMIT",
    "import skills as own\nprint(own.open_issues.LIMIT)",
    'import importlib\nm = importlib.import_module("skills.open_issues")',
    'm = __import__("skills.open_issues", fromlist=["x"])',
    "def f():\n    from skills.openIssues import title",
    "try:\n    from skills.open_issues import gone\nexcept ImportError:\n    import skills.nothing",
  ])("are found by each way to import them: %s", async (source) => {
    const { skills } = await loaded(source);
    expect(skills.used.map(({ name }) => name)).toEqual(["text-tools", "open-issues"]);
    expect(skills.used[1]).toMatchObject({ code: ISSUES, source: ISSUES, hash: "hash of open-issues" });
  });

  it("are what is written, also where several are spelled alike, and those that no program can name", async () => {
    const { skills } = await loaded(
      "from skills.a_b import b\nfrom skills.ab import a\nimport skills.class_",
    );
    expect(skills.used.map(({ name }) => name)).toEqual(["a-b", "ab", "class"]);
    expect((await loaded("skills = github\nskills.open_issues()")).skills.used).toEqual([]);
    expect((await loaded("import skills")).skills.used).toEqual([]);
  });

  it("bring with them what they use", async () => {
    const { program, skills } = await loaded("from skills.mailer import send");
    const whole = withSkills(program, skills, SERVERS);
    expect(whole.uses).toMatchObject({ servers: ["github", "mail"], isOpen: false });
    expect(whole.modules).toEqual(["fs"]);
    expect(withSkills((await loaded("x = 1")).program, skills, SERVERS).modules).toEqual(["fs"]);
  });

  it.each([
    ["import skills.open_isues", "1:8 There is no skill \"open_isues\" | Did you mean 'open_issues'?"],
    [
      "x = 1\nfrom skills import nothing_like_it",
      '2:20 There is no skill "nothing_like_it" | Skills: open_issues,',
    ],
    [
      "import skills.aB",
      "1:8 There is no skill \"aB\" | It could mean 'ab' or 'a_b': write the one you mean",
    ],
    [
      "import skills.tidy",
      '1:8 Skill "tidy" is written in typescript, which a program in Python can\'t import',
    ],
    ["import skills.fresh", '1:8 Skill "fresh" is quarantined until somebody else approves it | Ask'],
    [
      "import skills.round",
      '1:8 Cannot import the skill "about", because of what it imports: Skills import each other in a circle: round → about → round',
    ],
    ["import skills.self", "Skills import each other in a circle: self → self"],
    [
      "import skills.lost",
      '1:8 Cannot import the skill "lost", because of what it imports: There is no skill "open_issue" | Did you mean',
    ],
    ["import skills.bad", '1:8 Skill "bad" is no Python, in line 1: '],
    [
      "from skills.open_issues import openissues",
      '1:32 Skill "open-issues" has no "openissues" | Did you mean \'open_issues\'',
    ],
    ["from skills.ab import b", '1:23 Skill "ab" has no "b" | Did you mean \'a\'?'],
    ["from skills.ab.c import d", "1:1 A skill is one file | Write from skills.name import …"],
    ["from skills import *", "1:20 All skills can't be imported at once"],
  ])("are refused before anything runs, with what to write: %s", async (source, message) => {
    expect(await refused(source)).toContain(message);
  });

  it("can't import themselves, nor whom they are imported by", async () => {
    expect(await refused("from skills.self import x", "self")).toContain("self → self");
    expect(await refused("from skills.not_yet import x", "not-yet")).toContain("not-yet → not-yet");
    expect(await refused("from ..about import x", "round")).toContain("round → about → round");
    expect(await refused("from .round import y", "new-one")).toContain("round → about → round");
  });

  it("return nothing at the top", () => {
    const { program } = preparePython("def f(): return 1\nreturn f()", WORLD, "one");
    expect(program).toMatchObject({ ok: false, error: { kind: "syntax", location: { line: 2, column: 1 } } });
  });
});

describe("what a skill is there for", () => {
  it("is what it declares without a line before its name", () => {
    expect(readPythonModule("open-issues", ISSUES).exports).toEqual([
      { name: "LIMIT", kind: "value", signature: "LIMIT = 20" },
      { name: "PAIR", kind: "value", signature: "PAIR" },
      { name: "OTHER", kind: "value", signature: "OTHER" },
      {
        name: "open_issues",
        kind: "function",
        signature:
          'async def open_issues(repo: str, limit: int = LIMIT, *, state: Literal["open", "closed"] = "open") -> list[dict]',
        description: "Those that are open.",
      },
      {
        name: "title",
        kind: "function",
        signature: "def title(issue: dict, width: Optional[float] = None, /, *more, **rest)",
      },
      { name: "changed", kind: "function", signature: "def changed(a)" },
      {
        name: "Issue",
        kind: "type",
        signature: 'class Issue(number: int, title="x")',
        description: "One of them",
      },
    ]);
  });

  it("is what it lists, if it does", () => {
    const code = '__all__ = ["_a", "far"]\nfrom x import far\ndef _a(): pass\ndef b(): pass';
    const { exports, starred } = readPythonModule("listed", code);
    expect(exports.map(({ name, kind }) => [name, kind])).toEqual([
      ["_a", "function"],
      ["far", "value"],
    ]);
    expect(starred).toEqual(["_a", "far"]);
  });
});

describe("what a program does by its skills", () => {
  async function factsOf(source: string, more: readonly SkillSource[]) {
    const prepared = preparePython(source, WORLD);
    const { parsed, bindings } = prepared;
    const imports = findSkillImports(parsed, bindings);
    const skills = await loadPythonSkills({ ...prepared, imports }, known(more), createSkillReader());
    if ("kind" in skills) throw new Error(skills.message);
    return toPythonFacts(source, parsed, SERVERS, { skills, bindings, isSkill: false });
  }
  const FETCH = skill("fetch-all", "def rows(repo):\n    return github.list_issues(repo=repo)\n");
  const SEND = skill(
    "send-all",
    "from ..fetch_all import rows\nimport skills.fetch_all as f\ndef tell(text): mail.send(text=text)\ndef all_of(repo): tell(rows(repo)); f.rows(repo)\n",
  );

  it("is told with the place in the skill", async () => {
    const deeds = skill(
      "deeds",
      'import os\n\ndef f():\n    os.system("ls")\n    eval("1")\n    open("/etc/passwd")\n',
    );
    const facts = await factsOf("from skills.deeds import f\nmail.send()", [deeds]);
    expect(
      facts.hits.filter(({ skill: name }) => name === "deeds").map(({ rule, line }) => [rule, line]),
    ).toEqual([
      ["process", 4],
      ["dynamic-eval", 5],
      ["file-outside", 6],
    ]);
    expect(facts.files).toMatchObject([{ path: "/etc/passwd", skill: "deeds", line: 6 }]);
    expect(facts.tools).toEqual([{ server: "mail", tool: "send", line: 2, column: 1, inLoop: false }]);
    expect(facts.lines).toBe(9);
  });

  it("is told of where the program does it itself, too", async () => {
    const { tools } = await factsOf("from skills.fetch_all import rows\n\ngithub.list_issues()", [FETCH]);
    expect(tools).toEqual([{ server: "github", tool: "list_issues", line: 3, column: 1, inLoop: false }]);
  });

  const TELL = skill("teller", "def tell(text): mail.send(text=text)\n");

  it.each([
    "from skills.fetch_all import rows\nfor n in range(9): rows(n)",
    "from skills.fetch_all import rows as r\nx = [r(n) for n in range(9)]",
    "from skills.fetch_all import *\nwhile True: rows(1)",
    "import skills.fetch_all as s\nfor n in range(9): s.rows(n)",
    "import skills.fetch_all\nfor n in range(9): skills.fetch_all.rows(n)",
    "from skills import fetch_all\nfor n in range(9): fetch_all.rows(n)",
    "import skills as own\nfor n in range(9): own.fetchAll.rows(n)",
    "from skills.send_all import all_of\nfor n in range(9): all_of(n)",
    "from skills.send_all import f\nfor n in range(9): f.rows(n)",
    "from skills.fetch_all import rows\nlist(map(rows, [1, 2]))",
    "import skills.teller as t\nfrom skills.fetch_all import rows\nt.tell = rows\nfor n in range(9): t.tell(n)",
    "from skills.send_all import rows\ndef again(n):\n    rows(n)\n    again(n - 1)\nagain(3)",
  ])("is done as often as the program calls it: %s", async (source) => {
    const { tools } = await factsOf(source, [FETCH, SEND, TELL]);
    expect(tools.find(({ tool }) => tool === "list_issues")).toMatchObject({
      inLoop: true,
      skill: "fetch-all",
      line: 2,
    });
  });

  it.each([
    ["from skills.send_all import all_of\nall_of(1)", 1],
    ["from skills.fetch_all import rows\nmail.send(text=rows(1))", 1],
    ["import skills.fetch_all as a, skills.teller as b\nx = a.rows(1)\nb.tell(x)", 1],
    ["import skills\nskills.teller.tell(skills.fetch_all.rows(1))", 1],
    ["from skills.teller import tell\ntell(github.list_issues())", 1],
    ["from skills.fetch_all import rows\nrows(1)\nmail.send(text='x')", 0],
    ["import skills.fetch_all as a, skills.teller as b\na.rows(1)\nb.tell('x')", 0],
  ])("passes on what tools gave: %s", async (source, count) => {
    const { flows } = await factsOf(source, [FETCH, SEND, TELL]);
    const found = flows.filter(({ from, to }) => from.server === "github" && to.server === "mail");
    expect(found).toHaveLength(count);
  });

  it("can't be hidden in what a skill gives under another name", async () => {
    const hidden = skill("plain", "import os\nrun = os.system\nquiet = eval\ntool = github\n");
    const source =
      'import skills.plain as p\nfrom skills.plain import quiet\np.run("ls")\nquiet("1")\np.tool.list_issues()';
    const { hits, tools, dynamic } = await factsOf(source, [hidden]);
    expect(hits.filter((one) => one.skill === undefined).map(({ rule, line }) => [rule, line])).toEqual([
      ["process", 3],
      ["dynamic-eval", 4],
    ]);
    expect(tools).toMatchObject([{ tool: "list_issues", line: 5 }]);
    expect(dynamic.length).toBeGreaterThan(0);
  });
});

describe("a wrong use of a skill", () => {
  const IMPORT =
    "from skills.open_issues import open_issues, title, changed\nimport skills.open_issues as s\n";

  it.each([
    ["open_issues()", "open_issues() needs 'repo'"],
    ["await s.open_issues(5)", "'repo' must be str, not 5"],
    ['open_issues("a", limit="x")', "'limit' must be int, not the str \"x\""],
    ['open_issues("a", 1, "open")', "open_issues() takes 2 by place, not 3"],
    ['open_issues(rep="a")', "open_issues() takes no 'rep' | Did you mean 'repo'?"],
    ['open_issues("a", repo="b")', "'repo' is given twice"],
    [
      'open_issues("a", state="opened")',
      '\'state\' must be one of "open", "closed", not the str "opened" | Did you mean \'open\'?',
    ],
    ["title()", "title() needs 'issue'"],
    ["title(issue={})", "title() needs 'issue'"],
    ["title([])", "'issue' must be dict, not a list"],
    ["s.titel({})", "'titel' does not exist in skill 'open_issues' | Did you mean 'title'?"],
    ["from skills.open_issues import cut\ncut(5)", "'text' must be str, not 5"],
    ["from skills.open_issues import *\nprint(LIMIT, PAIRS)", "Cannot find name 'PAIRS'"],
  ])("is told before anything runs: %s", async (use, message) => {
    expect((await mistakes(IMPORT + use))[0]).toContain(message);
  });

  it("comes with the signature", async () => {
    const { parsed, skills } = await loaded(`${IMPORT}open_issues()`);
    const result = await checkPython({ ...WORLD, parsed, skillOf: skills.skillOf, load: async () => {} });
    expect(result).toMatchObject({
      error: { errors: [{ line: 3, signature: expect.stringMatching(/^async def open_issues\(repo: str/) }] },
    });
  });

  it.each([
    'await open_issues("a", 3, state="closed")',
    'open_issues(repo="a", limit=True)',
    "open_issues(*rows)\nrows = []",
    'open_issues("a", **more)\nmore = {}',
    'title({}, 1, 2, 3, any="thing")',
    "title({}, None)",
    "title(*rows)\nrows = []",
    "s.LIMIT + s._own + s.Issue(1).number\ns.changed(1, 2, 3)",
    "s.__name__, s.Issue",
    "def open_issues(): pass\nopen_issues(1, 2, 3)",
    "from skills.open_issues import *\nprint(LIMIT, Issue(1))",
    "from skills.text_tools import maybe\nfrom skills.ab import late",
  ])("is none where it may be right: %s", async (use) => {
    expect(await mistakes(IMPORT + use)).toEqual([]);
  });
});
