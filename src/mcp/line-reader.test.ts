import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";

function read(chunks: Buffer[], maxLineBytes = 1000) {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = createLineReader({
    maxLineBytes,
    onLine: (line) => lines.push(line.toString("utf8")),
    onTooLong: () => tooLong++,
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, tooLong };
}

describe("createLineReader", () => {
  it("gives the same lines however the bytes are cut, characters of several bytes included", () => {
    const lines = fc.array(
      fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", "")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(lines, fc.array(fc.nat(40)), (expected, cuts) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(""));
        const chunks: Buffer[] = [];
        let start = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(start, start + cut));
          start += cut;
        }
        chunks.push(bytes.subarray(start));
        expect(read(chunks, 100_000).lines).toEqual(expected);
      }),
    );
  });

  it("reports a line over the limit once, and reads nothing after it", () => {
    const chunks = ["ok\n", "x".repeat(600), "x".repeat(600), "\nafter\n"].map((text) => Buffer.from(text));
    expect(read(chunks)).toEqual({ lines: ["ok"], tooLong: 1 });
  });

  it("accepts a line of exactly the limit", () => {
    expect(read([Buffer.from(`${"x".repeat(1000)}\n`)]).tooLong).toBe(0);
  });
});
