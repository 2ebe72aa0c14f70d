import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toPythonFacts } from "./facts/facts.ts";
import { parsePython } from "./parse-python.ts";

const servers = [serverRecord("pay", [toolRecord({ name: "refund" })])];
const factsOf = (source: string) => toPythonFacts(source, parsePython(source), servers);

describe("Python that the grammar does not know", () => {
  it.each([
    'with (open("a") as f, open("b", "w") as g):\n    g.write(f.read())',
    'with (open("a") as f):\n    print(f)',
    'with (  # both\n    open("a)") as f,\n    open("""\n:""") as g,  # (\n):\n    print(1)',
    "async def f():\n    async with (a() as b, c({1: 2}) as d):\n        with (e as g): pass\n    return 1",
    "with a(b) as (c, d), e as [f, g]:\n    pass",
    "with a(b) as (c, d):\n    with x as (y, z):\n        pass\nwith (q as r): pass",
    "match x:\n    case int():\n        pass\n    case str() | a.b():\n        pass\n    case [Point(), *_]:\n        pass\n    case ():\n        pass",
    "match x:\n    case str() | int(): print(1)\n    case [a, *b] if len(b) > 1: print(b)\n    case _: print(2)",
    "def f():\n    yield",
    "x = (lambda: (yield))",
    "def f():\n    x = yield\n    return (yield)",
    "x = 20.\ny = 24.*3600.",
    "\f\nimport json\n\fdef f():\n    return\f1",
    "\ufeffprint(1)",
    "```python\nprint(1)\n```",
    "#!/usr/bin/env python3\nprint(1)",
  ])("is Python: %j", (source) => {
    const { wrongAt, gapAt, text } = parsePython(source);
    expect({ wrongAt, gapAt }).toEqual({});
    expect(text).toHaveLength(source.length);
    expect(factsOf(source).hits).toEqual([]);
  });

  it.each(["@a.b(1)[0]\ndef f(): pass", "for x in *a, *b: print(x)", 'match x:\n    case "a" "b": pass'])(
    "is not called wrong, but not examined: %j",
    (source) => {
      expect(parsePython(source).wrongAt).toBeUndefined();
      const { hits, dynamic } = factsOf(source);
      expect(hits.map(({ rule }) => rule)).toEqual(["not-examined"]);
      expect(dynamic).toHaveLength(1);
    },
  );

  it.each(["def (:", "x = = 1", "with a as b\n    pass", "print((1)", "def f():\n    return (", "x. = 1"])(
    "is no Python: %j",
    (source) => {
      const { wrongAt, gapAt } = parsePython(source);
      expect(wrongAt ?? gapAt).toBeDefined();
    },
  );

  it("is read whole", () => {
    const source =
      'from servers.pay import refund\nwith (\n  open("/etc/passwd") as f,\n  eval(x) as g,\n):\n  match f:\n    case int():\n      await refund({})';
    const { hits, tools, files } = factsOf(source);
    expect(hits.map(({ rule, line }) => [rule, line])).toEqual([
      ["file-outside", 3],
      ["dynamic-eval", 4],
    ]);
    expect(tools).toMatchObject([{ tool: "refund", line: 8 }]);
    expect(files).toMatchObject([{ path: "/etc/passwd" }]);
  });

  it("hides nothing in a pattern", () => {
    expect(factsOf("match x:\n  case eval():\n    eval(y)").hits.map(({ rule }) => rule)).toContain(
      "dynamic-eval",
    );
  });
});
