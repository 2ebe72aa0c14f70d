import { expect, it } from "vitest";
import { createRequestBudget } from "./request-budget.ts";

it("lets each principal have so many requests and bytes under way, whatever others have", () => {
  const budget = createRequestBudget({ maxRequests: 2, maxBytes: 100 });
  const first = budget.begin("a", 100);
  expect(budget.begin("a", 1)).toBeUndefined();
  expect(budget.begin("b", 100)).toBeDefined();
  first?.setBytes(10);
  expect(budget.begin("a", 90)).toBeDefined();
  expect(budget.begin("a", 0)).toBeUndefined();
  first?.end();
  expect(budget.begin("a", 10)).toBeDefined();
  expect(budget.begin("a", 0)).toBeUndefined();
});
