import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineBuffer } from "./line-buffer.ts";

const text = (buffer: ReturnType<typeof createLineBuffer>) =>
  Buffer.from(buffer.content()).toString("utf8", 0, buffer.bytes());

describe("createLineBuffer", () => {
  it("has the lines that were added and not dropped, in order", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 200 }).map((one) => JSON.stringify(one));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.nat(60), (lines, dropped) => {
        const buffer = createLineBuffer();
        for (const one of lines) buffer.add(one);
        const gone = lines.slice(0, dropped);
        buffer.drop(Buffer.byteLength(gone.map((one) => `${one}\n`).join("")));
        buffer.add("last");
        const left = [...lines.slice(dropped), "last"];
        expect(text(buffer)).toBe(left.map((one) => `${one}\n`).join(""));
        expect(buffer.lines()).toBe(left.length);
      }),
    );
  });

  it("grows for what is long", () => {
    const buffer = createLineBuffer();
    const long = "ä".repeat(700_000);
    buffer.add(long);
    buffer.add("short");
    expect(text(buffer)).toBe(`${long}\nshort\n`);
    buffer.drop(buffer.bytes());
    expect(buffer.bytes()).toBe(0);
    expect(buffer.content().length).toBeLessThan(100_000);
  });
});
