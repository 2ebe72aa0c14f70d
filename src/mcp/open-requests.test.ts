import { expect, it } from "vitest";
import { createOpenRequests } from "./open-requests.ts";

it("knows the answer to a request that was given up, once", () => {
  const requests = createOpenRequests();
  requests.add(7, "tools/call", { name: "add" });
  requests.add(8, "tools/call", { name: "add" });
  requests.giveUp(7);
  expect(requests.find(7)).toBeUndefined();
  expect(requests.isLate(8)).toBe(false);
  expect(requests.isLate("7")).toBe(true);
  expect(requests.isLate(7)).toBe(false);
});

it("gives up only what was open", () => {
  const requests = createOpenRequests();
  requests.giveUp(7);
  expect(requests.isLate(7)).toBe(false);
});

it("forgets the oldest of very many", () => {
  const requests = createOpenRequests();
  for (let id = 0; id < 100_001; id++) {
    requests.add(id, "tools/call", {});
    requests.giveUp(id);
  }
  expect(requests.isLate(0)).toBe(false);
  expect(requests.isLate(1)).toBe(true);
});
