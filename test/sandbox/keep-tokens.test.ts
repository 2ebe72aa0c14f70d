import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_CLASSES } from "../../src/pii-classes.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Program, Sandbox } from "../../src/sandbox/sandbox.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox({});
});
afterAll(() => sandbox.close());

async function run(code: string, rest: Partial<Program> = { tokenClasses: ALL_CLASSES }) {
  const outcome = await sandbox.run({ code, servers: [], ...rest }, { callTool: async () => null });
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

/** Each text in small letters, capitals, and by the rules of a place. */
const changed = (texts: readonly string[], rest?: Partial<Program>) =>
  run(
    `return ${JSON.stringify(texts)}.map((text) => [text.toLowerCase(), text.toUpperCase(), text.toLocaleLowerCase("tr"), text.toLocaleUpperCase("tr")])`,
    rest,
  );

const asEverywhere = (text: string) => [
  text.toLowerCase(),
  text.toUpperCase(),
  text.toLocaleLowerCase("tr"),
  text.toLocaleUpperCase("tr"),
];

describe("the letters of a program in a world of tokens", () => {
  it("change around tokens, and leave each class of them whole", async () => {
    const tokens = ALL_CLASSES.flatMap((kind) => [`[${kind}_1]`, `[${kind}_~~42]`]);
    expect(await changed(tokens)).toEqual(tokens.map((token) => [token, token, token, token]));
    expect(await changed(["To: Iris [NAME_1] <[EMAIL_2]>I[IBAN_3][IP_4] [SSN_~5]İ"])).toEqual([
      [
        "to: iris [NAME_1] <[EMAIL_2]>i[IBAN_3][IP_4] [SSN_~5]i̇",
        "TO: IRIS [NAME_1] <[EMAIL_2]>I[IBAN_3][IP_4] [SSN_~5]İ",
        "to: ıris [NAME_1] <[EMAIL_2]>ı[IBAN_3][IP_4] [SSN_~5]i",
        "TO: IRİS [NAME_1] <[EMAIL_2]>I[IBAN_3][IP_4] [SSN_~5]İ",
      ],
    ]);
  });

  it.each([
    ["", "Plain", "ΑΣ ΑΣΑ", "İstanbul", "ß", "[", "[[[", "]["],
    ["[EMAIL_]", "[EMAIL_1", "EMAIL_1]", "[EMAIL 1]", "[EMAIL_1x]", "[EMAIL_~]", "[EMAIL_-1]", "[ EMAIL_1]"],
    ["[THING_1]", "[XEMAIL_1]", "[EMAILX_1]", "[Email_1]", "[email_1]", `[EMAIL_${"1".repeat(19)}]`],
  ])("change as everywhere where there is no whole token: %s …", async (...texts) => {
    expect(await changed(texts)).toEqual(texts.map(asEverywhere));
  });

  it("find, group and join rows whatever letters a program wants", async () => {
    const code = `const rows = ["[EMAIL_3]", " [EMAIL_3] ", "[EMAIL_4]"];
      const wanted = "[EMAIL_3]";
      return [rows.filter((r) => r.trim().toLowerCase() === wanted).length,
        rows.filter((r) => r.toLowerCase().includes(wanted.toLowerCase())).length,
        Object.keys(Object.groupBy(rows, (r) => r.trim().toLocaleLowerCase())),
        pii.equal("[EMAIL_3]".toLowerCase(), "[email_3]")]`;
    expect(await run(code)).toEqual([2, 2, ["[EMAIL_3]", "[EMAIL_4]"], true]);
  });

  it("are asked for as of any function of texts", async () => {
    const code = `const { toLowerCase, toLocaleLowerCase } = String.prototype;
      const told = (ask) => { try { return ask() } catch (e) { return e.name } };
      const looks = [toLowerCase, toLocaleLowerCase].map((f) => [f.name, f.length, "prototype" in f]);
      return [looks, Object.keys(String.prototype), toLowerCase.call({ toString: () => "A [NAME_1]" }), toLowerCase.call(["[NAME_1]", 5]),
        new String("B[NAME_1]").toLowerCase(), told(() => toLowerCase.call(null)), told(() => toLocaleLowerCase.call()),
        told(() => toLowerCase.call(Symbol("s"))), told(() => "A[".toLocaleLowerCase("no place")), told(() => "A".toLocaleLowerCase("no place"))]`;
    expect(await run(code)).toEqual([
      [
        ["toLowerCase", 0, false],
        ["toLocaleLowerCase", 0, false],
      ],
      ...[[], "a [NAME_1]", "[NAME_1],5", "b[NAME_1]"],
      ...["TypeError", "TypeError", "TypeError", "RangeError", "RangeError"],
    ]);
  });

  it("are the program's to change, for itself alone", async () => {
    const attack = `RegExp.prototype.exec = () => { throw new Error("exec") };
      String.prototype.slice = String.prototype.indexOf = () => "evil";
      Reflect.apply = () => "evil";
      const kept = "A [NAME_1] B".toLowerCase();
      String.prototype.toLowerCase = () => "own";
      return [kept, "A [NAME_1]".toLowerCase()]`;
    const honest = `return "A [NAME_1]".toLowerCase()`;
    const [attacked, other] = await Promise.all([run(attack), run(honest)]);
    expect(attacked).toEqual(["a [NAME_1] b", "own"]);
    expect([other, await run(honest)]).toEqual(["a [NAME_1]", "a [NAME_1]"]);
  });

  it("of 16 MB change, whatever stands there", async () => {
    const code = `const sizes = [];
      for (const part of ["[", "[EMAIL_", "[EMAIL_~~~~~~~~", "[EMAIL_1", "[EMAIL_1]", "A"]) {
        const text = part.repeat(16e6 / part.length);
        const small = text.toLowerCase();
        sizes.push([small.length === text.length, small === text]);
      }
      return sizes`;
    const [same, other] = [
      [true, true],
      [true, false],
    ];
    expect(await run(code)).toEqual([same, other, other, other, same, other]);
  });

  it("are as everywhere in a world of values", async () => {
    const texts = ["[EMAIL_1]", "A [NAME_~2]"];
    expect(await changed(texts, {})).toEqual(texts.map(asEverywhere));
  });
});
