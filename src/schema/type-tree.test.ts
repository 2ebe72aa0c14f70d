import { expect, test } from "vitest";
import { NEVER, type TypeNode, toPrimitive, toUnion, UNKNOWN } from "./type-tree.ts";

const literal = (value: string | number | boolean): TypeNode => ({ kind: "literal", value });

test("a union is flat, has each member once, and drops what another covers", () => {
  const string = toPrimitive("string");
  expect(toUnion([literal("a"), toUnion([string, literal("b")]), string])).toBe(string);
  expect(toUnion([toPrimitive("integer"), toPrimitive("number"), literal(1)])).toBe(toPrimitive("number"));
  expect(toUnion([toPrimitive("integer"), literal(1), literal(1.5)])).toMatchObject({
    members: [toPrimitive("integer"), literal(1.5)],
  });
  expect(toUnion([literal(true), literal(false)])).toBe(toPrimitive("boolean"));
});

test("unknown takes all, never adds nothing", () => {
  expect(toUnion([toPrimitive("null"), UNKNOWN])).toBe(UNKNOWN);
  expect(toUnion([NEVER, toPrimitive("null")])).toBe(toPrimitive("null"));
  expect(toUnion([])).toBe(NEVER);
});
