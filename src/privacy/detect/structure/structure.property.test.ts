import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInJson } from "./json/find-in-json.ts";
import type { FindText } from "./json/json-finding.ts";
import { findInStructuredText } from "./text/find-in-structured-text.ts";

const nothing: FindText = () => [];
/** Pieces of structure, so that random texts have some. */
const piece = fc.oneof(
  fc.constantFrom(
    "name",
    "email",
    "phone",
    ": ",
    "=",
    ",",
    "\n",
    "|",
    "<b>",
    "</b>",
    "<td>",
    '{"',
    '":',
    '"',
    "}",
    "[",
    "]",
    "&",
    "?",
    "%40",
    "&#64;",
    "\\",
    "\t",
    "BEGIN:VCARD\n",
    "N:",
    ";",
    "@",
  ),
  fc.string({ maxLength: 6 }),
  fc.constantFrom("Ada Park", "ada@lab", "0161 496 0123"),
);
const hostileText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
const canary = fc.constantFrom("Quentin Vass", "Ilse Grau", "Petra Oyelaran");

describe("structure", () => {
  it("finds places that are in the text, apart from each other, whatever the text is", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        let last = 0;
        for (const { start, end } of findInStructuredText(text, { findText: nothing })) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "a",
    "1",
    "@",
    " ",
    "\n",
    ":",
    "a:b,",
    "[{",
    '{"',
    "<a ",
    '<a x="',
    '"',
    ',""',
    "a,b\n",
    "email=a@b&",
    "name: A B\n",
    "\\u0041",
    "john_smith ",
  ])("comes to an end with a long text of %j", (unit) => {
    const text = unit.repeat(Math.ceil(30_000 / unit.length));
    const findings = findInJson({ notes: text, customer_name: text, user_id: text }, { findText: nothing });
    expect(findings.every(({ end }) => end <= text.length)).toBe(true);
  });

  it("walks any JSON without failing, and its paths lead somewhere", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), hostileText, (value, text) => {
        const whole = {
          value,
          customer_name: text,
          rows: [
            ["email", "name"],
            [text, value],
          ],
        };
        for (const { path, in: where } of findInJson(whole, { findText: nothing })) {
          let at: unknown = whole;
          for (const step of path.split("/").slice(1))
            at = Object.getOwnPropertyDescriptor(at, step.replaceAll("~1", "/").replaceAll("~0", "~"))?.value;
          if (where !== "key") expect(["string", "number"]).toContain(typeof at);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("finds the same name in every dress", () => {
    const dresses: readonly ((name: string) => string)[] = [
      (name) => JSON.stringify({ a: [{ customer_name: name, n: 1 }] }),
      (name) => JSON.stringify(JSON.stringify({ customer_name: name })),
      (name) => `id,customer_name\n1,"${name}"\n`,
      (name) => `| id | Customer name |\n|---|---|\n| 1 | ${name} |\n`,
      (name) => `order: 7\ncustomer_name: ${name}\n`,
      (name) => `<order><customer><name>${name}</name></customer></order>`,
      (name) => `<table><tr><th>Id</th><th>Customer</th></tr><tr><td>1</td><td>${name}</td></tr></table>`,
      (name) => `https://shop.example/x?id=1&customer_name=${encodeURIComponent(name)}`,
      (name) => `BEGIN:VCARD\nFN:${name}\nEND:VCARD\n`,
      (name) => `BEGIN:VEVENT\nATTENDEE;CN=${name}:mailto:x@y\nEND:VEVENT\n`,
    ];
    fc.assert(
      fc.property(
        canary,
        fc.constantFrom(...dresses),
        fc.string({ maxLength: 20 }),
        (name, dress, before) => {
          const text = dress(name);
          const [finding] = findInStructuredText(text).filter((found) => found.class === "NAME");
          expect(finding?.value ?? text.slice(finding?.start, finding?.end)).toBe(name);
          const [inside] = findInJson({ note: before, text }, { findText: nothing }).filter(
            ({ path, class: kind }) => path === "/text" && kind === "NAME",
          );
          expect(inside).toMatchObject({ start: finding?.start, end: finding?.end });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("leaves JSON in a text readable when what it found is replaced", () => {
    const extra = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(canary, extra, fc.nat({ max: 2 }), (name, others, times) => {
        const value = { ...others, a: { customer_name: `${name} \u00e9"`, phone: 441614960123 } };
        let text = JSON.stringify(value);
        for (let time = 0; time < times; time++) text = JSON.stringify({ text });
        let replaced = "";
        let from = 0;
        for (const { start, end, quote = "" } of findInStructuredText(text)) {
          replaced += `${text.slice(from, start)}${quote}[X]${quote}`;
          from = end;
        }
        replaced += text.slice(from);
        let inner: unknown = JSON.parse(replaced);
        for (let time = 0; time < times; time++) inner = JSON.parse(String(Object(inner).text));
        expect(JSON.stringify(inner)).not.toContain(name);
        expect(JSON.stringify(inner)).not.toContain("441614960123");
      }),
      { numRuns: 300 },
    );
  });
});
