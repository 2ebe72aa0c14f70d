import { describe, expect, it } from "vitest";
import { toStem } from "./stem.ts";

describe("toStem", () => {
  it.each([
    ["queries", "query"],
    ["creating", "create"],
    ["created", "create"],
    ["boxes", "box"],
    ["running", "run"],
    ["issues", "issue"],
  ])("gives %s and %s the same stem", (one, other) => expect(toStem(one)).toBe(toStem(other)));

  it.each(["status", "class", "gas", "bus", "red", "king", "news", "größe", "__proto__"])(
    "leaves %s alone",
    (word) => expect(toStem(word)).toBe(word),
  );
});
