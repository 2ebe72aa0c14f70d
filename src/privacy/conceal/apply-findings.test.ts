import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PiiClass } from "../../pii-classes.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { detectInJson } from "../detect/detect.ts";
import type { JsonFinding } from "../detect/structure/json/json-finding.ts";
import { noNames } from "../detect/structure/names/known-names.ts";
import { revealTokens } from "../token-text/reveal-tokens.ts";
import { type ApplyOptions, applyFindings } from "./apply-findings.ts";

function finding(path: string, start: number, end: number, more: Partial<JsonFinding> = {}): JsonFinding {
  return { class: "EMAIL", path, start, end, rule: "test", confidence: 0.9, in: "text", ...more };
}

/** Tokens by value, as a vault gives them. */
function createTokens() {
  const values = new Map<string, string>();
  const tokens = new Map<string, string>();
  return {
    tokenOf(kind: PiiClass, value: string): string {
      const known = tokens.get(`${kind} ${value}`);
      const token = known ?? `[${kind}_${tokens.size + 1}]`;
      tokens.set(`${kind} ${value}`, token);
      values.set(token, value);
      return token;
    },
    reveal: (text: string) =>
      revealTokens(text, { valueOf: (token) => values.get(token), hasGiven: () => true }).text,
  };
}

function conceal(value: unknown, options?: ApplyOptions) {
  const tokens = createTokens();
  const findings = detectInJson(value, { names: noNames() });
  const concealed = applyFindings(
    value,
    findings,
    (found, written) => tokens.tokenOf(found.class, found.value ?? written),
    options,
  );
  return { concealed, ...tokens };
}

/** Numbers that were found come back as texts. */
function withTextsAsIn(value: unknown, model: unknown): unknown {
  if (typeof value === "number") return typeof model === "string" ? String(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const inside = (key: string) => Object.getOwnPropertyDescriptor(model, key)?.value;
  if (Array.isArray(value)) return value.map((item, index) => withTextsAsIn(item, inside(String(index))));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withTextsAsIn(part, inside(key))]),
  );
}

