import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLenientJson } from "./lenient-json.ts";
import { parseText, unpackWrapped } from "./parse-text.ts";
import { parsePythonLiteral } from "./python-literal.ts";

describe("JSON with numbers that JSON does not have", () => {
  it("is read with null for each of them, and says so", () => {
    expect(parseLenientJson('{"a": NaN, "b": [Infinity, -Infinity, 1]}')).toEqual({
      value: { a: null, b: [null, null, 1] },
      notANumber: "NaN",
    });
  });

  it("keeps such words inside strings, behind any escapes", () => {
    const value = { "NaN: NaN": 'Infinity \\" NaN \\', b: "\\" };
    const json = JSON.stringify({ ...value, c: 1 }).replace('"c":1', '"c":-Infinity');
    expect(parseLenientJson(json)).toEqual({ value: { ...value, c: null }, notANumber: "-Infinity" });
  });

  it.each(["1NaN", "[NaNs]", "{NaN: 1}", "[-NaN]", "[NaN", '["NaN]', "[Infinity Infinity]", "NaN of them"])(
    "does not take %s for it",
    (text) => expect(parseLenientJson(text)).toBeUndefined(),
  );

  it("is what JSON.parse makes of it, for any value with such words in place of its nulls", () => {
    const words = fc.constantFrom("NaN", "Infinity", "-Infinity", "null");
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(words, { minLength: 1 }), (value, replacements) => {
        let at = 0;
        const sent = toNulls(value, () => replacements[at++ % replacements.length] ?? "null");
        expect(parseLenientJson(sent)?.value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

/** JSON text of a value with something else for each null. */
function toNulls(value: unknown, next: () => string): string {
  if (value === null) return next();
  if (Array.isArray(value)) return `[${value.map((item) => toNulls(item, next)).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value ?? {});
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${toNulls(item, next)}`).join(",")}}`;
}

describe("what Python prints", () => {
  it.each([
    ["['a@b.c']", ["a@b.c"]],
    ["{'a': None, 'b': True, 'c': (1, 2), 'd': False}", { a: null, b: true, c: [1, 2], d: false }],
    [` [ "it's", 'say "hi"', 'it\\'s' ] \n`, ["it's", 'say "hi"', "it's"]],
    ["[1, -2.5, 1e-05, 1e+16, 0.0, -0]", [1, -2.5, 1e-5, 1e16, 0, -0]],
    ["['\\n\\t\\\\', '\\x00\\xe9', '\\u20ac', '\\U0001f600']", ["\n\t\\", "\0é", "€", "😀"]],
    ["('x',)", ["x"]],
    ["()", []],
    ["[(), {}, [],]", [[], {}, []]],
    ["{\"a\": {'b': [{}]}, 'a': 1}", { a: 1 }],
  ])("%s is data", (text, value) => expect(parsePythonLiteral(text)).toEqual({ value }));

  it("has null for nan and inf, and says so", () => {
    expect(parsePythonLiteral("{'a': nan, 'b': [inf, -inf]}")).toEqual({
      value: { a: null, b: [null, null] },
      notANumber: "nan",
    });
  });

  it.each([
    "(no results)",
    "('x')",
    "(1)",
    "[link](https://a.b)",
    "[1] a footnote",
    "{1: 'a'}",
    "{'a', 'b'}",
    "{'a': datetime.date(2024, 1, 1)}",
    "[b'x']",
    "['a' 'b']",
    "['\\d']",
    "['\\N{BULLET}']",
    "['\\xzz']",
    "['\\U00110000']",
    "['a\nb']",
    "['a",
    "[1,,2]",
    "[,]",
    "{'a'}",
    "{'a':}",
    "[01]",
    "[1_000]",
    "[+1]",
    "[true]",
    "[None1]",
    "[]]",
    "'a'",
    "None",
    "",
  ])("%j stays text", (text) => expect(parsePythonLiteral(text)).toBeUndefined());

  it("makes keys of __proto__ and changes no prototype", () => {
    const value = Object(parsePythonLiteral("{'__proto__': {'x': 1}, 'constructor': None}")?.value);
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.x).toBeUndefined();
  });

  it("comes back as it was printed, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = parsePythonLiteral(toPython([value]));
        expect(JSON.stringify(parsed?.value)).toBe(JSON.stringify([value]));
      }),
    );
  });

  it("is not read when it is nested deeper than anybody nests, nor when it is huge", () => {
    expect(parsePythonLiteral(`${"[".repeat(90)}None${"]".repeat(90)}`)).toBeDefined();
    expect(parsePythonLiteral(`${"[".repeat(100_000)}None${"]".repeat(100_000)}`)).toBeUndefined();
    expect(parsePythonLiteral(`['${"a".repeat(5_000_000)}']`)).toBeUndefined();
  });
});

/** As Python's `repr` does: single quotes unless the text has some and no double ones. */
function toPython(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return toPythonText(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${toPythonText(key)}: ${toPython(item)}`).join(", ")}}`;
}

function toPythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replace(/[\u0000-\u001f\u007f-\u00a0]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `${quote}${escaped}${quote}`;
}

describe("a text of a result", () => {
  it.each([
    ["JSON in a string", JSON.stringify('{"a":1}'), { a: 1 }],
    ["JSON in a string in a string", JSON.stringify(JSON.stringify("[1]")), [1]],
    ["Python in a string", `"['a@b.c']"`, ["a@b.c"]],
    ["Python", "{'a': nan}", { a: null }],
  ])("is data when all of it is %s", (_what, text, value) => {
    expect(parseText(text, "python")?.value).toEqual(value);
  });

  it.each(["No events found.", "12345", "true", "null", "NaN", '"hello"', '"12"', "None", "(see below)", ""])(
    "%j stays text",
    (text) => expect(parseText(text, "python")).toBeUndefined(),
  );

  it("is read as its server's setting says", () => {
    expect(parseText("['a']", "json")).toBeUndefined();
    expect(parseText('["a", NaN]', "json")?.value).toEqual(["a", null]);
    expect(parseText('["a"]', "off")).toBeUndefined();
  });

  it("is unpacked from the one field that is all there is, and stays a text among others", () => {
    const packed = '{"a":1}';
    const python = (text: string) => parseText(text, "python");
    expect(unpackWrapped({ result: packed }, python).value).toEqual({ result: { a: 1 } });
    for (const value of [
      { result: packed, more: 1 },
      { content: packed },
      { result: "12" },
      [packed],
      packed,
    ])
      expect(unpackWrapped(value, python).value).toBe(value);
    expect(unpackWrapped({ result: packed }, (text) => parseText(text, "off")).value).toEqual({
      result: packed,
    });
  });
});
