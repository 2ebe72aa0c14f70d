import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";

function read(chunks: Buffer[], maxBytes = 1000) {
  const lines: string[] = [];
  let endless = 0;
  const reader = createLineReader({
    maxBytes,
    maxValues: 1000,
    onLine: (line) => lines.push(line.kind === "small" ? line.bytes.toString("utf8") : line.kind),
    onEndless: () => endless++,
    onOverdue: () => {},
    onWaiting: () => {},
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, endless };
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

  it("passes over a line above the limit, and reads the next one", () => {
    const chunks = ["ok\n", "x".repeat(600), "x".repeat(600), "\nafter\n"].map((text) => Buffer.from(text));
    expect(read(chunks)).toEqual({ lines: ["ok", "excess", "after"], endless: 0 });
  });

  it("reports a line that does not end once, and reads nothing after it", () => {
    const chunks = [...Array(6).fill("x".repeat(900)), "\nafter\n"].map((text) => Buffer.from(text));
    expect(read(chunks)).toEqual({ lines: [], endless: 1 });
  });

  it("accepts a line of exactly the limit", () => {
    expect(read([Buffer.from(`${"x".repeat(1000)}\n`)]).lines).toEqual(["x".repeat(1000)]);
  });
});
