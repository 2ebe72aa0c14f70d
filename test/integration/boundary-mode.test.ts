import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FixtureContact, makeContacts } from "../fixtures/contacts.js";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const COUNT = 20;
const contacts = makeContacts(COUNT);
const [wanted] = contacts.slice(4) as [FixtureContact];
const ROWS = `const { rows } = await sheet.listRows({ from: 1, count: ${COUNT} });`;
const NOTE = "(Programs see tokens like [NAME_1] for personal values: use and compare them whole;";
const TELL_MORE = "pii.domain, last4, country, year, mask and equal tell more.)";
const VALUES_NOTE =
  "(Texts like [NAME_1] stand for personal values: use them in programs as if they were the values.)";

async function open(privacy: object = { mode: "boundary" }) {
  const file = join(await tempDir(), "crm.jsonl");
  const servers = { sheet: fixture("sheet", String(COUNT)), crm: fixture("crm", file) };
  const { engine } = await openEngine(servers, { config: { securityLevel: "low", privacy } });
  const run = async (code: string, more: object = {}) => {
    const ended = await engine.run({ code, ...more });
    expect(ended, ended.text).toMatchObject({ ok: true });
    return ended;
  };
  return { engine, run };
}

const notesIn = (text: string) =>
  text.split("\n").filter((line) => /^\((?:Programs see|Texts like)/.test(line));

describe("a program in a world of tokens", () => {
  it("finds rows by a value that the model wrote, in whatever letters it compares", async () => {
    const { run } = await open();
    const { email, name, row } = wanted;
    const of = (field: string, change: string, value: string) =>
      `rows.filter((r: any) => r.${field}${change} === ${JSON.stringify(value)}).map((r: any) => r.row)`;
    const { result } = await run(`${ROWS} return [
      ${of("email", ".toLowerCase()", email)}, ${of("email", ".trim().toLowerCase()", email.toUpperCase())},
      ${of("email", ".toUpperCase()", email.toUpperCase())}, ${of("email", ".toLocaleLowerCase()", email)},
      ${of("email", '.toLocaleUpperCase("tr")', email)},
      rows.filter((r: any) => r.email.toLowerCase() === ${JSON.stringify(email)}.toLowerCase()).map((r: any) => r.row),
      rows[0].status.toUpperCase()]`);
    expect(result).toEqual([...Array.from({ length: 6 }, () => [row]), contacts[0]?.status.toUpperCase()]);
    // A name in small letters is one once it is known.
    const named = await run(`${ROWS} return ${of("name", ".toLowerCase()", name.toLowerCase())}`);
    expect(named.result).toEqual([row]);
  });

  it("hands on what it changed to small letters, and the tool gets the value", async () => {
    const { run } = await open();
    const { result } = await run(`${ROWS}
      const { name, email } = rows[4];
      await crm.createContact({ name: name.toLowerCase(), email: email.toLowerCase() });
      return (await crm.findContact({ email: ${JSON.stringify(wanted.email)} })).email === email`);
    expect(result).toBe(true);
  });
});

describe("the model is told of tokens in a line", () => {
  it.each([
    ["[]", `return rows.filter((r: any) => r.name.includes("Zandvoort-Quill"))`],
    ["undefined", `rows.find((r: any) => /zand/i.test(r.name))`],
    ["null", `return rows.find((r: any) => /zand/i.test(r.name)) ?? null`],
    ["0", `return rows.filter((r: any) => r.email.split("@")[1] === "redwharf.example").length`],
    ["false", `return rows.some((r: any) => r.email.endsWith(".example"))`],
    ["an empty text", `return rows.filter((r: any) => r.email.includes("@")).map((r: any) => r.row).join()`],
    ["an object of nothing else", `return { found: [], by: { name: 0, mail: "" }, rest: [null, {}] }`],
  ])("where a program that was given some came to nothing: %s", async (_, code) => {
    const { run } = await open();
    const { text } = await run(`${ROWS} ${code}`);
    expect(notesIn(text)).toEqual([`${NOTE} ${TELL_MORE}`]);
    expect(text.endsWith(`\n${NOTE} ${TELL_MORE}`)).toBe(true);
  });

  it("where one is in the answer, by the world that its programs are in", async () => {
    const code = `${ROWS} return rows[0].email`;
    const [boundary, egress] = [await open(), await open({ mode: "egress" })];
    expect(notesIn((await boundary.run(code)).text)).toEqual([`${NOTE} ${TELL_MORE}`]);
    expect(notesIn((await egress.run(code)).text)).toEqual([VALUES_NOTE]);
  });

  it("of pii.equal alone where the config has nothing else told", async () => {
    const { run } = await open({ mode: "boundary", helpers: false });
    const { text } = await run(`${ROWS} return []`);
    expect(notesIn(text)).toEqual([`${NOTE} pii.equal compares them with values.)`]);
  });

  it("where what it was given comes from its record, since it was planned first", async () => {
    const { run } = await open();
    const { text } = await run(`${ROWS} return rows.filter((r: any) => r.name.includes("Zandvoort-Quill"))`, {
      plan: true,
    });
    expect(notesIn(text)).toEqual([`${NOTE} ${TELL_MORE}`]);
  });

  it("and in no other answer", async () => {
    const [boundary, egress] = [await open(), await open({ mode: "egress" })];
    const texts = [
      await boundary.run(`${ROWS} return rows.length`),
      await boundary.run(`${ROWS} return { found: [], of: rows.length }`),
      await boundary.run(`${ROWS} return [[], ["none"]]`),
      await boundary.run("return []"),
      await boundary.run(`console.log("no call"); return { total: 0 }`),
      await egress.run(`${ROWS} return rows.filter((r: any) => r.name.includes("Zandvoort-Quill"))`),
    ].map(({ text }) => notesIn(text));
    expect(texts).toEqual([[], [], [], [], [], []]);
  });
});
