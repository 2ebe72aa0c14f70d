import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PiiClass } from "../../pii-classes.ts";
import { createFormIndex } from "./form-index.ts";
import { ordinarinessOf } from "./ordinary-words.ts";

type Entry = { readonly class: PiiClass; readonly value: string };

function indexOf(...entries: [PiiClass, string][]) {
  const index = createFormIndex<Entry>();
  index.add(entries.map(([kind, value]) => ({ class: kind, value })));
  return index;
}

/** The pieces of the text that were found. */
function found(text: string, ...entries: [PiiClass, string][]): string[] {
  return indexOf(...entries)
    .find(text)
    .matches.map(({ start, end }) => text.slice(start, end));
}

const EMAIL = "nadia.rossi@example.com";
const NAME = "Nadia Rossi";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const reversed = (text: string) => [...text].reverse().join("");

it("stands in a sentence without spaces, and by the halves of a double name", () => {
  expect(found("担当者は田中 太郎です。", ["NAME", "田中 太郎"])).toEqual(["田中 太郎"]);
  expect(found("Frau Lüdenscheidt ruft an", ["NAME", "Jan Müller-Lüdenscheidt"])).toEqual(["Lüdenscheidt"]);
});

describe("a value's written forms", () => {
  it.each<[string, PiiClass, string, string]>([
    ["as it is", "EMAIL", EMAIL, EMAIL],
    ["in capitals", "EMAIL", EMAIL, EMAIL.toUpperCase()],
    ["with colons, as a MAC address has them", "MAC", "92:c1:18:db:20:24", "92:c1:18:db:20:24"],
    [
      "reversed after signs that make an escape of it",
      "EMAIL",
      "nadia@mail.exr",
      `\\\\${reversed("nadia@mail.exr")}`,
    ],
    ["in a URL", "EMAIL", EMAIL, encodeURIComponent(EMAIL)],
    ["in a URL, twice", "EMAIL", EMAIL, encodeURIComponent(encodeURIComponent(EMAIL))],
    ["in HTML", "EMAIL", EMAIL, "nadia.rossi&#64;example.com"],
    ["in HTML, every character", "NAME", NAME, [...NAME].map((one) => `&#${one.charCodeAt(0)};`).join("")],
    ["in JSON", "NAME", "Zoë Müller", "Zo\\u00eb M\\u00fcller"],
    ["in JSON in JSON", "NAME", "Zoë Müller", "Zo\\\\u00eb M\\\\u00fcller"],
    ["in a URL, beyond ASCII", "NAME", "Zoë Müller", encodeURIComponent("Zoë Müller")],
    ["without its accents", "NAME", "Zoë Müller", "Zoe Muller"],
    ["in another normal form", "NAME", "Zoë Müller", "Zoë Müller".normalize("NFD")],
    ["in full width", "NAME", NAME, "Ｎａｄｉａ　Ｒｏｓｓｉ"],
    ["in mathematical letters", "NAME", NAME, "𝐍𝐚𝐝𝐢𝐚 𝐑𝐨𝐬𝐬𝐢"],
    ["with joiners in it", "NAME", NAME, "Na\u200bdia Ro\u00adssi"],
    ["in capitals, with another sharp s", "NAME", "Jan Weißmann", "JAN WEISSMANN"],
    ["in an identifier", "NAME", NAME, "nadia_rossi"],
    ["without a space", "NAME", NAME, "nadiarossi"],
    ["spelled out", "NAME", NAME, [...NAME.replace(" ", "")].join(" ")],
    ["as a list of characters", "NAME", NAME, JSON.stringify([...NAME])],
    ["as a list over lines", "EMAIL", EMAIL, JSON.stringify([...EMAIL], null, 4)],
    ["backwards", "EMAIL", EMAIL, reversed(EMAIL)],
    ["backwards, a name", "NAME", NAME, reversed(NAME)],
    ["a phone number with other signs", "PHONE", "+1 202 555 0143", "+1(202)555-0143"],
    ["without any", "PHONE", "+1 202 555 0143", "12025550143"],
    ["without its country", "PHONE", "+44 20 7946 0018", "020 7946 0018"],
    ["a card in groups", "CREDIT_CARD", "4111111111111111", "4111 1111 1111 1111"],
    ["a card with dots", "CREDIT_CARD", "4111-1111-1111-1111", "4111.1111.1111.1111"],
    ["an account in groups", "IBAN", "GB82WEST12345698765432", "GB82 WEST 1234 5698 7654 32"],
    ["a number in other digits", "PHONE", "+20 2 2794 6001", "٠٢٢٧٩٤٦٠٠١"],
    ["a birthday, turned round", "DATE_OF_BIRTH", "1984-03-27", "27/03/1984"],
    ["a birthday, without zeros", "DATE_OF_BIRTH", "1984-03-07", "7.3.1984"],
    [
      "an address over lines",
      "ADDRESS",
      "12 Larch Road, Apt 4, Springfield",
      "12 Larch Road\nApt 4\nSpringfield",
    ],
    ["its street alone", "ADDRESS", "12 Larchmont Road, Springfield", "12 larchmont road"],
    ["a firm without what it is", "COMPANY", "Zentrix GmbH", "Zentrix"],
    ["an address of version 4", "IP", "10.20.30.4", "10.20.30.4"],
    ["another script", "NAME", "Ольга Иванова", "ОЛЬГА ИВАНОВА"],
    ["a name of two characters and one", "NAME", "山田 太郎", "山田太郎"],
  ])("are found %s", (_, kind, value, written) => {
    for (const text of [written, `a ${written} b`, `{"k":"${written}"}`]) {
      const pieces = found(text, [kind, value]);
      expect(pieces.length).toBeGreaterThan(0);
      const [first = ""] = pieces;
      const covered = pieces.reduce((sum, piece) => sum + piece.length, 0);
      expect([first, covered / written.length >= 0.7]).toEqual([first, true]);
    }
  });

  it.each([0, 1, 2])("are found in base64, %d bytes after its start, and where it is cut off", (shift) => {
    const text = `${"x".repeat(shift)} write to ${EMAIL} and ${NAME}, please`;
    const index = indexOf(["EMAIL", EMAIL], ["NAME", NAME]);
    for (const cut of [0, 1, 2, 3]) {
      const [match] = index.find(`id=${base64(text).slice(cut)};`).matches;
      expect(match?.inside?.matches.map(({ entry }) => entry.value)).toEqual([EMAIL, NAME]);
    }
  });

  it("are found in hexadecimal digits, in either size and at any place", () => {
    const hex = Buffer.from(`to ${EMAIL}`).toString("hex");
    const index = indexOf(["EMAIL", EMAIL]);
    for (const text of [hex, hex.toUpperCase(), `0${hex}`, `id_${hex}_x`])
      expect(index.find(text).matches.map(({ entry }) => entry.value)).toEqual([EMAIL]);
  });

  it("are found in base64 in lines, and in base64 of base64", () => {
    const text = `${"lorem ipsum ".repeat(9)}${EMAIL} ${"dolor sit ".repeat(9)}`;
    const lines = base64(text).replace(/.{76}/g, "$&\r\n");
    const index = indexOf(["EMAIL", EMAIL]);
    expect(index.find(lines).matches).toHaveLength(1);
    expect(index.find(base64(base64(`see ${EMAIL} `))).matches).toHaveLength(1);
  });

  it("are found after a sign that could begin an escape", () => {
    for (const before of ["\\", "%", "&", "C:\\", "%4"])
      expect(found(`${before}${EMAIL}`, ["EMAIL", EMAIL])).toEqual([EMAIL]);
    expect(found("corp\\nadia7", ["USER_ID", "CORP\\Nadia7"])).toEqual(["corp\\nadia7"]);
    expect(found("%2025550143", ["PHONE", "2025550143"])).toEqual(["2025550143"]);
  });

  it("have the signs of the value, where they are its own", () => {
    expect(found("call +1 (202) 555-0143.", ["PHONE", "+1 (202) 555-0143"])).toEqual(["+1 (202) 555-0143"]);
    expect(found("tel=%2B12025550143&x", ["PHONE", "+12025550143"])).toEqual(["%2B12025550143"]);
    expect(indexOf(["PHONE", "+12025550143"]).find("tel=%2B12025550143&x").matches[0]?.form).toBe("url");
    expect(indexOf(["PASSWORD", '!Pa$$word"9!']).find('a !Pa$$word"9! b').matches).toMatchObject([
      { start: 2, end: 14, form: "plain", isPart: false },
    ]);
  });
});

