import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePythonLiterals, parseTypeScriptLiterals } from "../../../test/fixtures/program-literals.ts";
import { splitLines } from "../../text/position.ts";
import { revealTokens, type TokenValues } from "../token-text/reveal-tokens.ts";
import { concealInProgram } from "./conceal-in-program.ts";
import { readLiteralText } from "./literal-text.ts";
import { findPythonLiterals } from "./literals-python.ts";
import { revealInProgram } from "./reveal-in-program.ts";

const EMAIL = "nadia.rossi@example.com";
const ODD = "Zo\u00eb \ud83d\ude00 O'N\"\n`${x}`\\";

function toValues(email: string, name: string): TokenValues {
  const known: Readonly<Record<string, string>> = { "[EMAIL_1]": email, "[NAME_1]": name };
  return { valueOf: (token) => known[token], hasGiven: (kind) => kind === "EMAIL" || kind === "NAME" };
}

const values = toValues(EMAIL, ODD);
const run = (code: string): unknown => new Function(`"use strict"; return (${code})`)();

describe("tokens in a program", () => {
  it.each([
    ["'[EMAIL_1]'", EMAIL],
    ['"to: [EMAIL_1]!"', `to: ${EMAIL}!`],
    ["'\\u005bEMAIL_1\\x5d'", EMAIL],
    ["`a\n[NAME_1]${'[NAME_1]'}\n`", `a\n${ODD}${ODD}\n`],
    ["Object.keys({ '[NAME_1]': 1 })[0]", ODD],
    ['JSON.parse(\'{"a": "[NAME_1]"}\').a', ODD],
    ["'\\\\[NAME_1]'", `\\${ODD}`],
    ["'[EMAIL_~1]'", "[EMAIL_1]"],
    ["'%5BEMAIL_1%5D'", "nadia.rossi%40example.com"],
    [
      `'${Buffer.from("it is [EMAIL_1]").toString("base64")}'`,
      Buffer.from(`it is ${EMAIL}`).toString("base64"),
    ],
  ])("are revealed in %s", (code, expected) => {
    const revealed = revealInProgram(code, "typescript", values);
    expect(run(revealed.code)).toBe(expected);
    expect(revealed.faults).toEqual([]);
    expect(splitLines(revealed.code)).toHaveLength(splitLines(code).length);
  });

  it.each(["x[NAME_1]", "// '[EMAIL_1]'\nx", "/[EMAIL_1]/.test(x)", "/* [EMAIL_1] */", "x['a'][EMAIL_1]"])(
    "stay outside of literals: %s",
    (code) => {
      expect(revealInProgram(code, "typescript", values)).toEqual({ code, tokens: [], faults: [] });
    },
  );

  it("are told, and so are those that can't be revealed", () => {
    expect(revealInProgram("f('[EMAIL_1]', `[NAME_1]`, '[EMAIL_1]')", "typescript", values).tokens).toEqual([
      "[EMAIL_1]",
      "[NAME_1]",
    ]);
    expect(revealInProgram("f('[EMAIL_9]', '[EMAIL 1]')", "typescript", values).faults).toMatchObject([
      { kind: "unknown", written: "[EMAIL_9]" },
      { kind: "altered", written: "[EMAIL 1]" },
    ]);
    for (const [code, language] of [
      ["String.raw`[EMAIL_1]`", "typescript"],
      ["r'[EMAIL_1]'", "python"],
    ] as const)
      expect(revealInProgram(code, language, values)).toEqual({
        code,
        tokens: [],
        faults: [{ kind: "altered", class: "EMAIL", written: "[EMAIL_1]" }],
      });
  });

  it.each([
    ["x = '[NAME_1]'", "x = 'Zo\\xeb\\x20\\U0001f600\\x20O\\x27N\\x22\\x0a\\x60\\x24\\x7bx\\x7d\\x60\\x5c'"],
    ["x = b'[EMAIL_1]'", "x = b'nadia\\x2erossi\\x40example\\x2ecom'"],
    ["x = f'{d[\"[EMAIL_1]\"]}{{'", "x = f'{d[\"nadia\\x2erossi\\x40example\\x2ecom\"]}{{'"],
    ["x = '\\[EMAIL_1]'", "x = '\\x5cnadia\\x2erossi\\x40example\\x2ecom'"],
    ["x = '\\0[EMAIL_1]'", "x = '\\x00nadia\\x2erossi\\x40example\\x2ecom'"],
    ["x = 1 # '[EMAIL_1]'", "x = 1 # '[EMAIL_1]'"],
  ])("are revealed in Python: %s", (code, expected) => {
    expect(revealInProgram(code, "python", values).code).toBe(expected);
  });

  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc
      .array(
        fc.constantFrom(
          ..."'\"`\\$0a",
          "${",
          "}",
          "{",
          "*/",
          "//",
          "\n",
          "\r",
          "\u2028",
          ";f()",
          "'''",
          '"""',
          "</script>",
          "[EMAIL_1]",
          "u{41}",
          "x27",
          "N{BULLET}",
          "\ud83d\ude00",
          "\ud83d",
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join("")),
  );
  const inside = fc
    .array(
      fc.constantFrom(
        "[EMAIL_1]",
        "[NAME_1]",
        "a",
        " ",
        "1",
        "\\\\",
        "\\n",
        "\\0",
        "\\u005b",
        "$",
        "\\\n",
        "[EMAIL_~1]",
      ),
      { maxLength: 7 },
    )
    .map((parts) => parts.join(""))
    .filter((text) => !/\\0\d/.test(text));
  const LITERALS: readonly ((text: string) => string)[] = [
    (text) => `'${text}'`,
    (text) => `"${text}"`,
    (text) => `\`${text}\``,
    (text) => `\`${text}\${'${text}'}\n${text}\``,
    (text) => `{ '${text}': \`${text}\${[1, x[NAME_1]]}\` }`,
  ];

  it("never leave their literals, whatever the values are: the same program but for its texts", () => {
    let count = 0;
    fc.assert(
      fc.property(fc.constantFrom(...LITERALS), inside, hostile, hostile, (write, text, email, name) => {
        const known = toValues(email, name);
        const code = `const x = [], NAME_1 = 0; f(${write(text)}); // [EMAIL_1]`;
        const before = parseTypeScriptLiterals(code);
        if (before === undefined) return;
        count++;
        const revealed = revealInProgram(code, "typescript", known);
        const after = parseTypeScriptLiterals(revealed.code);
        expect(after?.shape).toBe(before.shape);
        expect(splitLines(revealed.code)).toHaveLength(splitLines(code).length);
        const [original, changed] = [code, revealed.code].map(
          (one) => new Function("f", one.replace("// [EMAIL_1]", "")),
        );
        let said: unknown[] = [];
        const collect = (value: unknown) =>
          said.push(...(typeof value === "string" ? [value] : Object.entries(value ?? {}).flat()));
        original?.(collect);
        const plain = said.map(String);
        said = [];
        changed?.(collect);
        // Pieces of a template are revealed one by one, and look the same as all of it together here.
        if (write === LITERALS[0] || write === LITERALS[1] || write === LITERALS[2])
          expect(said).toEqual(plain.map((one) => revealTokens(one, known).text));
      }),
      { numRuns: 4_000 },
    );
    expect(count).toBeGreaterThan(2_000);
  });

  it("become nothing but letters, digits and escapes", () => {
    fc.assert(
      fc.property(fc.constantFrom("typescript", "python"), hostile, (language, name) => {
        const { code } = revealInProgram("f('a[NAME_1]b')", language as "python", toValues("", name));
        expect(code).toMatch(/^f\('a(?:[A-Za-z0-9_[\]]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*b'\)$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never leave their literals in Python either", () => {
    const writers: readonly ((text: string) => string)[] = [
      (text) => `'${text}'`,
      (text) => `"""${text}"""`,
      (text) => `f'${text}{x}${text}'`,
      (text) => `b'${text}'`,
      (text) => `f"{d['${text}']}${text}"`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...writers), inside, hostile, hostile, (write, text, email, name) => {
        const known = toValues(email, name);
        const code = `f(${write(text)}) # [EMAIL_1]`;
        const revealed = revealInProgram(code, "python", known);
        expect(parsePythonLiterals(revealed.code)?.shape).toBe(parsePythonLiterals(code)?.shape);
        expect(splitLines(revealed.code)).toHaveLength(splitLines(code).length);
        const read = (program: string) =>
          findPythonLiterals(program).pieces.map((piece) => readLiteralText(program, piece, "python"));
        const isWellFormed = !/\p{Surrogate}/u.test(email) && !/\p{Surrogate}/u.test(name);
        const expected = read(code).map((one) => one && revealTokens(one, known).text);
        if (isWellFormed)
          expect(
            read(revealed.code)
              .filter((one) => one !== "")
              .join("|"),
          ).toBe(expected.filter((one) => one !== "").join("|"));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("values in a program", () => {
  const conceal = (text: string) =>
    text.replaceAll(EMAIL, "[EMAIL_1]").replaceAll("12 Elm\nParis", "[ADDRESS_1]");
  it.each([
    [`f('${EMAIL}', "it's ${EMAIL}")`, `f('[EMAIL_1]', "it's [EMAIL_1]")`],
    [`import '${EMAIL}'; import a, { b } from "${EMAIL}"`],
    [`export * from '${EMAIL}'; await import("${EMAIL}"); require('${EMAIL}'); await import(\`${EMAIL}\`)`],
    [`x.require('${EMAIL}')`, "x.require('[EMAIL_1]')"],
    [`/${EMAIL}/.test(a) // '${EMAIL}'`],
    [`x = { '${EMAIL}': 1 }`, "x = { '[EMAIL_1]': 1 }"],
    ["f('nadia.rossi\\x40example.com')", "f('[EMAIL_1]')"],
    [`\`a \${\`\${'${EMAIL}'} ${EMAIL}\`} ${EMAIL}\``, "`a ${`${'[EMAIL_1]'} [EMAIL_1]`} [EMAIL_1]`"],
    ["x = `12 Elm\nParis\n`; y", "x = `[ADDRESS_1]\\\n\n`; y"],
    [`String.raw\`\\d ${EMAIL}\``, "String.raw`\\d [EMAIL_1]`"],
    ["String.raw`12 Elm\nParis`"],
  ])("become tokens in literals alone: %s", (code, expected = code) => {
    expect(concealInProgram(code, "typescript", conceal)).toBe(expected);
  });

  it.each([
    [
      `f('${EMAIL}', r"\\d ${EMAIL}", b'${EMAIL}') # '${EMAIL}'`,
      `f('[EMAIL_1]', r"\\d [EMAIL_1]", b'[EMAIL_1]') # '${EMAIL}'`,
    ],
    [`x = f"{d['${EMAIL}']:>9} {{${EMAIL}}}"`, `x = f"{d['[EMAIL_1]']:>9} {{[EMAIL_1]}}"`],
    ["x = '''12 Elm\nParis'''", "x = '''[ADDRESS_1]\\\n'''"],
  ])("become tokens in Python: %s", (code, expected) => {
    expect(concealInProgram(code, "python", conceal)).toBe(expected);
  });

  it("any text can be put in their place, on as many lines, and the rest of the program stays", () => {
    const text = fc.string({ unit: "binary", maxLength: 8 });
    const part = fc.oneof(text, fc.constantFrom("'", '"', "`", "\\", "${", "\n", "\r", "VALUE", "\u2028"));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), text, (parts, other) => {
        const said = `VALUE${parts.join("")}`;
        const put = (one: string) => one.replaceAll("VALUE", () => other);
        const template = said.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
        for (const literal of [JSON.stringify(said), `\`${template}\``]) {
          const code = `f(${literal})`;
          const changed = concealInProgram(code, "typescript", put);
          expect(parseTypeScriptLiterals(changed)?.shape).toBe(parseTypeScriptLiterals(code)?.shape);
          expect(run(changed.slice(1))).toBe(put(String(run(code.slice(1)))));
          expect(splitLines(changed)).toHaveLength(splitLines(code).length);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
