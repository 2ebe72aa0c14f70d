import { describe, expect, it } from "vitest";
import type { PiiClass } from "../pii-classes.ts";
import { normalise } from "./normal.ts";

describe("normalise", () => {
  it.each<[PiiClass, string, string]>([
    ["EMAIL", "Nora@Example.ORG", " nora@example.org "],
    ["PHONE", "+1 (628) 555-0143", "+16285550143"],
    ["PHONE", "0049 30 901820", "+49 (0)30 901820"],
    ["PHONE", "1-628-555-0143", "+1 628 555 0143"],
    ["PHONE", "628-555-0143 x12", "(628) 555-0143 ext. 12"],
    ["CREDIT_CARD", "4532 0192 8374 6500", "4532-0192-8374-6500"],
    ["SSN", "519-84-2031", "519842031"],
    ["NATIONAL_ID", "jg 10 37 59 a", "JG103759A"],
    ["IBAN", "de44 5001 0517 5407 3249 31", "DE44500105175407324931"],
    ["IP", "2001:DB8::1", "2001:0db8:0:0:0:0:0:1"],
    ["IP", "::ffff:81.2.69.142", "::ffff:5102:458e"],
    ["MAC", "00:1B:44:11:3A:B7", "001b.4411.3ab7"],
    ["POSTAL_CODE", "sw1a 2aa", "SW1A2AA"],
    ["DATE_OF_BIRTH", "3 May 1985", "1985-05-03"],
    ["DATE_OF_BIRTH", "May 3rd, 1985", "1985/5/3"],
    ["DATE_OF_BIRTH", "23/05/1985", "05/23/1985"],
    ["NAME", "Nora  Lindqvist", "NORA LINDQVIST"],
    ["COMPANY", "Acme Ltd.", "acme ltd"],
  ])("%s: %j is %j", (kind, one, other) => {
    expect(normalise(kind, one)).toBe(normalise(kind, other));
  });

  it.each<[PiiClass, string, string]>([
    ["PASSWORD", "Traumhaus", "traumhaus"],
    ["PASSWORD", "traumhaus", "traumhaus "],
    ["API_KEY", "aBc", "abc"],
    ["PHONE", "+16285550143", "+16285550144"],
    ["PHONE", "628-555-0143 x12", "628-555-0143"],
    ["EMAIL", "nora@example.org", "nora@example.com"],
    ["DATE_OF_BIRTH", "03/05/1985", "05/03/1985"],
    ["IP", "2001:db8::1", "2001:db8::2"],
    ["IP", "10.0.0.1", "10.0.0.10"],
  ])("%s: %j is not %j", (kind, one, other) => {
    expect(normalise(kind, one)).not.toBe(normalise(kind, other));
  });

  it("takes a number without a country's code to be of the region", () => {
    expect(normalise("PHONE", "(628) 555-0143", "US")).toBe(normalise("PHONE", "+1 628 555 0143"));
    expect(normalise("PHONE", "030 901820", "de")).toBe(normalise("PHONE", "+49 30 901820"));
  });

  it("gives the same when it is asked again with what it gave", () => {
    for (const [kind, value] of [
      ["PHONE", "+49 30 901820"],
      ["IP", "2001:db8::1/64"],
      ["DATE_OF_BIRTH", "3 May 1985"],
      ["IBAN", "DE44 5001 0517 5407 3249 31"],
    ] as const)
      expect(normalise(kind, normalise(kind, value))).toBe(normalise(kind, value));
  });
});
