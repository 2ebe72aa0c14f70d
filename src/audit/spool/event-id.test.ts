import { describe, expect, it } from "vitest";
import { toEventId } from "./event-id.ts";

describe("toEventId", () => {
  it("makes ids that sort as they were made, also when the clock is set back", () => {
    const now = Date.now();
    const ids = [now, now, now + 1, now - 60_000, now + 1, now + 2].map(toEventId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("makes no id twice in one millisecond", () => {
    const now = Date.now();
    const ids = Array.from({ length: 100_000 }, () => toEventId(now));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });
});
