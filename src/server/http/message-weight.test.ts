import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weighMessage } from "./message-weight.ts";

const weigh = (text: string) => weighMessage(Buffer.from(text));

describe("the weight of a message", () => {
  it("passes whatever is small, and any text however long", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => weigh(JSON.stringify(value)) === undefined),
    );
    const code = '[{,"\\'.repeat(500_000);
    expect(weigh(JSON.stringify({ code }))).toBeUndefined();
  });

  it.each([
    ["[".repeat(200), "deeper than 100"],
    ['{"a":'.repeat(200), "deeper than 100"],
    [`[${"{},".repeat(60_000)}1]`, "more than 50000 values"],
    [`[${"1,".repeat(60_000)}1]`, "more than 50000 values"],
    [`["\\\\",${"[],".repeat(60_000)}1]`, "more than 50000 values"],
  ])("tells of %.20s… what is too much", (text, words) => {
    expect(weigh(text)).toContain(words);
  });

  it("takes a text that does not end for the rest of the message", () => {
    expect(weigh(`"${"[".repeat(1_000)}`)).toBeUndefined();
    expect(weigh(`"${'\\"'.repeat(1_000)}`)).toBeUndefined();
  });
});
