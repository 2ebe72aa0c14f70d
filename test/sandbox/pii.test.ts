import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PiiClass } from "../../src/pii-classes.ts";
import { factsOf } from "../../src/privacy/facts.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Happening, Host, Program, Sandbox } from "../../src/sandbox/sandbox.ts";
import { UnparsedJson } from "../../src/text/unparsed-json.ts";
import { type PiiFact, WithFacts } from "../../src/text/with-facts.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox({});
});
afterAll(() => sandbox.close());

async function run(
  code: string,
  { facts, ...rest }: Pick<Program, "facts" | "steady"> = {},
  host: Partial<Host> = {},
) {
  const program = { code, servers: ["crm"], ...(facts ? { facts } : {}), ...rest };
  const outcome = await sandbox.run(program, { callTool: async () => null, ...host });
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

/** What a program gets as an error's message, and else as the value. */
const TOLD =
  "const told = (ask) => { try { return ask() ?? null } catch (e) { return e.name + ': ' + e.message } };";

const fact = (text: string, kind: PiiClass, value: string): PiiFact => [
  text,
  `same:${value.toLowerCase()}`,
  factsOf(kind, value, "US"),
];

const ROWS: readonly (readonly [email: string, phone: string, card: string, born: string])[] = [
  ["[EMAIL_1]", "[PHONE_1]", "[CREDIT_CARD_1]", "[DATE_OF_BIRTH_1]"],
  ["[EMAIL_2]", "[PHONE_2]", "[CREDIT_CARD_2]", "[DATE_OF_BIRTH_2]"],
];
const FACTS: readonly PiiFact[] = [
  fact("[EMAIL_1]", "EMAIL", "nadia@corp.example"),
  fact("[EMAIL_2]", "EMAIL", "Tom@other.example"),
  fact("[PHONE_1]", "PHONE", "+44 20 7946 0958"),
  fact("[PHONE_2]", "PHONE", "(415) 555-2671"),
  fact("[CREDIT_CARD_1]", "CREDIT_CARD", "4242 4242 4242 4242"),
  fact("[CREDIT_CARD_2]", "CREDIT_CARD", "5555555555554444"),
  fact("[DATE_OF_BIRTH_1]", "DATE_OF_BIRTH", "1985-04-12"),
  fact("[DATE_OF_BIRTH_2]", "DATE_OF_BIRTH", "12.03.1991"),
];
const rows = ROWS.map(([email, phone, card, born]) => ({ email, phone, card, born }));
const callTool = async () => new WithFacts(rows, FACTS);

describe("pii of a program that holds tokens", () => {
  it("tells of them at once, and to who awaits it too", async () => {
    const code = `const rows = await crm.list();
      return {
        atCorp: rows.filter((r) => pii.domain(r.email) === "corp.example").map((r) => r.email),
        countries: rows.map((r) => pii.country(r.phone)),
        cards: rows.map((r) => pii.last4(r.card)),
        masks: [...rows.map((r) => pii.mask(r.email)), pii.mask(rows[0].born)],
        young: rows.filter((r) => pii.year(r.born) > 1990).length,
        awaited: await pii.domain(rows[1].email),
        changed: pii.domain(" " + rows[0].email.toLowerCase()),
      }`;
    expect(await run(code, { facts: [] }, { callTool })).toEqual({
      atCorp: ["[EMAIL_1]"],
      countries: ["GB", "US"],
      cards: ["4242", "4444"],
      masks: ["n•••@corp.example", "T•••@other.example", "1985-••-••"],
      young: 1,
      awaited: "other.example",
      changed: "corp.example",
    });
  });

  it("has nothing to tell where a fact does not fit", async () => {
    const code = `const [r] = await crm.list();
      return [pii.domain(r.card), pii.year(r.email), pii.country(r.card), pii.last4(null)].map((told) => told === undefined)`;
    expect(await run(code, { facts: [] }, { callTool })).toEqual([true, true, true, true]);
  });

  it("knows those in the program's own text from the start", async () => {
    const facts = [fact("[EMAIL_9]", "EMAIL", "ada@corp.example")];
    expect(await run('return pii.domain("[EMAIL_9]")', { facts })).toBe("corp.example");
  });

  it("says so of a token that the program was not given", async () => {
    const code = `${TOLD} return [told(() => pii.domain("[EMAIL_7]")), told(() => pii.mask({ a: 1 })), told(() => pii.year(() => 1))]`;
    expect(await run(code, { facts: [] })).toEqual([
      "TypeError: [EMAIL_7] is not a value that this program was given",
      'TypeError: pii.mask takes a text, a value or its token, and got "object"',
      'TypeError: pii.year takes a text, a value or its token, and got "function"',
    ]);
  });

  it("tells which mean the same value", async () => {
    const facts = [...FACTS, fact("NADIA@corp.example", "EMAIL", "nadia@corp.example")];
    const code = `return [
      pii.equal("[EMAIL_1]", "NADIA@corp.example"), pii.equal("[EMAIL_1]", "[email_1] "), pii.equal("[EMAIL_8]", "[EMAIL_8]"),
      pii.equal("[EMAIL_1]", "[EMAIL_2]"), pii.equal("[EMAIL_1]", "tom@other.example"), pii.equal("[EMAIL_8]", "[EMAIL_1]"),
      pii.equal("[EMAIL_1]", undefined), pii.equal(null, undefined)]`;
    expect(await run(code, { facts })).toEqual([true, true, true, false, false, false, false, true]);
  });

  it("is told with results of every kind, of tools and of Keyhole's own", async () => {
    const results: { readonly [tool: string]: unknown } = {
      bytes: new Uint8Array([1, 2]),
      unparsed: new UnparsedJson(Buffer.from('["[EMAIL_1]"]')),
      nothing: undefined,
    };
    const host: Partial<Host> = {
      callTool: async (_server, tool) =>
        new WithFacts(results[tool], [fact(`[X_${tool.length}]`, "SSN", "123-45-6789")]),
      callOwn: async () => new WithFacts({ status: "done" }, FACTS),
    };
    const code = `const got = [await crm.bytes(), await crm.unparsed(), await crm.nothing()];
      return [[...got[0]], got[1], got[2] === undefined, ...[5, 8, 7].map((n) => pii.last4("[X_" + n + "]")),
        (await runs.result("r")).status, pii.domain("[EMAIL_1]")]`;
    expect(await run(code, { facts: [] }, host)).toEqual([
      ...[[1, 2], ["[EMAIL_1]"], true],
      ...["6789", "6789", "6789"],
      ...["done", "corp.example"],
    ]);
  });
});

describe("pii that the config denies", () => {
  it("tells nothing but whether two values are equal", async () => {
    const also = [...FACTS, fact("nadia@corp.example", "EMAIL", "nadia@corp.example")];
    const host = { callTool: async () => new WithFacts(rows, also) };
    const code = `${TOLD} const [r] = await crm.list();
      const all = ["domain", "last4", "country", "mask", "year"].map((name) => told(() => pii[name](r.email)));
      let code; try { pii.mask("plain") } catch (e) { code = e.code }
      return [all[0], all.every((text) => text.includes("privacy.helpers of keyhole.config is false")), code,
        pii.equal(r.email, "nadia@corp.example"), pii.equal(r.email, "[EMAIL_2]"), pii.equal("a  B", "A b")]`;
    expect(await run(code, { facts: "denied" }, host)).toEqual([
      "Error: Cannot use pii.domain: privacy.helpers of keyhole.config is false. pii.equal(a, b) works",
      ...[true, "denied", true, false, true],
    ]);
  });
});

describe("pii of a program that holds values", () => {
  const VALUES: readonly (readonly [kind: PiiClass, value: string])[] = [
    ["EMAIL", "Nadia.K@Example.COM"],
    ["EMAIL", "ada@sub.größe.example"],
    ["URL", "https://u@host.example/x@y"],
    ["PHONE", "+49 170 1234567"],
    ["PHONE", "+351 21 123 4567"],
    ["CREDIT_CARD", "4242-4242-4242-4242"],
    ["SSN", "123-45-6789"],
    ["IBAN", "GB29 NWBK 6016 1331 9268 19"],
    ["NAME", "Nadia van der Kaas"],
    ["COMPANY", "Änderung GmbH"],
    ["DATE_OF_BIRTH", "1985-04-12"],
    ["DATE_OF_BIRTH", "12/04/1985"],
  ];

  it("tells the same of them as the host does", async () => {
    const code = `return ${JSON.stringify(VALUES)}.map(([, value]) =>
      ({ domain: pii.domain(value), last4: pii.last4(value), country: pii.country(value), mask: pii.mask(value), year: pii.year(value) }))`;
    const told = (await run(code)) as object[];
    for (const [at, [kind, value]] of VALUES.entries()) {
      const { mask, ...facts } = factsOf(kind, value);
      if (kind === "SSN") expect(told[at]).toMatchObject({ last4: "6789" });
      else expect(told[at]).toMatchObject(facts);
      if (kind !== "URL") expect(told[at]).toMatchObject({ mask });
    }
  });

  it("goes by what the host says first", async () => {
    const facts: PiiFact[] = [["A-77-1985", "v", { last4: "0000" }]];
    const code = 'return [pii.last4("A-77-1985"), pii.year("A-77-1985") ?? null, pii.year("A-78-1985")]';
    expect(await run(code, { facts })).toEqual(["0000", null, 1985]);
  });

  it("knows which are equal however they are written", async () => {
    const pairs = [
      ...[
        ["Ada@x.org", " ada@X.org"],
        ["+49 (170) 123-4567", "0049 1701234567"],
        ["DE89 3704 0044", "de8937040044"],
      ],
      ...[
        ["Ｎadia  Rossi", "nadia rossi"],
        ["4242 4242 4242 4242", "4242424242424242"],
        ["123456", 123456],
      ],
    ];
    const others = [
      ["ada@x.org", "ada@y.org"],
      ["Nadia Rossi", "Nadia Ross"],
      ["123456", "123457"],
      ["", "a"],
    ];
    const code = `return [${JSON.stringify(pairs)}, ${JSON.stringify(others)}].map((all) => all.map(([a, b]) => pii.equal(a, b)))`;
    expect(await run(code)).toEqual([pairs.map(() => true), others.map(() => false)]);
  });

  it("knows the calling codes that are one country's alone", async () => {
    const require = createRequire(import.meta.url);
    const library = require("libphonenumber-js/core");
    const metadata = require("libphonenumber-js/max/metadata");
    const byCode = new Map<string, string[]>();
    for (const country of library.getCountries(metadata)) {
      const code = library.getCountryCallingCode(country, metadata);
      byCode.set(code, [...(byCode.get(code) ?? []), country]);
    }
    const codes = [...byCode];
    const code = `return ${JSON.stringify(codes)}.map(([code]) => pii.country("+" + code + " 5555-5555") ?? null)`;
    expect(codes.length).toBeGreaterThan(200);
    expect(await run(code)).toEqual(codes.map(([, all]) => (all.length === 1 ? all[0] : null)));
  });

  it("comes to an end on a value of a megabyte", async () => {
    const code = `return ["@", " ", "1", "+1", "ä ", "a@", "1-"].every((part) => {
      const value = part.repeat(2 ** 20 / part.length);
      for (const name of ["domain", "last4", "country", "mask", "year"]) pii[name](value);
      return pii.equal(value, value + "x") === false && String(pii.mask(value)).length < 300;
    })`;
    expect(await run(code)).toBe(true);
  });
});

describe("facts on their way to a program", () => {
  it("are there before the result, however large either is, and however many come at once", async () => {
    const toText = (tool: string, at: number) => `[T${tool}_${at}]`;
    const sizes = [1, 100, 20_000, 5];
    const host: Partial<Host> = {
      callTool: async (_server, _tool, args) => {
        const { n, size } = args as { n: number; size: number };
        const name = "ABCDEFGH"[n] ?? "";
        const facts = Array.from(
          { length: size },
          (_, at): PiiFact => [toText(name, at), `${n}`, { last4: `${1000 + (at % 9000)}` }],
        );
        // Large for the least facts, and small for the most.
        return new WithFacts("x".repeat(Math.round(4e6 / size)), facts);
      },
    };
    const code = `const sizes = ${JSON.stringify([...sizes, ...sizes])};
      return Promise.all(sizes.map(async (size, n) => {
        const { length } = await crm.get({ n, size });
        const name = "ABCDEFGH"[n];
        for (let at = 0; at < size; at++) if (pii.last4("[T" + name + "_" + at + "]") !== String(1000 + (at % 9000))) return [n, at];
        return length;
      }))`;
    const lengths = sizes.map((size) => Math.round(4e6 / size));
    expect(await run(code, { facts: [] }, host)).toEqual([...lengths, ...lengths]);
  });

  it("can be 100,000 of one result, or of the program's own text", async () => {
    const facts = Array.from(
      { length: 100_000 },
      (_, at): PiiFact => [
        `[EMAIL_${at}]`,
        `value ${at}`,
        { domain: `host${at}.example`, mask: `n•••@host${at}.example` },
      ],
    );
    const code = `await crm.list(); let right = 0;
      for (let at = 0; at < 100000; at++) if (pii.domain("[EMAIL_" + at + "]") === "host" + at + ".example") right++;
      return right`;
    const host = { callTool: async () => new WithFacts("small", facts) };
    expect(await run(code, { facts: [] }, host)).toBe(100_000);
    expect(await run(code, { facts })).toBe(100_000);
  });

  it("do not leave for a program that has no use for them: it gets the value alone", async () => {
    const code = `${TOLD} const rows = await crm.list(); return [rows[0].email, told(() => pii.domain(rows[0].email))]`;
    expect(await run(code, {}, { callTool })).toEqual([
      "[EMAIL_1]",
      "TypeError: [EMAIL_1] is not a value that this program was given",
    ]);
  });

  it("have names of their own, whatever a text is called", async () => {
    const texts = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
    const facts = texts.map((text, at): PiiFact => [text, "__proto__", { last4: `000${at}` }]);
    const hostile = JSON.parse('{"__proto__":{"last4":"evil"},"mask":{"toString":1},"domain":5}');
    facts.push(["[NAME_1]", "one", hostile], ["[NAME_2]", "two", {}]);
    const code = `Object.prototype.domain = "polluted"; Object.prototype.year = 1999;
      return [${JSON.stringify(texts)}.map((text) => pii.last4(text)),
        ["domain", "last4", "mask", "year"].map((name) => pii[name]("[NAME_1]") ?? null),
        ["domain", "year"].map((name) => pii[name]("[NAME_2]") ?? null), pii.domain("valueOf") ?? null, ({}).last4 ?? null]`;
    expect(await run(code, { facts })).toEqual([
      texts.map((_, at) => `000${at}`),
      [null, null, null, null],
      [null, null],
      ...[null, null],
    ]);
  });

  it("are left out where they are no facts, or too long, and the others are told", async () => {
    const long: PiiFact = ["x".repeat(100_000), "long", { last4: "0000" }];
    const wrong: unknown = [null, 5, [], ["[A_1]"], ["[A_1]", 5, {}], ["[A_1]", "v", null], [{}, "v", {}]];
    const facts = wrong as readonly PiiFact[];
    const host = { callTool: async () => new WithFacts(1, [long, ["[B_1]", "v", { last4: "1111" }]]) };
    const code = `${TOLD} await crm.list();
      return [told(() => pii.last4("[A_1]")), pii.last4("[B_1]"), pii.last4("x".repeat(100000))]`;
    expect(await run(code, { facts }, host)).toEqual([
      "TypeError: [A_1] is not a value that this program was given",
      ...["1111", "xxxx"],
    ]);
  });

  it("are one program's: none changes what another is told", async () => {
    const facts = [fact("[EMAIL_1]", "EMAIL", "nadia@corp.example")];
    const attack = `"use strict";
      const tries = [() => { pii.domain = () => "evil" }, () => { Object.getPrototypeOf(pii).domain = 1; delete pii.equal },
        () => Object.defineProperty(pii, "mask", { value: 1 })];
      const failed = tries.filter((attempt) => { try { attempt(); return false } catch { return true } }).length;
      globalThis.pii = { domain: () => "own" };
      const own = pii.domain("[EMAIL_1]");
      Map.prototype.get = () => ({ sameAs: "x", facts: { domain: "evil" } });
      return [failed, own]`;
    const honest = `${TOLD} await crm.wait(); return [pii.domain("[EMAIL_1]"), told(() => pii.domain("[EMAIL_2]"))]`;
    const [attacked, ...told] = await Promise.all([
      run(attack, { facts: [...facts, fact("[EMAIL_2]", "EMAIL", "a@evil.example")] }),
      run(honest, { facts }),
    ]);
    expect(attacked).toEqual([3, "own"]);
    const expected = ["corp.example", "TypeError: [EMAIL_2] is not a value that this program was given"];
    expect([...told, await run(honest, { facts })]).toEqual([expected, expected]);
  });

  it("are known to a steady program from the same moment on, each time it runs", async () => {
    const code = `${TOLD} const seen = [];
      const ask = () => [1, 2].map((n) => told(() => pii.last4("[SSN_" + n + "]")).slice(-4));
      await Promise.all(["slow", "fast"].map(async (tool) => { await crm[tool](); seen.push([tool, ...ask()]) }));
      await crm.last();
      return seen`;
    const happened: Happening[] = [];
    const toHost = (slow: string): Partial<Host> => ({
      async callTool(_server, tool) {
        if (tool === slow) await new Promise((resolve) => setTimeout(resolve, 50));
        if (tool === "last") return null;
        return new WithFacts(tool, [[`[SSN_${tool === "slow" ? 1 : 2}]`, tool, { last4: tool }]]);
      },
      onHappened: (news) => void happened.push(...news),
    });
    const steady = { seed: "5a".repeat(32), time: 1_700_000_000_000 };
    const first = await run(code, { facts: [], steady: { ...steady, past: [] } }, toHost("slow"));
    expect(first).toEqual([
      ["fast", "iven", "fast"],
      ["slow", "slow", "fast"],
    ]);
    const past = [...happened];
    expect(past.length).toBeGreaterThan(0);
    expect(await run(code, { facts: [], steady: { ...steady, past } }, toHost("fast"))).toEqual(first);
  });
});

describe("what a program is told that can't be read", async () => {
  const {
    createPii,
  }: {
    createPii(): {
      start(facts: unknown): void;
      hold(id: number, text: string): void;
      learn(id: number): void;
      shown: { last4(text: string): string | undefined };
    };
  } = await import(new URL("../../src/sandbox/guest/javascript/pii.js", import.meta.url).href);

  it.each(["", "{", "null", "5", '"text"', "{}", "[1,null]", '[["a"]]', '[["[A_1]","v"]]', "[[[]]]"])(
    "is nothing: %j",
    (text) => {
      const pii = createPii();
      pii.start(undefined);
      pii.hold(1, text);
      pii.hold(1, '[["[B_1]","v",{"last4":"1111"}]]');
      expect(() => pii.shown.last4("[B_1]")).toThrow(TypeError);
      pii.learn(1);
      pii.learn(2);
      expect(pii.shown.last4("[B_1]")).toBe("1111");
      expect(() => pii.shown.last4("[A_1]")).toThrow("[A_1] is not a value that this program was given");
    },
  );
});
