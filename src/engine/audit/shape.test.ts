import { expect, it } from "vitest";
import { createShapes } from "./shape.ts";

const forms: string[] = [];
const toShape = createShapes((text) => {
  forms.push(text);
  return String(forms.length).padEnd(64, "x");
});

it("the form of arguments is their keys and kinds of values, in whatever order, without the values", () => {
  const one = toShape({ to: "ada", items: [{ id: 1 }], deep: { a: { b: 1 } } });
  expect(toShape({ deep: { a: { c: 2 } }, items: [{ id: 7 }, 2], to: "bob" })).toBe(one);
  expect(toShape({ to: 5, items: [{ id: 1 }], deep: { a: {} } })).not.toBe(one);
  expect(forms[0]).toBe("{deep:{a:{},},items:[{}],to:string,}");
});

it("many keys are data, and bounded", () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]));
  expect(toShape(many)).toBe(toShape({ ...many, more: 1 }));
});
