import { expect, it } from "vitest";
import { maxChildren } from "./open-files.ts";

const limits = (files: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             12000                12000                processes
Max open files            ${files}                 4096                 files`;

it("has room for children by the limit of open files, and for one in any case", () => {
  expect(maxChildren(limits("1024"))).toBe(32);
  expect(maxChildren(limits("20"))).toBe(1);
});

it("sets no bound where there is no limit, or none is known", () => {
  expect(maxChildren(limits("unlimited"))).toBe(Number.POSITIVE_INFINITY);
  expect(maxChildren("")).toBe(Number.POSITIVE_INFINITY);
});
