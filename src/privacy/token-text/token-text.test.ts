import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WrittenForm } from "../forms/written-forms.ts";
import { placeTokens, type TokenPlace } from "./escape-tokens.ts";
import { revealTokens, type TokenValues } from "./reveal-tokens.ts";

const VALUES: Readonly<Record<string, string>> = {
  "[EMAIL_1]": "nadia.rossi@example.com",
  "[EMAIL_12]": '"n r"@example.com',
  "[NAME_1]": "Zoë O'Neill & Sons <x>",
  "[CREDIT_CARD_3]": "4111 1111 1111 1111",
  "[PRIVATE_KEY_1]": "-----BEGIN-----\nabc\\def\n-----END-----",
};
const GIVEN = new Set(["EMAIL", "NAME", "CREDIT_CARD", "PRIVATE_KEY"]);
const values: TokenValues = { valueOf: (token) => VALUES[token], hasGiven: (kind) => GIVEN.has(kind) };
const reveal = (text: string) => revealTokens(text, values);
const email = VALUES["[EMAIL_1]"] ?? "";
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("tokens in a text", () => {
  it.each([
    ["[EMAIL_1]", email],
    ["to: [EMAIL_1], [NAME_1].", `to: ${email}, ${VALUES["[NAME_1]"]}.`],
    ["[email_1]", email],
    ["  [EMAIL_1]\n", `  ${email}\n`],
    ["%5BEMAIL_1%5D", "nadia.rossi%40example.com"],
    ["a?q=%5bEMAIL_1%5d&b", "a?q=nadia.rossi%40example.com&b"],
    ["%255BEMAIL_1%255D", "nadia.rossi%2540example.com"],
    ["&#91;NAME_1&#93;", "Zoë O&#39;Neill &amp; Sons &lt;x&gt;"],
    ["&lsqb;EMAIL_1&rsqb;", email],
    ["\\u005bEMAIL_12\\u005d", '\\"n r\\"@example.com'],
    [
      "\\\\u005bEMAIL_12\\\\u005d",
      JSON.stringify(JSON.stringify('"n r"@example.com').slice(1, -1)).slice(1, -1),
    ],
    ["x[CREDIT_CARD_3]y", "x4111 1111 1111 1111y"],
  ])("are revealed in %s", (text, expected) => {
    expect(reveal(text)).toMatchObject({ text: expected, faults: [] });
  });

  it("are told, each once", () => {
    expect(reveal("[EMAIL_1][NAME_1][EMAIL_1]").tokens).toEqual(["[EMAIL_1]", "[NAME_1]"]);
  });

  it("are revealed in JSON so that it still is JSON, however deep", () => {
    const data = { to: "[EMAIL_12]", list: ["[PRIVATE_KEY_1]", "[EMAIL_1]"] };
    const real = { to: VALUES["[EMAIL_12]"], list: [VALUES["[PRIVATE_KEY_1]"], email] };
    expect(JSON.parse(reveal(JSON.stringify(data)).text)).toEqual(real);
    const twice = JSON.stringify({ body: JSON.stringify(data), plain: "[PRIVATE_KEY_1]" });
    const read = JSON.parse(reveal(twice).text);
    expect(JSON.parse(read.body)).toEqual(real);
    expect(read.plain).toBe(VALUES["[PRIVATE_KEY_1]"]);
  });

  it("are revealed in base64 of either alphabet, with and without its end", () => {
    const [text, real] = [
      "Dear [NAME_1], write to [EMAIL_1]??>>",
      `Dear ${VALUES["[NAME_1]"]}, write to ${email}??>>`,
    ];
    expect(reveal(base64(text)).text).toBe(base64(real));
    expect(reveal(`data:text/plain;base64,${base64(text)};`).text).toBe(
      `data:text/plain;base64,${base64(real)};`,
    );
    const url = Buffer.from(text).toString("base64url");
    expect(reveal(url).text).toBe(Buffer.from(real).toString("base64url"));
  });

  it.each([
    ["[EMAIL_999999]", "unknown"],
    ["[PHONE_1]", "unknown"],
    ["[EMAIL_", "cut"],
    ["[EMAIL_1", "cut"],
    ["see [EMAIL_1, or", "cut"],
    ["EMAIL_1]", "cut"],
    ["(CREDIT_CARD_3]", "cut"],
    ["[EMAIL 1]", "altered"],
    ["[EMAIL-1]", "altered"],
    ["[EMAIL1]", "altered"],
    ["%5BEMAIL_", "cut"],
  ])("that are broken are told: %s", (text, kind) => {
    expect(reveal(text)).toMatchObject({ text, tokens: [], faults: [{ kind }] });
    expect(reveal(base64(`a word and ${text}`)).faults).toMatchObject([{ kind }]);
  });

  it.each([
    "[NOTE_1]",
    "[TODO]",
    "rows[0]",
    "rows[name_1]",
    "[email_77]",
    "[EMAIL_ADDRESS]",
    "[NAME_1_OF_2]",
    "EMAIL_1",
    "process.env.EMAIL_1",
    "[Name 1]",
    "[1, 2]",
    "[PHONE 1]",
    "[PHONE_",
    "[[1]]",
    "100%5",
    "&#91;1&#93;",
  ])("ordinary text is none: %s", (text) => {
    expect(reveal(text)).toEqual({ text, tokens: [], faults: [] });
  });
});

