import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadGatePrograms } from "../../../test/fixtures/gate/programs.ts";
import { readOfficeTasks } from "../../../test/fixtures/office-tasks.ts";
import { parsePythonLiterals, parseTypeScriptLiterals } from "../../../test/fixtures/program-literals.ts";
import { findLiterals } from "./find-literals.ts";
import type { FoundLiterals, ProgramLanguage } from "./literal-piece.ts";
import { readLiteralText } from "./literal-text.ts";
import { findPythonLiterals } from "./literals-python.ts";
import { findTypeScriptLiterals } from "./literals-typescript.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const READERS = {
  typescript: { find: findTypeScriptLiterals, parse: parseTypeScriptLiterals },
  python: { find: findPythonLiterals, parse: parsePythonLiterals },
} as const;

/** Whether it is a program; where it is one, the scanner reads what the parser reads. */
function expectAgreement(code: string, language: ProgramLanguage): boolean {
  const { find, parse } = READERS[language];
  const parsed = parse(code);
  if (parsed === undefined) return false;
  const found: FoundLiterals = find(code);
  expect(found.lostAt, code).toBeUndefined();
  const pieces = [...found.pieces].sort((a, b) => a.start - b.start);
  const toSpan = ({ start, end }: { start: number; end: number }) => [
    start,
    end,
    code.slice(start, end).slice(0, 80),
  ];
  expect(pieces.map(toSpan), code.slice(0, 2_000)).toEqual(parsed.literals.map(toSpan));
  for (const [place, piece] of pieces.entries()) {
    const text = parsed.literals[place]?.text;
    if (text !== undefined && !piece.isRaw) expect(readLiteralText(code, piece, language)).toBe(text);
  }
  return true;
}

async function readSources(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const isOurs = (path: string) => !path.includes("node_modules");
  const files = entries.filter(
    (entry) => entry.isFile() && /\.(ts|js|mjs)$/.test(entry.name) && isOurs(entry.parentPath),
  );
  const read = files.map((file) => readFile(join(file.parentPath, file.name), "utf8").catch(() => ""));
  return (await Promise.all(read)).filter((source) => source !== "");
}

