import { expect, it } from "vitest";
import { parseCoreList } from "./affinity.ts";

it.each([
  ["0-3,8", [0, 1, 2, 3, 8]],
  ["5", [5]],
  ["", []],
  ["x,2", [2]],
])("reads the cores %j", (list, cores) => {
  expect(parseCoreList(list)).toEqual(cores);
});
