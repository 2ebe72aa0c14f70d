import { describe, expect, it } from "vitest";
import { holdsWhere, parseWhere, toWhereText } from "./where.ts";

const event = {
  risk: "high",
  details: { host: "a.example", leave: { approved: "person" }, rules: ["one", "two"], port: 443 },
};
const holds = (text: string) => {
  const condition = parseWhere(text);
  return condition && holdsWhere(event, [condition]);
};

describe("conditions on fields", () => {
  it("hold where the field is the value, has it in a list, or is there", () => {
    expect(holds("details.host=a.example")).toBe(true);
    expect(holds("details.host=A.example")).toBe(false);
    expect(holds("details.rules=two")).toBe(true);
    expect(holds("details.rules=three")).toBe(false);
    expect(holds("details.port=443")).toBe(true);
    expect(holds("details.port!=443")).toBe(false);
    expect(holds("details.port!=80")).toBe(true);
    expect(holds("details.missing!=80")).toBe(false);
    expect(holds("details.rules.0")).toBe(true);
    expect(holds("details.rules.2")).toBe(false);
    expect(holds("details.leave.approved")).toBe(true);
    expect(holds("details.missing")).toBe(false);
    expect(holds("!details.missing")).toBe(true);
    expect(holds("!risk")).toBe(false);
  });

  it("find nothing that every object has", () => {
    expect(holds("constructor")).toBe(false);
    expect(holds("details.__proto__")).toBe(false);
  });

  it("are written as they are read, and nothing else is read", () => {
    for (const text of ["a.b=c=d", "a!=b", "a!=", "a", "!a.b", "a=", "a= ' \" "]) {
      const condition = parseWhere(text);
      expect(condition && toWhereText(condition)).toBe(text);
    }
    for (const text of ["", "=a", "!a=b", "a b", "1=2"]) expect(parseWhere(text)).toBeUndefined();
  });
});
