import { expect, test } from "vitest";
import { CORES_PATTERN, parseBytes, parseCores, SIZE_PATTERN } from "./size.ts";

test.each([
  ["512MB", 512 * 1024 ** 2],
  ["512 mb", 512 * 1024 ** 2],
  ["1.5GB", 1.5 * 1024 ** 3],
  ["1GiB", 1024 ** 3],
  ["64k", 64 * 1024],
  ["1000", 1000],
  ["10b", 10],
  [4096, 4096],
])("reads the size %j as %d bytes", (written, bytes) => {
  expect(parseBytes(written)).toBe(bytes);
  if (typeof written === "string") expect(written).toMatch(SIZE_PATTERN);
});

test.each(["", "MB", "-1MB", "0", "1.2.3MB", "1XB", "1e400", "999999999TB", "0x10"])(
  "refuses the size %j",
  (written) => {
    expect(parseBytes(written)).toBeUndefined();
  },
);

test("refuses sizes that are no positive finite number", () => {
  for (const written of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(parseBytes(written)).toBeUndefined();
});

test.each([
  ["1 core", 1],
  ["2 cores", 2],
  ["2Cores", 2],
  ["0.5", 0.5],
  [1.5, 1.5],
])("reads %j as %d cores", (written, cores) => {
  expect(parseCores(written)).toBe(cores);
  if (typeof written === "string") expect(written).toMatch(CORES_PATTERN);
});

test.each(["", "cores", "0 cores", "-1", "many"])("refuses %j as a number of cores", (written) => {
  expect(parseCores(written)).toBeUndefined();
});
