import { expect, test } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { findPrinter, LANGUAGES, toPrinters } from "../../src/language/languages.ts";
import { PYTHON_LANGUAGE } from "../../src/language/python/python.ts";
import { TYPESCRIPT_LANGUAGE } from "../../src/language/typescript/typescript.ts";
import { createSearch } from "../../src/search/search.ts";
import { serverRecord, toolRecord } from "../fixtures/codegen/records.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, onCleanup, project } from "../fixtures/project.ts";
import { testLanguage } from "./conformance.ts";
import { LINES } from "./lines/lines.ts";

testLanguage(TYPESCRIPT_LANGUAGE, {
  returns: 'return { a: [1, null, "ü😀"] };',
  nothing: "const a = 1;",
  logs: 'console.log("one");\nconsole.log("two 😀");',
  calls: 'return await good.good0({ value: "x" });',
  callsThrice: 'for (const value of ["a", "b", "c"]) await good.good0({ value });',
  noProgram: "const a = 1;\n\nconst = 2;",
  unknownTool: "// one\n// two\nawait good.nope({});",
  unknownServer: "// one\n// two\nawait absent.tool({});",
  failedCall: "interface A { b: 1 }\n\nawait refuses.limited({});",
  throws: 'interface A { b: 1 }\n\nthrow new Error("out of paper");',
  endless: 'console.log("on it");\nawait null;\nfor (;;);',
  sleeps: "await new Promise((resolve) => setTimeout(resolve, 60_000));",
  skills: {
    saves:
      'const code = `/** Greets. */\\nexport function greet(name: string): string {\\n  if (name === "") throw new Error("nobody");\\n  return "hello " + name;\\n}`;\nreturn await saveSkill({ name: "greet-all", description: "Greets people", code });',
    uses: 'import { greet } from "./skills/greetAll";\nreturn greet("you");',
    fails: 'import * as greeting from "./skills/greet-all";\n\ngreeting.greet("");',
    misuses: 'import { greet } from "./skills/greet-all";\ngreet("a", "b", "c");',
    unknown: 'import { greet } from "./skills/greet-al";\ngreet("a");',
  },
});

testLanguage(PYTHON_LANGUAGE, {
  returns: 'return {"a": [1, None, "ü😀"]}',
  nothing: "a = 1",
  logs: 'print("one")\nprint("two 😀")',
  calls: 'good.good_0(value="x")',
  callsThrice: 'for value in ["a", "b", "c"]:\n    good.good_0({"value": value})',
  noProgram: "a = 1\n\nif a = 2:\n    pass",
  unknownTool: "# one\n# two\nawait good.nope()",
  unknownServer: "# one\n# two\nabsent.tool()",
  failedCall: "import json\n\nrefuses.limited()",
  throws: 'import json\n\nraise ValueError("out of paper")',
  endless: 'import asyncio\nprint("on it")\nawait asyncio.sleep(0)\nwhile True:\n    pass',
  sleeps: "import time\n\ntime.sleep(60)",
  skills: {
    saves:
      'code = """def greet(name: str) -> str:\\n    if name == "":\\n        raise ValueError("nobody")\\n    return "hello " + name\\n"""\nreturn save_skill(name="greet-all", description="Greets people", code=code)',
    uses: 'from skills.greet_all import greet\nreturn greet("you")',
    fails: 'import skills.greet_all as greeting\n\ngreeting.greet("")',
    misuses: 'from skills.greet_all import greet\ngreet("a", "b", "c")',
    unknown: 'from skills.greet_al import greet\ngreet("a")',
  },
});

testLanguage(LINES, {
  returns: 'return {"a":[1,null,"ü😀"]}',
  nothing: "# nothing",
  logs: "log one\nlog two 😀",
  calls: 'call good.good0 {"value":"x"}\nreturn it',
  callsThrice: ["a", "b", "c"].map((value) => `call good.good0 {"value":"${value}"}`).join("\n"),
  noProgram: "log one\n\nnope 2",
  unknownTool: "# one\n# two\ncall good.nope {}",
  unknownServer: "# one\n# two\ncall absent.tool {}",
  failedCall: "log one\n\ncall refuses.limited {}",
  throws: "log one\n\nfail out of paper",
  endless: "log on it\nloop",
  sleeps: "sleep 60000",
});

test("one engine runs programs of several languages, and means the first when nothing is said", async () => {
  const opened = await project({ good: fixture("good") });
  await opened.catalog.read();
  const engine = inSession(createEngine(opened, { poolSize: 0, languages: [TYPESCRIPT_LANGUAGE, LINES] }));
  onCleanup(() => engine.close());
  const results = await Promise.all([
    engine.run({ code: 'return (await good.good0({ value: "t" })).echoed' }),
    engine.run({ code: 'call good.good0 {"value":"l"}\nreturn it', language: "ln" }),
    engine.run({ code: "return 1 as number", language: "js" }),
  ]);
  expect(results.map(({ result }) => result)).toEqual([
    { value: "t" },
    { server: "good", echoed: { value: "l" } },
    1,
  ]);
});

test("what tools can be written in follows from the table of languages", async () => {
  const printers = toPrinters([TYPESCRIPT_LANGUAGE, LINES]);
  expect(printers.map(({ name }) => name)).toEqual(["typescript", "lines", "python"]);
  for (const word of ["ln", "Lines"]) expect(findPrinter(word, printers)).toBe(LINES.printer);
  const server = serverRecord("github", [toolRecord({ name: "create_issue" })]);
  const search = createSearch(() => [server], { printers });
  for (const detail of ["name", "description", "full", undefined] as const) {
    const { text } = await search.answer({ query: "create issue", language: "lines", detail });
    expect(text).toContain(detail === "full" ? "call github.create_issue JSON" : "create_issue");
  }
});

test("every language of the table passes the suite", () => {
  expect(LANGUAGES).toEqual([TYPESCRIPT_LANGUAGE, PYTHON_LANGUAGE]);
});
