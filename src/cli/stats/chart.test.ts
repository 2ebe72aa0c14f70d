import { describe, expect, it } from "vitest";
import { toMoney, toPercent, toShortAmount, withCommas } from "./amounts.ts";
import { canShowBlocks, toChart } from "./chart.ts";

const rows = [
  { label: "2026-11-15", value: 1_000, part: 100, figures: ["100 of 1.0k", "3 runs"] },
  { label: "2026-11-16", value: 10, part: 10, figures: ["10 of 10", "1 run "] },
  { label: "2026-11-17", value: 0, figures: ["0 of 0", "1 run "] },
];

describe("a chart", () => {
  it("has bars that can be compared, and a part in each", () => {
    expect(toChart(rows, { columns: 60, hasBlocks: true })).toEqual([
      `  2026-11-15  ███${"░".repeat(22)}  100 of 1.0k  3 runs`,
      `  2026-11-16  █${" ".repeat(24)}     10 of 10  1 run`,
      `  2026-11-17  ${" ".repeat(25)}       0 of 0  1 run`,
    ]);
  });

  it("is plain ASCII where the terminal knows no more", () => {
    for (const line of toChart([...rows, { label: "x".repeat(90), value: 5, figures: [] }], {
      columns: 60,
      hasBlocks: false,
    }))
      expect(line).toMatch(/^[\x20-\x7e]*$/);
  });

  it("is no wider than 80 columns, nor than the terminal", () => {
    const long = rows.map((row) => ({ ...row, label: "a very long name of a server and its tool" }));
    for (const columns of [60, 72, 80, 200, Number.POSITIVE_INFINITY])
      for (const line of toChart(long, { columns, hasBlocks: true })) {
        expect(line.length).toBeLessThanOrEqual(Math.min(80, columns));
        expect(line).toContain("…");
      }
  });

  it("shows what is not nothing, to an eighth of a block", () => {
    const plain = [8, 5, 0.001].map((value) => ({ label: "a", value, figures: [] }));
    expect(toChart(plain, { columns: 13, hasBlocks: true })).toEqual([
      "  a  ████████",
      "  a  █████",
      "  a  ▏",
    ]);
    expect(toChart([], { columns: 80, hasBlocks: true })).toEqual([]);
  });
});

describe("whether a terminal shows blocks", () => {
  it.each([
    [{ LANG: "en_US.UTF-8" }, "linux", true],
    [{ LC_ALL: "C", LANG: "en_US.UTF-8" }, "linux", false],
    [{ LANG: "C.utf8", TERM: "dumb" }, "linux", false],
    [{}, "linux", false],
    [{ WT_SESSION: "1" }, "win32", true],
    [{}, "win32", false],
  ] as const)("%j on %s: %s", (env, platform, expected) => {
    expect(canShowBlocks(env, platform)).toBe(expected);
  });
});

describe("amounts", () => {
  it("are short", () => {
    expect(
      [0, 999, 1_000, 12_345, 99_949, 99_950, 999_949, 999_951, 4_000_000, 2.5e9].map(toShortAmount),
    ).toEqual(["0", "999", "1.0k", "12.3k", "99.9k", "100k", "1.0M", "1.0M", "4.0M", "2.5G"]);
    expect([withCommas(1234567), toPercent(1, 3), toPercent(1, 0)]).toEqual(["1,234,567", "33.3%", "0%"]);
  });

  it("of money have cents, or the digits that count", () => {
    expect([0, 1234.5, 0.3, -0.3, 0.0423, 0.00421, 1e-9].map(toMoney)).toEqual([
      "$0.00",
      "$1,234.50",
      "$0.30",
      "-$0.30",
      "$0.042",
      "$0.0042",
      "$0.000001",
    ]);
  });
});
