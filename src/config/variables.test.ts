import fc from "fast-check";
import { expect, test } from "vitest";
import {
  convertReferences,
  describeReference,
  foreignReferences,
  parseTemplate,
  toLiteral,
  toVariableName,
  variablesIn,
} from "./variables.ts";

test("finds variables with and without a default", () => {
  expect(parseTemplate("a ${B} c ${D:-e}")).toEqual([
    { kind: "text", text: "a " },
    { kind: "variable", name: "B", fallback: undefined, written: "${B}" },
    { kind: "text", text: " c " },
    { kind: "variable", name: "D", fallback: "e", written: "${D:-e}" },
  ]);
});

test.each(["$HOME", "costs 5$", "${", "${UNFINISHED", "${}", "${1A}", "${A-b}", "${env:X}", "$${", "{A}"])(
  "leaves %j as ordinary text",
  (text) => {
    expect(parseTemplate(text)).toEqual([{ kind: "text", text }]);
  },
);

test("a reference without a name is its default", () => {
  expect(parseTemplate("${:-x}")).toEqual([{ kind: "text", text: "x" }]);
});

test("a literal text expands to itself, whatever it holds", () => {
  const tricky = fc.string({ unit: fc.constantFrom("$", "{", "}", ":", "-", "A", "b", "_", " ") });
  fc.assert(
    fc.property(tricky, (text) => {
      expect(variablesIn(toLiteral(text))).toEqual([]);
      const pieces = parseTemplate(toLiteral(text)).map((piece) =>
        piece.kind === "text" ? piece.text : "?",
      );
      // `${:-x}` has no other meaning, so there is no text that another client could mean by it.
      if (!text.includes("${:-")) expect(pieces.join("")).toBe(text);
    }),
  );
});

test("names what another client would expand and Keyhole does not", () => {
  expect(foreignReferences("${env:A} ${B} ${input:c} ${D:-d}")).toEqual(["${env:A}", "${input:c}"]);
});

test.each([
  ["T:-ghp_16C7e42F", "${T:-…}"],
  ["env:T:-ghp_16C7e42F", "${env:T:-…}"],
  ["T-ghp_16C7e42F", "${T-…}"],
  ["T:=ghp_16C7e42F", "${T:=…}"],
  ["input:api-key", "${input:api-key}"],
  ["file", "${file}"],
  ["x ".repeat(50), "${x x x x x x x x x x …}"],
])("shows the reference %s without its default", (inside, shown) => {
  expect(describeReference(inside)).toBe(shown);
  expect(foreignReferences(`\${env:A} \${${inside}}`).join()).not.toContain("ghp_");
});

test("converts what is known and keeps the rest as text", () => {
  const converted = convertReferences("${env:A}/${B}", (inside) => (inside === "env:A" ? "${A}" : undefined));
  expect(converted).toBe("${A}/${:-$}{B}");
  expect(variablesIn(converted)).toEqual(["A"]);
});

test.each([
  ["api-key", "API_KEY"],
  ["githubToken", "GITHUB_TOKEN"],
  ["my.input id", "MY_INPUT_ID"],
  ["2fa", "INPUT_2FA"],
  ["path", "INPUT_PATH"],
  ["---", "INPUT_"],
])("makes a variable's name of the input %s", (id, name) => {
  expect(toVariableName(id)).toBe(name);
});