describe("words of a name", () => {
  it("are found alone, each as some of it", () => {
    const index = indexOf(["NAME", "Nadia Rossi"]);
    const { matches } = index.find("Dear Nadia, is ROSSI your name? rossi_77");
    expect(matches).toMatchObject([{ isPart: true }, { isPart: true }, { isPart: true }]);
  });

  it.each([
    ["in other words", "Ian Anders", "the Canadian standersby cut branders"],
    ["across words", "Ian Solo", "hi an apple, so long"],
    ["in hashes and identifiers", "Ada Deb", "4ada-91deb2-c0ffee adab4 xAdaQ1"],
    ["that are small", "Li Wu", "li wu"],
  ])("are not found %s", (what, value, text) => {
    const pieces = found(text, ["NAME", value]);
    expect(pieces).toEqual(what === "that are small" ? ["li wu"] : []);
  });

  it("that are more often a name than a word are found where they are written as names", () => {
    expect(found("mark the date. Mark did", ["NAME", "Mark"])).toEqual(["Mark"]);
    expect(found("a baker and Baker", ["NAME", "Lena Baker"])).toEqual(["Baker"]);
  });

  // Before, "Will" was found by its capital; so were Green Tea, English and Price list, for good.
  it.each([
    ["Will Young", "Will you stay Young? WILL"],
    ["Ada Green", "Green Tea, green, GREEN"],
    ["Jean English", "language: English"],
    ["Art Best", "Best of Art, art"],
    ["Olivia Price", "Price list: price, prices"],
    ["Paris Hart", "from Paris to paris"],
    ["August Weber", "August 2024, august"],
    ["Violet Banks", "Banks, banks_open, violet"],
    ["Chad Jordan", "Jordan and Chad are countries"],
    ["An Other", "another ANOTHER"],
    ["Mark Et", "market Market"],
    ["Status", "status Status STATUS user_status"],
  ])("that are ordinary words, towns, months, colours or countries are not: %s", (name, text) => {
    expect(found(text, ["NAME", name])).toEqual([]);
  });

  it("that are ordinary are found together, in all forms", () => {
    for (const written of ["Ada Green", "ADA GREEN", "ada_green", "adaGreen", "Ada%20Green", "neerG adA"])
      expect(found(`x ${written} y`, ["NAME", "Ada Green"]).join("")).toContain(written);
    expect(found("an other", ["NAME", "An Other"])).toEqual(["an other"]);
  });

  it.each(["Haddad", "Olsen", "Yusuf", "Kowalski", "Rossi", "García", "Johnson", "Nadia", "Omar", "Santos"])(
    "that are names alone are found in every form: %s",
    (name) => {
      const entries: [PiiClass, string][] = [
        ["NAME", `Quirin ${name}`],
        ["NAME", `${name} Quast`],
        ["NAME", name],
      ];
      for (const entry of entries)
        for (const written of [name, name.toLowerCase(), name.toUpperCase(), `${name}_7`, `(${name})`])
          expect(found(`by ${written}.`, entry).join("")).toContain(written.replace(/[^\p{L}]/gu, ""));
    },
  );
});

