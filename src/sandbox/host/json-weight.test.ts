import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfString, weighJson } from "./json-weight.ts";

const weigh = (text: string) => weighJson(Buffer.from(text));

describe("the weight of JSON", () => {
  it("is many times the bytes of what has many values, and little more than those of text and numbers", () => {
    const times = (text: string) => weigh(text).heldBytes / text.length;
    expect(times(`[${"{},".repeat(10_000)}0]`)).toBeGreaterThan(20);
    expect(times(`[${"[],".repeat(10_000)}0]`)).toBeGreaterThan(15);
    expect(times(`[${'{"1":0},'.repeat(10_000)}0]`)).toBeGreaterThan(20);
    expect(times(JSON.stringify("x".repeat(100_000)))).toBeLessThan(1.1);
    expect(times(JSON.stringify(Array.from({ length: 10_000 }, (_, n) => n * 1.123456789)))).toBeLessThan(3);
  });

  it("does not count what stands in strings, however it is escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const whole = `${JSON.stringify(`${text}${'{[:,"\\'.repeat(400)}`)}`;
        const bytes = Buffer.from(whole);
        expect(endOfString(bytes, 1)).toBe(bytes.length - 1);
        expect(weighJson(bytes).heldBytes).toBe(bytes.length + 24 + 16);
      }),
    );
  });

  it("tells what is nested too deep, also where it never ends", () => {
    expect(weigh(`${"[".repeat(512)}${" ".repeat(1000)}${"]".repeat(512)}`).isTooDeep).toBe(false);
    expect(weigh("[".repeat(600) + "]".repeat(600)).isTooDeep).toBe(true);
    expect(weigh(`${'{"a":'.repeat(600)}1${"}".repeat(600)}`).isTooDeep).toBe(true);
    expect(weigh("[".repeat(1e6)).isTooDeep).toBe(true);
    expect(weigh(`"${"\\".repeat(2001)}`).isTooDeep).toBe(false);
    expect(weigh(JSON.stringify({ a: '["{\\"'.repeat(2000) })).isTooDeep).toBe(false);
  });
});
