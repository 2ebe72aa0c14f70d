import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/language/languages.ts";
import { TYPESCRIPT_LANGUAGE } from "../../src/language/typescript/typescript.ts";
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

test("every language of the table passes the suite", () => {
  expect(LANGUAGES).toEqual([TYPESCRIPT_LANGUAGE]);
});
