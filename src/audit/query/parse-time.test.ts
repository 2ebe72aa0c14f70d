import { describe, expect, it } from "vitest";
import { parseTime } from "./parse-time.ts";

const now = new Date(2026, 10, 16, 18, 30, 12).getTime();
const local = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();

describe("parseTime", () => {
  it.each([
    ["2026-11-02", "from", local(2026, 10, 2)],
    ["2026-11-02", "to", local(2026, 10, 3)],
    ["2026-11", "from", local(2026, 10, 1)],
    ["2026-12", "to", local(2027, 0, 1)],
    ["2026-11-02T14:30", "from", local(2026, 10, 2, 14, 30)],
    ["2026-11-02 14:30", "to", local(2026, 10, 2, 14, 30)],
    ["2026-11-02T14:30:00Z", "from", Date.UTC(2026, 10, 2, 14, 30)],
    ["2026-11-02T14:30:00.250+02:00", "to", Date.UTC(2026, 10, 2, 12, 30, 0, 250)],
    ["now", "to", now],
    ["30m", "from", now - 30 * 60_000],
    ["2h", "from", now - 7_200_000],
    ["7d", "to", now - 7 * 86_400_000],
    ["2w", "from", now - 14 * 86_400_000],
    ["today", "from", local(2026, 10, 16)],
    ["today", "to", local(2026, 10, 17)],
    ["yesterday", "from", local(2026, 10, 15)],
    [" Yesterday ", "to", local(2026, 10, 16)],
  ] as const)("%s as %s", (text, edge, time) => {
    expect(parseTime(text, edge, now)).toBe(time);
  });

  it.each([
    "",
    "soon",
    "2026-02-31",
    "2026-13",
    "2026-11-02T25:00",
    "9999999h",
    "-2h",
    "2h; rm",
    "1e9d",
    "\u001b[31m2h",
  ])("refuses %j and names what it takes", (text) => {
    expect(() => parseTime(text, "from", now)).toThrow(
      expect.objectContaining({ code: "usage", hint: expect.stringContaining("yesterday") }),
    );
  });
});
