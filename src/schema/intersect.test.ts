import fc from "fast-check";
import { expect, test } from "vitest";
import { type IntersectContext, intersect, intersectAll } from "./intersect.ts";
import { type ObjectNode, type TypeNode, toPrimitive, UNKNOWN } from "./type-tree.ts";

function unbounded(): IntersectContext {
  return { resolve: () => undefined, spend: () => true, merge: () => true, open: new Map(), depth: 0 };
}

function object(names: readonly string[], extra: ObjectNode["extra"] = "implicit"): ObjectNode {
  const properties = names.map((name) => ({ name, type: UNKNOWN, required: true, doc: "" }));
  return { kind: "object", properties, patterns: undefined, extra };
}

test("many objects at once are what they are one after the other", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
  const extra = fc.constantFrom<ObjectNode["extra"]>("implicit", "closed", UNKNOWN, toPrimitive("string"));
  const types = fc.oneof(
    fc.tuple(names, extra).map(([some, rest]): TypeNode => object(some, rest)),
    fc.constant(UNKNOWN),
  );
  fc.assert(
    fc.property(fc.array(types, { minLength: 1, maxLength: 6 }), (list) => {
      const pairwise = list.reduce((a, b) => intersect(a, b, unbounded()));
      expect(intersectAll(list, unbounded())).toEqual(pairwise);
    }),
  );
});

test("a hundred thousand objects are merged into one", () => {
  const list = Array.from({ length: 100_000 }, (_, index) => object([`p${index}`]));
  expect(intersectAll(list, unbounded())).toMatchObject({ kind: "object", properties: { length: 100_000 } });
});
