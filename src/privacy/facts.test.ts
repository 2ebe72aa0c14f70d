import { describe, expect, it } from "vitest";
import { KEPT_CLASSES, PII_CLASSES, type PiiClass, SECRET_CLASSES } from "../pii-classes.ts";
import { maskOf } from "./facts/masks.ts";
import { factsOf } from "./facts.ts";
import { mentionsPii } from "./mentions-pii.ts";

type Case = readonly [kind: PiiClass, value: string, expected: object, region?: string];

const CASES: readonly Case[] = [
  ["EMAIL", "Nadia.K@Example.COM", { domain: "example.com", mask: "N•••@example.com" }],
  ["EMAIL", '"a b@c"@xn--bcher-kva.example', { domain: "xn--bcher-kva.example" }],
  ["EMAIL", "nadia", { mask: "•••" }],
  ["URL", "https://u:p@Host.Example:80/x?y@z", { domain: "host.example", mask: "•••" }],
  ["DOMAIN", "Corp.Example", { domain: "corp.example" }],
  ["PHONE", "+44 20 7946 0958", { country: "GB", last4: "0958", mask: "••••0958" }],
  ["PHONE", "0049 170 1234567", { country: "DE" }],
  ["PHONE", "(415) 555-2671 x77", { country: "US", last4: "2671" }, "us"],
  ["PHONE", "+1 416 555 0123", { country: "CA" }],
  ["CREDIT_CARD", "4242 4242 4242 4242", { last4: "4242", mask: "••••4242" }],
  ["SSN", "123-45-6789", { country: "US", last4: "6789" }],
  ["IBAN", "de89 3704 0044 0532 0130 00", { country: "DE", last4: "3000" }],
  ["NATIONAL_ID", "111.444.777-35", { country: "BR", last4: "7735" }],
  ["NATIONAL_ID", "11144477735", { country: "BR" }, "BR"],
  ["NATIONAL_ID", "RSSMRA85T10A562S", { country: "IT" }],
  ["NATIONAL_ID", "AB 12 34 56 C", { country: "GB" }],
  ["PASSPORT", "C01X00T47", { last4: "0T47" }],
  ["ADDRESS", "1 Rue de Rivoli\n75001 Paris\nFRANCE.", { country: "FR", mask: "•••" }],
  ["ADDRESS", "Hauptstr. 1, 10115 Berlin, Deutschland", { country: "DE" }],
  ["ADDRESS", "Getreidemarkt 9, Wien, Österreich", { country: "AT" }],
  ["ADDRESS", "Main St 1, Springfield, U.S.A.", { country: "US" }],
  ["NAME", "  Nadia van der Kaas ", { mask: "N••• v••• d••• K•••" }],
  ["NAME", "李小龙", { mask: "李•••" }],
  ["COMPANY", "Änderung GmbH & Co", { mask: "Ä••• G••• ••• C•••" }],
  ["DATE_OF_BIRTH", "12.04.1985", { year: 1985, mask: "1985-••-••" }],
  ["DATE_OF_BIRTH", "19850412", { year: 1985 }],
  ["DATE", "April 12, 2024", { year: 2024 }],
];

/** Each with what must not be told of it. */
const NOT_TOLD: readonly [kind: PiiClass, value: string, fact: string, region?: string][] = [
  ["PHONE", "(415) 555-2671", "country"],
  ["PHONE", "555", "last4"],
  ["BANK_ACCOUNT", "123456", "last4"],
  ["NATIONAL_ID", "11144477735", "country"],
  ["NATIONAL_ID", "11144477735", "country", "DE"],
  ["ADDRESS", "5 Peachtree St, Atlanta, Georgia", "country"],
  ["ADDRESS", "12 Rue de France", "country"],
  ["ADDRESS", "1 Main St, Trenton, New Jersey", "country"],
  ["DATE_OF_BIRTH", "12.04.85", "year"],
  ["USER_ID", "nadia_1985", "year"],
  ["NAME", "Nadia 1985", "last4"],
];

const show = (value: string) => JSON.stringify(value);

describe("what is told of a personal value", () => {
  it.each(CASES.map((one) => [one[0], show(one[1]), one] as const))(
    "of the %s %s is what shows",
    (_, __, [kind, value, expected, region]) => {
      expect(factsOf(kind, value, region)).toMatchObject(expected);
    },
  );

  it.each(NOT_TOLD)("of the %s %j is not its %s, in %j", (kind, value, fact, region) => {
    expect(factsOf(kind, value, region)).not.toHaveProperty(fact);
  });

  it.each(SECRET_CLASSES)("of a secret (%s) is nothing", (kind) => {
    expect(factsOf(kind, "sk_live_2019_4242@corp.example")).toEqual({});
    expect(maskOf(kind, "sk_live_2019_4242@corp.example")).toBe("•••");
  });

  it.each([...PII_CLASSES, ...KEPT_CLASSES])("of a hostile %s is short", (kind) => {
    const hostile = ["@", " ", "1", "+1", "ä ", "[x", "1.", ", ", "https://a@", "(0) ", "\u0000", "\ud800"];
    for (const part of hostile) {
      const value = part.repeat(2 ** 20 / part.length);
      const facts = factsOf(kind, value, "DE");
      expect(JSON.stringify(facts).length).toBeLessThan(1_000);
      expect(JSON.stringify(factsOf(kind, `a@${value}`)).length).toBeLessThan(1_000);
    }
    expect(factsOf(kind, "")).toBeTypeOf("object");
  });

  it("is never all of it", () => {
    for (const [kind, value] of CASES)
      if (kind !== "DOMAIN") expect(Object.values(factsOf(kind, value))).not.toContain(value.trim());
  });
});

it("is of use to programs that mention it", () => {
  expect(mentionsPii("rows.filter(r => pii.domain(r.email))")).toBe(true);
  expect(mentionsPii("const recipii = 1; pii2()")).toBe(false);
});
