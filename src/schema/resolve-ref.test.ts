import { expect, test } from "vitest";
import { isRecord } from "../text/is-record.ts";
import type { SchemaObject } from "./json-types.ts";
import { createRefResolver } from "./resolve-ref.ts";

const target = { title: "target" };

function resolve(root: SchemaObject, ref: string, from: unknown = root, isLegacy = false) {
  const found = createRefResolver(root, isLegacy).resolve(ref, isRecord(from) ? from : root);
  return typeof found === "string" ? found : found.schema;
}

test.each([
  ["#/$defs/a", { $defs: { a: target } }],
  ["#/definitions/a", { definitions: { a: target } }],
  ["#/properties/a~1b~0c", { properties: { "a/b~c": target } }],
  ["#/$defs/per%25cent%20sign", { $defs: { "per%cent sign": target } }],
  ["#/allOf/1", { allOf: [{}, target] }],
  ["#/unknown/deep/place", { unknown: { deep: { place: target } } }],
])("the pointer %s is followed", (ref, root) => {
  expect(resolve(root, ref)).toBe(target);
});

test("anchors and the draft 7 form of them are found", () => {
  const anchored = { $anchor: "here" };
  expect(resolve({ $defs: { a: anchored } }, "#here")).toBe(anchored);
  const legacy = { $id: "#here" };
  expect(resolve({ definitions: { a: legacy } }, "#here", undefined, true)).toBe(legacy);
});

test("an $id inside the document is an address, and the base of what is in it", () => {
  const inner = { $ref: "#/$defs/x" };
  const part = { $id: "part.json", $defs: { x: target }, properties: { inner } };
  const root = { $id: "https://example.com/root.json", $defs: { part, x: {} } };
  expect(resolve(root, "part.json")).toBe(part);
  expect(resolve(root, "https://example.com/part.json#/$defs/x")).toBe(target);
  expect(resolve(root, "#/$defs/x", inner)).toBe(target);
  expect(resolve(root, "#")).toBe(root);
});

test("an $id in a value is no address", () => {
  expect(resolve({ enum: [{ $id: "a.json" }] }, "a.json")).toBe("outside");
});

test.each([
  "https://example.com/x.json",
  "other.json",
  "file:///etc/passwd",
  "//host/x",
  "http://[",
  "urn:x:y",
])("%s leads outside", (ref) => {
  expect(resolve({}, ref)).toBe("outside");
});

test.each(["#/nowhere", "#nowhere", "#/constructor", "#/__proto__", "#/%", "#/$defs/a/b/c"])(
  "%s leads nowhere",
  (ref) => {
    expect(resolve({ $defs: { a: true } }, ref)).toBe("missing");
  },
);

test("a $dynamicRef is followed only where one schema alone can be meant", () => {
  const node = { $dynamicAnchor: "node" };
  const one = { $defs: { node } };
  expect(createRefResolver(one, false).resolveDynamic("#node", one)).toMatchObject({ schema: node });
  const two = { $defs: { node, other: { $id: "other", $dynamicAnchor: "node" } } };
  expect(createRefResolver(two, false).resolveDynamic("#node", two)).toBe("missing");
});