describe("applyFindings", () => {
  it("puts tokens into texts, numbers and keys, in the order that keys had", () => {
    const value = {
      a: "write ada@lab.example now",
      phone: 441614960123,
      "bo@lab.example": { x: 1 },
      z: null,
    };
    const { concealed } = conceal(value);
    expect(JSON.stringify(concealed)).toBe(
      '{"a":"write [EMAIL_1] now","phone":"[PHONE_2]","[EMAIL_3]":{"x":1},"z":null}',
    );
  });

  it("shares what it does not change, and changes nothing of the value", () => {
    const value = { same: [{ a: 1 }], other: { list: [{ x: "ada@lab.example" }, { y: "lamp" }] } };
    const before = structuredClone(value);
    const { concealed } = conceal(value);
    expect(value).toEqual(before);
    expect(concealed).toEqual({ same: [{ a: 1 }], other: { list: [{ x: "[EMAIL_1]" }, { y: "lamp" }] } });
    expect(Object(concealed).same).toBe(value.same);
    expect(Object(concealed).other.list[1]).toBe(value.other.list[1]);
    const plain = { a: ["b"] };
    expect(applyFindings(plain, [], () => "x")).toBe(plain);
  });

  it("changes a value that is a text or a number itself", () => {
    expect(applyFindings("to a@b", [finding("", 3, 6)], () => "[EMAIL_1]")).toBe("to [EMAIL_1]");
    expect(applyFindings(123, [finding("", 0, 3, { in: "number" })], () => "[SSN_1]")).toBe("[SSN_1]");
  });

  it("escapes what looks like a token, in texts and keys with and without findings", () => {
    const value = { "[NAME_7]": "[EMAIL_1]", list: ["a@b [EMAIL_1", "x"] };
    const found = [finding("/list/0", 0, 3)];
    const expected = { "[NAME_~7]": "[EMAIL_~1]", list: ["[EMAIL_1] [EMAIL_~1", "x"] };
    expect(applyFindings(value, found, () => "[EMAIL_1]")).toEqual(expected);
    const asIs = { "[NAME_7]": "[EMAIL_1]", list: ["[EMAIL_1] [EMAIL_1", "x"] };
    expect(applyFindings(value, found, () => "[EMAIL_1]", { escape: false })).toEqual(asIs);
  });

  it("leaves a finding for which there is nothing, and escapes across it", () => {
    const value = { a: "[EMAIL_1] a@b" };
    const found = [finding("/a", 1, 3), finding("/a", 10, 13)];
    expect(applyFindings(value, found, () => undefined)).toEqual({ a: "[EMAIL_~1] a@b" });
    expect(applyFindings(value, found, () => undefined, { escape: false })).toBe(value);
  });

  it("writes masks as they are, and makes harmless what looks like a token in them", () => {
    const found = [finding("/a", 2, 5), finding("/a", 6, 9)];
    const masks = ["***@b", "[EMAIL_1]!"];
    expect(applyFindings({ a: "x a@b c@d" }, found, () => masks.shift())).toEqual({
      a: "x ***@b [EMAIL_~1]!",
    });
  });

  it("makes one of two findings that share letters, wherever they stand in the list", () => {
    const found = [finding("/a", 0, 4), finding("/b", 0, 3), finding("/a", 2, 6)];
    const seen: string[] = [];
    const result = applyFindings({ a: "abcdefgh", b: "xyz" }, found, (_finding, written) => {
      seen.push(written);
      return "[EMAIL_1]";
    });
    expect(result).toEqual({ a: "[EMAIL_1]gh", b: "[EMAIL_1]" });
    expect(seen.sort()).toEqual(["abcdef", "xyz"]);
  });

  it("loses no member when two keys become the same", () => {
    const value = { "a@b": 1, "A@B": 2, "[EMAIL_1] (2)": 3, c: 4, "a@B": 5 };
    const keys = ["/a@b", "/A@B", "/a@B"].map((path) => finding(path, 0, 3, { in: "key" }));
    const expected = ["[EMAIL_1]", "[EMAIL_1] (2)", "[EMAIL_~1] (2)", "c", "[EMAIL_1] (3)"];
    const result = applyFindings(value, keys, () => "[EMAIL_1]");
    expect(Object.keys(Object(result))).toEqual(expected);
    expect(Object.values(Object(result))).toEqual([1, 2, 3, 4, 5]);
    const unescaped = applyFindings(value, keys, () => "[EMAIL_1]", { escape: false });
    expect(Object.entries(Object(unescaped))).toEqual([
      ["[EMAIL_1]", 1],
      ["[EMAIL_1] (3)", 2],
      ["[EMAIL_1] (2)", 3],
      ["c", 4],
      ["[EMAIL_1] (4)", 5],
    ]);
  });

  it("changes what is under a key that changes too", () => {
    const { concealed } = conceal({ mails: { "ada@lab.example": { cc: ["bo@lab.example"] } } });
    expect(JSON.stringify(concealed)).toMatch(/^\{"mails":\{"\[EMAIL_\d\]":\{"cc":\["\[EMAIL_\d\]"\]\}\}\}$/);
  });

  it("takes __proto__ and its like for plain keys", () => {
    const json =
      '{"__proto__":{"email":"ada@lab.example"},"constructor":"bo@lab.example","[IP_1]":{"__proto__":"[IP_1]"}}';
    const { concealed } = conceal(JSON.parse(json));
    expect(JSON.stringify(concealed)).toBe(
      '{"__proto__":{"email":"[EMAIL_1]"},"constructor":"[EMAIL_2]","[IP_~1]":{"__proto__":"[IP_~1]"}}',
    );
    expect(Object.getPrototypeOf(concealed)).toBe(Object.prototype);
    const renamed = applyFindings({ a: 1 }, [finding("/a", 0, 1, { in: "key" })], () => "__proto__");
    expect(JSON.stringify(renamed)).toBe('{"__proto__":1}');
  });

  it("goes down as deep as findings do", () => {
    let value: unknown = { email: "ada@lab.example", look: "[EMAIL_1]" };
    for (let depth = 0; depth < 9_990; depth++) value = [value];
    let at = conceal(value).concealed;
    while (Array.isArray(at)) at = at[0];
    expect(at).toEqual({ email: "[EMAIL_1]", look: "[EMAIL_~1]" });
  });

  it("leaves JSON in a text readable, with tokens for numbers in quotes", () => {
    const inner = '{"customer_name": "Zo\\u00eb \\"Zo\\" Hart", "phone": 441614960123}';
    const { concealed, reveal } = conceal({ body: inner, twice: JSON.stringify({ inner }) });
    const { body, twice } = Object(concealed);
    expect(JSON.parse(body)).toEqual({ customer_name: "[NAME_1]", phone: "[PHONE_2]" });
    expect(JSON.parse(JSON.parse(twice).inner)).toEqual({ customer_name: "[NAME_1]", phone: "[PHONE_2]" });
    expect(JSON.parse(reveal(body))).toEqual({ customer_name: 'Zoë "Zo" Hart', phone: "441614960123" });
  });

  it("writes a token as its value was, in URLs and in markup", () => {
    const url = "https://shop.example/x?id=1&customer_name=Lena%20Schmidt&q=2";
    const page = "<order><customer><name>Lena O&#39;Hara</name></customer></order>";
    const { concealed, reveal } = conceal({ url, page });
    expect(JSON.stringify(concealed)).not.toMatch(/Lena|Hara/);
    expect(mapTexts(concealed, reveal)).toEqual({ url, page });
  });

  it("fails where a finding leads nowhere, and where paths are longer than any data's", () => {
    expect(() => applyFindings({ a: "x" }, [finding("/b", 0, 1)], () => "y")).toThrow(
      "not where it was found",
    );
    expect(() => applyFindings({ a: "x" }, [finding("/a/b/c", 0, 1)], () => "y")).toThrow("not where");
    expect(() => applyFindings({ a: [] }, [finding("/a/map", 0, 1)], () => "y")).toThrow("not where");
    const found = Array.from({ length: 300 }, () => finding(`/${"k".repeat(1024 * 1024)}`, 0, 1));
    expect(() => applyFindings({}, found, () => "y")).toThrow("too deep, or under keys that are too long");
  });

  it("comes back as it was when tokens are revealed", () => {
    const person = fc.constantFrom("Quentin Vass", "Ilse Grau", "ada.park@lab.example", "+44 161 496 0123");
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      person,
      fc
        .tuple(
          fc.string({ maxLength: 8 }),
          person,
          fc.constantFrom(" [EMAIL_1]", "[NAME_~2] ", "[PHONE_", "\\", '"'),
        )
        .map((parts) => parts.join(" ")),
      fc.constantFrom(
        "[EMAIL_1]",
        "[EMAIL_~1]",
        "NAME_1]",
        Buffer.from("see [EMAIL_1] there").toString("base64"),
      ),
      fc
        .record({ customer_name: person, note: fc.string({ maxLength: 5 }) })
        .map((inner) => JSON.stringify(inner)),
    );
    const key = fc.oneof(
      fc.constantFrom("customer_name", "email", "phone", "notes", "__proto__", "a/b", "c~d", "[IP_3]"),
      fc.constantFrom("ada.park@lab.example", "bo@lab.example"),
      fc.string({ maxLength: 4 }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(441614960123, 12, null, true, 4111111111111111),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
      ),
    }));
    fc.assert(
      fc.property(value, (generated) => {
        const { concealed, reveal } = conceal(generated);
        const revealed = mapTexts(concealed, reveal);
        expect(revealed).toEqual(withTextsAsIn(generated, revealed));
        for (const canary of ["ada.park@lab.example", "bo@lab.example"])
          expect(JSON.stringify(concealed)).not.toContain(canary);
      }),
      { numRuns: 1_000 },
    );
  });
});
