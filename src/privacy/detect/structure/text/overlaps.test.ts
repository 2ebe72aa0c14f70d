import { expect, it } from "vitest";
import type { TextFinding } from "../json/json-finding.ts";
import { withoutOverlaps } from "./overlaps.ts";

function found(start: number, end: number, name: TextFinding["class"], confidence = 0.9): TextFinding {
  return { class: name, start, end, rule: "x", confidence };
}

const shape = (findings: readonly TextFinding[]) =>
  withoutOverlaps(findings).map(({ class: name, start, end }) => [name, start, end]);

it("keeps what stands apart, in order", () => {
  expect(shape([found(5, 8, "NAME"), found(0, 5, "EMAIL")])).toEqual([
    ["EMAIL", 0, 5],
    ["NAME", 5, 8],
  ]);
});

it("keeps the longer, and the surer of two at one place", () => {
  expect(shape([found(0, 4, "NAME", 0.99), found(0, 9, "EMAIL")])).toEqual([["EMAIL", 0, 9]]);
  expect(shape([found(2, 4, "NAME", 0.99), found(0, 9, "EMAIL")])).toEqual([["EMAIL", 0, 9]]);
  expect(shape([found(0, 4, "PHONE", 0.6), found(0, 4, "SSN", 0.95)])).toEqual([["SSN", 0, 4]]);
});

it("joins two that share letters", () => {
  expect(shape([found(0, 6, "NAME", 0.7), found(4, 9, "EMAIL", 0.9)])).toEqual([["EMAIL", 0, 9]]);
});

it("lets what is shown anyway give way to what is not", () => {
  expect(shape([found(0, 9, "LOCATION"), found(2, 6, "NAME", 0.6)])).toEqual([["NAME", 2, 6]]);
  expect(shape([found(0, 6, "PHONE"), found(4, 9, "DATE", 0.95)])).toEqual([["PHONE", 0, 6]]);
});
