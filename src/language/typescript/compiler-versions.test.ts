import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { isReturnAtTop } from "./oxc-0.155.ts";
import { parse } from "./prepare/oxc.ts";
import * as text from "./typescript-7.ts";

const require = createRequire(import.meta.url);
const versionOf = (name: string): unknown => require(`${name}/package.json`).version;

test("what reads TypeScript's text was looked at with the version that is installed", () => {
  expect(versionOf("typescript")).toBe("7.0.2");
});

test("what reads oxc's text was looked at with the version that is installed", () => {
  expect(versionOf("oxc-parser")).toBe("0.155.0");
  expect(versionOf("oxc-transform")).toBe("0.155.0");
});

test("a return at the top is told from every other mistake of a program", () => {
  const problems = (source: string) => parse(source).problems.map(isReturnAtTop);
  expect(problems("return 1")).toEqual([true]);
  expect(problems("const a = 1; const a = 2;")).toEqual([false]);
  expect(problems("const = 1")).toEqual([false]);
  expect(problems('"return 1";')).toEqual([]);
});

test("messages of TypeScript are read for the names in them", () => {
  expect(text.absentProperty("Property 'a b' does not exist on type 'Foo'.")).toBe("a b");
  expect(text.ownerName("Property 'a' does not exist on type 'Foo'.")).toBe("Foo");
  expect(text.ownerType("Property 'a' does not exist on type '{ b: string; }'.")).toBe("{ b: string; }");
  expect(text.serverInMessage("Property 'a' does not exist on type '$Tools_github'.")).toBe("github");
  expect(text.suggestedName("Cannot find name 'a'. Did you mean 'b'?")).toBe("b");
  expect(text.literalArgument(`Argument of type '"x__y"' is not assignable to parameter`)).toBe("x__y");
  expect(
    text.missingProperties("Type '{}' is missing the following properties from type 'T': a, b, and 2 more."),
  ).toEqual(["a", "b"]);
  expect(text.missingProperties("Property 'a' is missing in type '{}' but required in type 'T'.")).toEqual([
    "a",
  ]);
  expect(text.missingProperties("Type 'string' is not assignable to type 'number'.")).toEqual([]);
  const unfit = "Property 'a' does not exist on type 'ListResponse'";
  expect(text.mentionsType(unfit, "ListResponse")).toBe(true);
  expect(text.mentionsType(unfit, "List")).toBe(false);
  expect(text.withTypeAs(unfit, "ListResponse", "the $& result")).toBe(
    "Property 'a' does not exist on the $& result",
  );
  expect(text.readDeclaration("12.264./keyhole/program.ts")).toEqual({
    kind: 264,
    path: "/keyhole/program.ts",
  });
});