describe("data that looks like a token", () => {
  it.each([
    "[EMAIL_1]",
    "[email_1]",
    "%5BEMAIL_1%5D",
    "&#91;EMAIL_1&#93;",
    "\\u005bEMAIL_1\\u005d",
    "[EMAIL_~1]",
  ])("is never revealed, and comes back as it was: %s", (data) => {
    const escaped = placeTokens(data, []);
    expect(escaped).not.toBe(data);
    expect(reveal(escaped)).toEqual({ text: data, tokens: [], faults: [] });
    const encoded = base64(`it says ${data}`);
    expect(reveal(placeTokens(encoded, []))).toEqual({ text: encoded, tokens: [], faults: [] });
  });

  it("is not made by what stands beside a token", () => {
    const text = `[EMAIL_${email}_1]`;
    const shown = placeTokens(text, [{ start: 7, end: 7 + email.length, token: "[EMAIL_1]", form: "plain" }]);
    expect(reveal(shown)).toEqual({ text, tokens: ["[EMAIL_1]"], faults: [] });
  });

  const pieces = fc.constantFrom(
    "[",
    "]",
    "EMAIL",
    "email",
    "NAME",
    "CREDIT_CARD",
    "_",
    "~",
    "1",
    "12",
    " ",
    "-",
    "%5B",
    "%5D",
    "%255B",
    "&#91;",
    "&#93;",
    "\\u005b",
    "\\u005d",
    "\\",
    '"',
    "x",
    "é",
    base64("[EMAIL_1] and so on"),
    base64("a [EMAIL_~1]"),
    ",",
  );

  it("any text comes back byte for byte, whatever it looks like", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const text = parts.join("");
        expect(reveal(placeTokens(text, []))).toEqual({ text, tokens: [], faults: [] });
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(reveal(placeTokens(text, [])).text).toBe(text);
      }),
    );
  });

  it("so does one with values in it, in the encodings that tokens know", () => {
    const forms: [WrittenForm, (value: string) => string][] = [
      ["plain", (value) => value],
      ["url", encodeURIComponent],
      ["json", (value) => JSON.stringify(value).slice(1, -1)],
    ];
    const value = fc.tuple(fc.constantFrom(...Object.entries(VALUES)), fc.constantFrom(...forms));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(pieces, { maxLength: 6 }), value), { maxLength: 5 }),
        (parts) => {
          let text = "";
          const places = parts.map(([gap, [[token, real], [form, encode]]]): TokenPlace => {
            const isEncoded = encode(real) !== real;
            // Base64 that touches an encoded bracket is another run than it was.
            text += `${gap.join("")}${isEncoded ? " " : ""}`;
            const start = text.length;
            text += encode(real);
            const end = text.length;
            if (isEncoded) text += " ";
            return { start, end, token, form: isEncoded ? form : "plain" };
          });
          // In a text that is JSON as a whole, a value in its plain form is escaped.
          fc.pre(!/^\s*["[{]/.test(text));
          expect(reveal(placeTokens(text, places))).toMatchObject({ text, faults: [] });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("hostile texts take no longer than others of their length", () => {
    for (const unit of [
      "[",
      "]",
      "[EMAIL_",
      "EMAIL_1]",
      "~",
      "%5B",
      "\\",
      "[EMAIL_~",
      "&#91;",
      "_",
      "1]",
      "[EMAIL_1",
    ])
      expect(placeTokens(unit.repeat(200_000 / unit.length), []).length).toBeGreaterThan(100_000);
  });
});
