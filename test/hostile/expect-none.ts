import { expect } from "vitest";

/** Fails with the complaints themselves, so that every report of the tests shows them. */
export function expectNone(complaints: readonly string[]): void {
  expect(complaints, complaints.join("\n")).toEqual([]);
}