describe("a value that is one ordinary word", () => {
  it.each<[PiiClass, string, string]>([
    ["ADDRESS", "Main", "git push origin main, Main"],
    ["USER_ID", "readonly", "readonly mode, ReadOnly"],
    ["USER_ID", "settings", "Settings"],
    ["PASSWORD", "password", "your password is PASSWORD"],
    ["PASSWORD", "changeme", "changeme"],
    ["PASSWORD", "none", "None"],
    ["API_KEY", "secret", "a secret"],
    ["API_KEY", "test", "Test"],
    ["COMPANY", "Apple Inc", "an Apple a day"],
    ["COMPANY", "Slack", "Slack channel"],
    ["NAME", " Status ", "Status"],
    ["NAME", "status.", "the status."],
  ])("%s %s is not looked for", (kind, value, text) => {
    expect(found(text, [kind, value])).toEqual([]);
    expect(found(base64(`x ${text} y`), [kind, value])).toEqual([]);
  });

  it.each<[PiiClass, string, string, string]>([
    ["PASSWORD", "password1", "it is password1", "password1"],
    ["PASSWORD", "password!", "password is password!", "password!"],
    ["PASSWORD", "zephyr", "it is zephyr", "zephyr"],
    ["PASSWORD", "hunter2", "hunter hunter2", "hunter2"],
    ["USER_ID", "main_7x", "main main_7x", "main_7x"],
    ["USER_ID", "nadiarossi", "nadiarossi", "nadiarossi"],
    ["ADDRESS", "12 Main Street", "at 12 Main Street", "12 Main Street"],
    ["COMPANY", "Apple Tree Ltd", "by Apple Tree", "Apple Tree"],
  ])("but %s %s is", (kind, value, text, expected) => {
    expect(found(text, [kind, value])).toEqual([expected]);
  });

  const LISTS = new URL("../detect/prose/words/", import.meta.url);
  const words = readFileSync(new URL("words-frequent.txt", LISTS), "utf8").split("\n");
  const ordinary = fc
    .constantFrom(...words.filter((word) => /^[a-z]{3,}$/.test(word)))
    .filter((word) => ordinarinessOf(word, "NAME") === "ordinary");
  const write = fc.constantFrom<(word: string) => string>(
    (word) => word,
    (word) => word.toUpperCase(),
    (word) => word.replace(/^./, (letter) => letter.toUpperCase()),
  );

  it("whichever it is, hides nothing; in a full name it is found", () => {
    fc.assert(
      fc.property(
        ordinary,
        write,
        fc.constantFrom<PiiClass>("NAME", "USER_ID", "ADDRESS", "COMPANY", "PASSWORD", "API_KEY"),
        (word, writeAs, kind) => {
          const text = `${writeAs(word)} list, {"${word}": "${writeAs(word)}"}`;
          expect(found(text, [kind, writeAs(word)])).toEqual([]);
          const name = `Qvistrom ${writeAs(word)}`;
          expect(found(text, ["NAME", name])).toEqual([]);
          expect(found(`of ${name.toLowerCase()};`, ["NAME", name])).toEqual([name.toLowerCase()]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is less than one in thirty of the names that people have", () => {
    for (const list of ["given.txt", "family.txt", "given-rare.txt"]) {
      const names = readFileSync(new URL(list, LISTS), "utf8")
        .split("\n")
        .filter((name) => name.length > 2);
      const lost = names.filter((name) => ordinarinessOf(name, "NAME") === "ordinary");
      expect(lost.length / names.length).toBeLessThan(1 / 30);
    }
  });
});

describe("what is no value", () => {
  it.each<[PiiClass, string, string]>([
    ["PHONE", "2025550143", "12, 20, 25, 55, 01, 43, 77"],
    ["SSN", "078051120", "[0, 7805, 1120]"],
    ["SSN", "078-05-1120", "x07805112"],
    ["POSTAL_CODE", "90210", "90210 items"],
    ["EMAIL", "a@b.co", "abco a b co"],
    ["IP", "1.2.3.4", "1234 1.2.3.45 11.2.3.4"],
    ["PASSWORD", "ab-12", "ab12"],
    ["NAME", "a", "a a a"],
    ["NAME", "", "a"],
  ])("%s %s is not in %s", (kind, value, text) => {
    expect(found(text, [kind, value])).toEqual([]);
  });
});

describe("the index", () => {
  it("covers what overlaps, and lets nothing be left of either", () => {
    const text = "Ann Leeds Smith 12345678901234";
    const entries: [PiiClass, string][] = [
      ["NAME", "Ann Leeds"],
      ["NAME", "Leeds Smith"],
      ["BANK_ACCOUNT", "1234567890"],
      ["BANK_ACCOUNT", "4567890123"],
    ];
    const { matches } = indexOf(...entries).find(text);
    let left = text;
    for (const { start, end } of [...matches].reverse()) left = left.slice(0, start) + left.slice(end);
    expect(left.trim()).toBe("4");
    for (const [number, match] of matches.entries())
      expect(match.start).toBeGreaterThanOrEqual(matches[number - 1]?.end ?? 0);
  });

  it("finds across the pieces in which it reads a long text", () => {
    const index = indexOf(["EMAIL", EMAIL]);
    for (const at of [15_350, 15_360, 16_370, 16_384, 31_000, 40_000]) {
      const text = `${"lorem ipsum. ".repeat(5_000).slice(0, at)} ${EMAIL} ${"dolor ".repeat(9_000)}`;
      expect(index.find(text).matches).toMatchObject([{ start: at + 1, end: at + 1 + EMAIL.length }]);
    }
  });

  it("knows what is added and removed at once, and after it was put in order", async () => {
    const index = createFormIndex<Entry>();
    const entries = Array.from(
      { length: 3_000 },
      (_, number): Entry => ({
        class: "EMAIL",
        value: `person${number}x@example.com`,
      }),
    );
    const count = (text: string) => index.find(text).matches.length;
    for (const [number, entry] of entries.entries()) {
      index.add([entry]);
      if (number % 97 === 0)
        expect(count(`to ${entry.value} and ${entries[0]?.value}`)).toBe(number === 0 ? 2 : 2);
    }
    for (const isSettled of [false, true]) {
      if (isSettled) await index.settle();
      for (const entry of entries.filter((_, number) => number % 211 === 0))
        expect(count(entry.value)).toBe(1);
    }
    for (const entry of entries.slice(0, 2_000)) index.remove(entry);
    for (const isSettled of [false, true]) {
      if (isSettled) await index.settle();
      expect(count(entries.map(({ value }) => value).join(" "))).toBe(1_000);
    }
    expect(index.stats()).toMatchObject({ entries: 1_000, unmatched: 0 });
  });

  it("finds long values whole, and pieces of them", () => {
    const body = Array.from({ length: 20 }, (_, line) =>
      Buffer.from(`line ${line} of a key that is long enough to be`).toString("base64"),
    ).join("\n");
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
    const index = indexOf(["PRIVATE_KEY", pem]);
    expect(index.find(`a ${pem} b`).matches).toMatchObject([
      { start: 2, end: 2 + pem.length, form: "plain" },
    ]);
    const json = JSON.stringify({ pem });
    expect(index.find(json).matches).toMatchObject([{ form: "json" }]);
    const some = pem.slice(300, 700);
    const { matches } = index.find(some);
    expect(matches.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(some.length / 2);
  });
});

describe("hostile values and texts", () => {
  it.each<[string, [PiiClass, string][], string]>([
    ["a long row of one letter", [["PASSWORD", "a".repeat(60)]], "a".repeat(300_000)],
    [
      "prefixes of each other",
      Array.from({ length: 1_000 }, (_, length) => ["USER_ID", "ab".repeat(length)] as [PiiClass, string]),
      "ab".repeat(150_000),
    ],
    ["a value of ten megabytes", [["PASSWORD", "xyz1".repeat(2_500_000)]], "xyz1".repeat(10_000)],
    [
      "a value of one letter",
      [
        ["NAME", "a"],
        ["PASSWORD", "!"],
      ],
      "a!".repeat(100_000),
    ],
    [
      "escapes",
      [["NAME", "Nadia Rossi"]],
      "%25".repeat(50_000) + "\\".repeat(50_000) + "&amp;".repeat(20_000),
    ],
    [
      "halves of pairs",
      [["NAME", "\ud83d\ud83d Rossi"]],
      "\ud83d".repeat(100_000) + "\\ud83d".repeat(30_000),
    ],
    ["characters that are many letters", [["NAME", "Nadia Rossi"]], "\ufdfa".repeat(60_000)],
    ["signs", [["PASSWORD", "!!!!!!!!"]], "!".repeat(200_000)],
    ["digits", [["PHONE", "1111111111"]], "1 ".repeat(150_000)],
    ["something like base64", [["NAME", "Nadia Rossi"]], "aB1/".repeat(60_000)],
  ])("are borne: %s", (_, entries, text) => {
    const index = indexOf(...entries);
    const { matches, end } = index.find(text);
    expect(end).toBeGreaterThan(0);
    for (const [number, match] of matches.entries())
      expect(match.start).toBeGreaterThanOrEqual(matches[number - 1]?.end ?? 0);
  });

  it("more matches than anybody needs end the search, and that is told", () => {
    const index = indexOf(["USER_ID", "abcdefgh"]);
    const text = "abcdefgh ".repeat(130_000);
    const { matches, end } = index.find(text);
    expect(end).toBeLessThan(text.length);
    expect(matches.at(-1)?.end).toBeLessThanOrEqual(end);
    expect(matches.length).toBeGreaterThan(90_000);
  });
});

describe("any value in any covered form", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzéüñ"),
    minLength: 4,
    maxLength: 9,
  });
  const digits = (length: number) =>
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });
  const entry = fc.oneof(
    fc.tuple(letters, letters).map(([a, b]): Entry => ({ class: "EMAIL", value: `${a}.${b}@example.org` })),
    fc.tuple(letters, letters).map(([a, b]): Entry => ({ class: "NAME", value: `Q${a} Z${b}` })),
    digits(10).map((number): Entry => ({ class: "PHONE", value: `+1${number}` })),
    digits(16).map((number): Entry => ({ class: "CREDIT_CARD", value: number })),
    fc
      .string({ unit: "grapheme-ascii", minLength: 12, maxLength: 30 })
      .map((value): Entry => ({ class: "PASSWORD", value })),
  );
  const FORMS: readonly ((value: string) => string)[] = [
    (value) => value,
    (value) => value.toUpperCase(),
    (value) => value.toLowerCase(),
    (value) => encodeURIComponent(value),
    (value) => JSON.stringify(value),
    (value) => JSON.stringify(JSON.stringify(value)),
    (value) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    (value) => Buffer.from(value).toString("base64"),
    (value) => Buffer.from(`{"a":"${value}"}`).toString("base64url"),
    (value) => Buffer.from(value).toString("hex"),
    (value) => reversed(value),
    (value) => value.normalize("NFD"),
  ];

  it("is found, whatever stands around it", () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.constantFrom(...FORMS),
        fc.constantFrom("", " ", '"', "\\n", "%20", "&amp;", "\n", "= ", "(", "_", "-> "),
        (entries, which, write, around) => {
          const value = entries[which % entries.length]?.value ?? "";
          // A value without letters and digits has no other forms.
          fc.pre((value.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 10);
          const index = createFormIndex<Entry>();
          index.add(entries);
          const text = `before${around} ${around}${write(value)}${around} after`;
          expect(index.find(text).matches.map(({ entry: { value: one } }) => one)).toContain(value);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