describe("the literals of a program", () => {
  it("are those of the parser, in all of this project", async () => {
    const sources = (await Promise.all(["src", "test", "bench", "scripts"].map(readSources))).flat();
    expect(sources.length).toBeGreaterThan(1_000);
    expect(sources.filter((source) => !expectAgreement(source, "typescript"))).toEqual([]);
  }, 120_000);

  it.each(["typescript", "python"] as const)(
    "are those of the parser, in programs of the fixtures: %s",
    async (language) => {
      const gate = [
        ...(await loadGatePrograms("dangerous", language)),
        ...(await loadGatePrograms("suspicious", language)),
      ].map(({ source }) => source);
      const office = readOfficeTasks().flatMap(({ program, afterwards }) => [program, afterwards]);
      const programs = language === "python" ? gate : [...gate, ...office];
      const parsed = programs.filter(
        (source) =>
          expectAgreement(source, language) || expectAgreement(`async () => {\n${source}\n}`, language),
      );
      expect(parsed.length).toBeGreaterThan(programs.length * 0.8);
    },
  );

  it.each([
    "a = b / c / d; 'x'",
    "return_ / 2 / 'x'",
    "x = y.return / 2 + 'a/b'",
    "if (a) /'/.test(b); 'x'",
    "while (a) /[/'\"]/.test(b) ? 'x' : `y`",
    "for await (const a of /'/g) 'x'",
    "map.if(a) / 2 / 'x'",
    "(a) / 2 / 'x'",
    "a++ / 2 / 'x'",
    "a! / 2 / 'x'",
    "!/'/.test(a) + 'x'",
    "a\n!/'/.test(b) + 'x'",
    "[1] / 2 / 'x'",
    "x = {} / 2 / 'x'",
    "{}\n/'/.test('x')",
    "label: {}\n/'/.test('x')",
    "switch (a) { case b ? c : d: {} /'/.test('x') }",
    "x = a ? {} : {} / 2 / 'x'",
    "function f(): { a: 'x' } {} /'/.test('x')",
    "x = 1. / 2 / 'x'",
    "x = 0x1f / 2 / 'x'",
    "x = .5 / 2 / 'x'",
    "x = a as B / 2 / 'x'",
    "x = as / 2 / 'x'",
    "x = of / 2 / 'x'",
    "x = a?.b / 2 / 'x'; y = a?.5:/'/",
    "x = `a${`b${{ c: 'd' }.c}e`}f` / 2 / 'x'",
    "x = `${/`/.source}` + String.raw`\\u ${'a'}`",
    "x = [...'a', .../'/.source]",
    "x = a /* ' */ / 2 / 'x' // '\n+ 'y'",
    "class A { #a = 'x'; static { this.#a / 2 / 'y' } get 'k'() { return /'/ } }",
    "x = 'a\\\nb\\\r\nc\u2028d' + \"\\u{1F600}\\x41\\0\"",
    "type T = `a${'b' | \"c\"}d`; enum E { 'k' = 'v' }",
    "x = <T,>(y: T) => y; z = a < b / 2 / 'x'",
    "\u00e9t\u00e9 / 2 / 'x'; \\u0061 / 2 / 'y'",
    "yield_ = async () => { await /'/.test('x'); throw /'/ }",
    "do /'/.test('x'); while (a) /'/.test('y')",
    "export default /'/.test('x')",
  ])("are read past what looks like one: %s", (code) => {
    expect(expectAgreement(code, "typescript")).toBe(true);
  });

  it.each([
    "x = 'a' \"b\" '''c\n'd' ''' # 'e\ny = 1",
    "x = rb'\\'' + BR'a' + u'b' + b'c'",
    "x = f'a{b[\"c\"]:>{w}}d{{e}}{f!r}'",
    "x = f'''{a['b']} {f\"{c['d']}\"}\n'''",
    'x = f\'{ {"a": 1}["a"] }\' + f\'{(lambda: "x")()}\'',
    "x = f'\\N{BULLET} {a} \\N{EM DASH}' + '\\N{BULLET}b'",
    "x = 'a\\\nb' + 'c'",
    "if x: 'a'\nfor_ = bar'''b''' if 0 else 'c'",
  ])("are read in Python: %s", (code) => {
    const isProgram = expectAgreement(code, "python");
    expect(isProgram || code.includes("bar'''")).toBe(true);
  });

  it("end where one does not end", () => {
    for (const [code, count] of [
      ["a('x'); b('y\n); c('z')", 1],
      ["a('x'); b(`y ${'z'} ", 3],
      ["a('x'); /* 'y'", 1],
      ["a('x'); = /b\n'y'", 1],
    ] as const)
      expect(findTypeScriptLiterals(code)).toMatchObject({
        lostAt: expect.any(Number),
        pieces: { length: count },
      });
    expect(findPythonLiterals("a('x')\nb('y\n)\nc('z')")).toMatchObject({ lostAt: 9, pieces: { length: 1 } });
    expect(findPythonLiterals("a('x')\n'''b")).toMatchObject({ lostAt: 7, pieces: { length: 1 } });
  });

  it.each([
    ["```ts\nf('x');\n```", "typescript"],
    ["Here it is, isn't it:\n```ts\nf('x');\n```\nIt's done.", "typescript"],
    ["Here it is:\n```\nf('x');\n```\n", "typescript"],
    ["Here's one:\n```python\nf('x')\n```\n", "python"],
    ["So:\n```\nf('x')\n```\n", "python"],
    ["#!/usr/bin/env it's\nf('x')", "typescript"],
    ["\ufefff('x')", "python"],
  ] as const)("are found between fences: %s", (code, language) => {
    expect(findLiterals(code, language).map(({ start, end }) => code.slice(start, end))).toEqual(["x"]);
  });

  it("are found in Python that has fences in a text", () => {
    expect(findLiterals("a = 'x'\nb = '''\n```\n'y'\n```\n'''", "python")).toHaveLength(2);
  });

  it("are those of the parser, in programs made of odd pieces", () => {
    const { program } = fc.letrec<{ expression: string; statement: string; program: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom(
          "a",
          "1.",
          "0x1",
          "'\"/`'",
          '"\\"\'"',
          "/'/g",
          '/[/"]\\//',
          "`'`",
          "a.return",
          "a?.if",
          "this",
          "{}",
          "[]",
          "\\u0061",
          "'\\u{41}\\x41\\\n'",
        ),
        fc
          .tuple(
            tie("expression"),
            fc.constantFrom(" / ", "/", " + ", " > ", ", ", " in ", "\n/ ", "/*'*/ / ", " && ", "//'\n+"),
            tie("expression"),
          )
          .map((parts) => parts.join("")),
        tie("expression").map((one) => `(${one})`),
        tie("expression").map((one) => `\`a\${${one}}'\${ ${one} }\``),
        tie("expression").map((one) => `{ 'k': ${one}, if: ${one}, m() { ${one} } }`),
        tie("expression").map((one) => `a ? ${one} : ${one}`),
        tie("expression").map((one) => `!${one}`),
        tie("expression").map((one) => `(${one})! / 2`),
        tie("expression").map((one) => `typeof ${one}`),
        tie("expression").map((one) => `(b: { c: 'd' }) => ${one}`),
        tie("expression").map((one) => `a[${one}]++ / ${one}`),
        tie("expression").map((one) => `(${one} as T<'x'>)`),
        tie("expression").map((one) => `(function () { return ${one} })`),
        tie("expression").map((one) => `String.raw\`\\${"`"}\${${one}}\``),
      ),
      statement: fc.oneof(
        { depthSize: "small" },
        tie("expression").map((one) => `(${one});`),
        tie("expression").map((one) => `x = ${one}\n`),
        tie("expression").map((one) => `if (${one}) /'/.test(a);`),
        tie("expression").map((one) => `for (const a of ${one}) { }\n`),
        tie("expression").map((one) => `{ } /'/.test(${one});`),
        tie("expression").map((one) => `l: { /'/.test(${one}) }\n`),
        tie("expression").map((one) => `switch (a) { case ${one}: {} /'/.x; default: {} /"/.x }`),
        tie("expression").map((one) => `class A { 'k' = ${one}; m(): { a: 'b' } { } }\n`),
        tie("expression").map((one) => `do { } while (${one}) /'/.x;`),
        tie("program").map((one) => `{ ${one} }\n`),
      ),
      program: fc.array(tie("statement"), { maxLength: 4 }).map((all) => all.join("")),
    }));
    let parsed = 0;
    fc.assert(
      fc.property(program, (code) => {
        if (expectAgreement(code, "typescript")) parsed++;
      }),
      { numRuns: 4_000 },
    );
    expect(parsed).toBeGreaterThan(1_500);
  });

  it("are those of the parser, in Python made of odd pieces", () => {
    const { program } = fc.letrec<{ expression: string; program: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(
          "a",
          "'\\''",
          '"\'"',
          "'''\n'\" '''",
          "r'\\''",
          "b'\\x27'",
          'rb"\\""',
          "'\\N{BULLET}'",
          "f'{{}}'",
          "u'#'",
          "'\\\n'",
        ),
        fc
          .tuple(tie("expression"), fc.constantFrom(" + ", " ", " if a else ", " # '\n"), tie("expression"))
          .map((parts) => `(${parts.join("")})`),
        tie("expression").map((one) => `f"a{${one}}b{ ${one} !r:>{${one}}}'"`),
        tie("expression").map((one) => `f'''{${one}:'}\n'''`),
        tie("expression").map((one) => `{'k': ${one}}['k']`),
        tie("expression").map((one) => `f(${one}, *[${one}])`),
      ),
      program: fc
        .array(tie("expression"), { maxLength: 4 })
        .map((all) => all.map((one) => `x = ${one}\n`).join("")),
    }));
    let parsed = 0;
    fc.assert(
      fc.property(program, (code) => {
        if (expectAgreement(code, "python")) parsed++;
      }),
      { numRuns: 2_000 },
    );
    expect(parsed).toBeGreaterThan(700);
  });

  it("of hostile texts take no longer than those of others", () => {
    for (const unit of [
      "`${",
      "{",
      "(",
      "/[",
      "f'{",
      "a?",
      "'",
      "\\",
      "/*",
      "f'''{a:{",
      "\\N{",
      "`${'x'}`/",
      "<!--",
    ])
      for (const language of ["typescript", "python"] as const)
        expect(() => findLiterals(unit.repeat(1_000_000 / unit.length), language)).not.toThrow();
  });
});
