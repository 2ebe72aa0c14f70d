import { describe, expect, it } from "vitest";
import { createDistinctCounter } from "./distinct.ts";
import { createLatest } from "./latest.ts";
import { createSpread } from "./spread.ts";
import { createTopTable } from "./top-table.ts";

describe("counting within bounds", () => {
  it("finds the most frequent names among very many others, and says which counts may be too low", () => {
    const table = createTopTable(
      () => ({ count: 0 }),
      ({ count }) => count,
      100,
    );
    for (let index = 0; index < 5_000; index++) {
      table.take("often").count++;
      table.take(`rare ${index}`).count++;
    }
    expect(table.top(1)).toEqual([{ name: "often", value: { count: 5_000 }, isAbout: false }]);
    expect(table.top(2)[1]?.isAbout).toBe(true);
    expect(table.isFull).toBe(true);
  });

  it("counts different names exactly while there are few, then about", () => {
    const counter = createDistinctCounter(1_000);
    for (let index = 0; index < 900; index++) for (const _ of [1, 2]) counter.add(`name ${index}`);
    expect([counter.value, counter.isAbout]).toEqual([900, false]);
    for (let index = 0; index < 40_000; index++) counter.add(`name ${index}`);
    expect(counter.isAbout).toBe(true);
    expect(Math.abs(counter.value - 40_000)).toBeLessThan(6_000);
  });

  it("tells quantiles exactly while there are few values, then within two percent", () => {
    const spread = createSpread();
    for (let value = 1; value <= 100; value++) spread.add(value, `e_${value}`);
    expect([spread.quantile(0.5), spread.quantile(0.95), spread.max, spread.maxId]).toEqual([
      50,
      95,
      100,
      "e_100",
    ]);
    for (let value = 101; value <= 10_000; value++) spread.add(value, `e_${value}`);
    expect(spread.isAbout).toBe(true);
    expect(Math.abs(spread.quantile(0.5) - 5_000)).toBeLessThan(100);
    expect(spread.max).toBe(10_000);
  });

  it("keeps the latest of the highest rank", () => {
    const latest = createLatest<number>(3);
    for (let index = 0; index < 100; index++) latest.add(index, index === 5 ? 1 : 0);
    expect(latest.list()).toEqual([5, 99, 98]);
    expect(latest.count).toBe(100);
  });
});
