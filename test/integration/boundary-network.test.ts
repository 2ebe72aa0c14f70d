import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureContact, makeContacts } from "../fixtures/contacts.js";
import { openEngine } from "../fixtures/engine.ts";
import { type Started, startHttp } from "../fixtures/network.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const [person] = makeContacts(1) as [FixtureContact];
const PAGE = { name: "Yusuf Okonkwo", email: "yusuf@redwharf.example", card: 4111111111111111, total: 42 };
const TOKEN = /^\[[A-Z_]+_\d+\]$/;
/** Names the first address of the workspace, in each way that is revealed. */
const LURE = "[EMAIL_1] EMAIL_1 %5BEMAIL_1%5D &#91;EMAIL_1&#93;";
const IMAGE = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1"), randomBytes(20_000)]);
const LARGE_ROWS = Array.from({ length: 3_000 }, (_, row) => ({
  row,
  email: `p${row}@okonkwo.example`,
  note: LURE,
}));

let server: Started;
let place: string;
const asked: string[] = [];
beforeAll(async () => {
  server = await startHttp(answer);
  place = `127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

type Page = readonly [
  status: number,
  body?: string | Buffer,
  headers?: Record<string, string>,
  words?: string,
];
const PAGES: Readonly<Record<string, Page>> = {
  "/page": [200, `<p>${PAGE.name}, ${PAGE.email}</p>`, { "content-type": "text/html" }],
  "/json": [200, JSON.stringify(PAGE, null, 2)],
  "/lure": [200, LURE],
  "/lure.json": [200, JSON.stringify({ lure: LURE })],
  "/twice": [200, '{"lure":"[EMAIL_1]","lure":"[EMAIL_\\u0031]"}'],
  "/packed": [200, gzipSync(LURE), { "content-encoding": "gzip" }],
  "/latin1": [200, Buffer.from(`caf\xe9 ${LURE} ${PAGE.email}`, "latin1")],
  "/binary": [200, Buffer.from(`\xff\0 ${LURE}`, "latin1")],
  "/image": [200, IMAGE, { "content-type": "image/png" }],
  "/large": [200, JSON.stringify(LARGE_ROWS)],
  "/deep": [200, `${"[".repeat(2_000)}"[EMAIL_1]"${"]".repeat(2_000)}`],
  "/huge": [200, "x".repeat(16 << 20)],
  "/form": [200, "lure=%5BEMAIL_1%5D", { "content-type": "application/x-www-form-urlencoded" }],
  "/headers": [200, "", { "x-lure": LURE, "x-mail": PAGE.email, "x-kind": "plain" }],
  "/words": [200, "", {}, "[EMAIL_1] OK"],
  "/moved": [302, "", { location: "/lure?[EMAIL_1]" }],
  "/nowhere": [302, "", { location: "mailto:[EMAIL_1]" }],
  "/wrong": [302, "", { location: "http://[EMAIL_1]/" }],
};

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  asked.push(url);
  const [path = ""] = url.split("?");
  const [status, body = "", headers = {}, words = "OK"] = PAGES[path] ?? [200, "none"];
  response.writeHead(status, words, headers).end(body);
}

async function open(mode: string, privacy: object = {}) {
  const file = join(await tempDir(), "crm.jsonl");
  const { engine } = await openEngine(
    { sheet: fixture("sheet", "1"), crm: fixture("crm", file) },
    {
      config: {
        securityLevel: "low",
        privacy: { mode, ...privacy },
        network: { allow: [place], maxBytes: "40MB" },
      },
    },
  );
  const run = async (code: string) => {
    const ended = await engine.run({ code: `const base = "http://${place}";\n${code}` });
    expect(ended, ended.text).toMatchObject({ ok: true });
    return ended;
  };
  /** What the program had was sent on; the words in it that the tool got. */
  const sentOn = async (code: string): Promise<string> => {
    await run(`const { rows } = await sheet.listRows({ from: 1, count: 1 });
      const text = await (async () => { ${code} })();
      await crm.createContact({ name: "n", email: rows[0].email, notes: String(text) });`);
    const [line = ""] = (await readFile(file, "utf8")).trim().split("\n").slice(-1);
    const { args } = JSON.parse(line);
    expect(args.email).toBe(person.email);
    return args.notes;
  };
  return { run, sentOn };
}

describe("what fetch brings into a world of tokens", () => {
  it.each([
    ["text()", "return (await fetch(base + '/lure')).text()"],
    ["json()", "return (await (await fetch(base + '/lure.json')).json()).lure"],
    ["clone()", "return (await fetch(base + '/lure')).clone().text()"],
    ["blob()", "return (await (await fetch(base + '/lure')).blob()).text()"],
    ["arrayBuffer()", "return new TextDecoder().decode(await (await fetch(base + '/lure')).arrayBuffer())"],
    ["bytes()", "return new TextDecoder().decode(await (await fetch(base + '/lure')).bytes())"],
    [
      "body",
      "let all = ''; for await (const piece of (await fetch(base + '/lure')).body!) all += new TextDecoder().decode(piece); return all",
    ],
    ["what was packed", "return (await fetch(base + '/packed')).text()"],
    ["a header", "return (await fetch(base + '/headers')).headers.get('x-lure')"],
  ])("is no token because a page says so: %s", async (_, code) => {
    const { sentOn } = await open("boundary");
    expect(await sentOn(code)).toBe(LURE);
  });

  it.each([
    ["bytes that are no UTF-8, as text", "return (await fetch(base + '/latin1')).text()"],
    [
      "the same, decoded",
      "return new TextDecoder('latin1').decode(await (await fetch(base + '/latin1')).bytes())",
    ],
    ["bytes that are no text", "return (await fetch(base + '/binary')).text()"],
    ["a form", "return (await (await fetch(base + '/form')).formData()).get('lure')"],
    ["two members with one name", "return (await fetch(base + '/twice')).text()"],
    ["JSON too deep for a value", "return (await fetch(base + '/deep')).text()"],
    ["a status", "return (await fetch(base + '/words')).statusText"],
    ["where it was redirected to", "return (await fetch(base + '/moved')).url"],
    [
      "a redirect that is refused",
      "return fetch(base + '/moved', { redirect: 'error' }).catch((e) => e.message)",
    ],
    ["one that leads nowhere", "return fetch(base + '/nowhere').catch((e) => e.message)"],
    ["one that is no URL", "return fetch(base + '/wrong').catch((e) => e.message)"],
    ["a large answer", "return JSON.stringify((await (await fetch(base + '/large')).json()).slice(-3))"],
  ])("nor by a way around: %s", async (_, code) => {
    const { sentOn } = await open("boundary");
    const sent = await sentOn(code);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).not.toContain(person.email);
  });

  it("has tokens for personal values, which tools get as they were", async () => {
    const { run, sentOn } = await open("boundary");
    const { result } = await run(`const page = await (await fetch(base + "/page")).text();
      const json = await (await fetch(base + "/json")).json();
      const { headers } = await fetch(base + "/headers");
      return [page.includes("yusuf"), page.includes("[EMAIL_"), Object.values(json).map((v) => typeof v), json.email.length < 12,
        json.total, headers.get("x-mail")!.includes("@"), headers.get("x-kind"), json.email === ${JSON.stringify(PAGE.email)}, json]`);
    expect(result).toMatchObject([
      false,
      true,
      ["string", "string", "string", "number"],
      true,
      42,
      false,
      "plain",
      true,
      {
        email: expect.stringMatching(TOKEN),
        card: expect.stringMatching(TOKEN),
        name: expect.stringMatching(TOKEN),
      },
    ]);
    expect(await sentOn("return (await fetch(base + '/page')).text()")).toBe(
      `<p>${PAGE.name}, ${PAGE.email}</p>`,
    );
    expect(await sentOn("return (await fetch(base + '/latin1')).text()")).toContain(PAGE.email);
  });

  it("has facts for pii, and the model is told of tokens", async () => {
    const { run } = await open("boundary");
    const { result, text } = await run(`const { email } = await (await fetch(base + "/json")).json();
      return [pii.domain(email), email]`);
    expect(result).toEqual(["redwharf.example", expect.stringMatching(TOKEN)]);
    expect(text).toContain("(Programs see tokens");
  });

  it("is the same bytes where they are no text, and large answers are whole", async () => {
    const { run } = await open("boundary");
    const { result } = await run(`import { createHash } from "node:crypto";
      const image = await (await fetch(base + "/image")).bytes();
      const rows = await (await fetch(base + "/large")).json();
      return [createHash("sha256").update(image).digest("hex"), rows.length, rows[2999].row,
        rows.every((r) => /^\\[EMAIL_\\d+\\]$/.test(r.email)), new Set(rows.map((r) => r.email)).size]`);
    expect(result).toEqual([createHash("sha256").update(IMAGE).digest("hex"), 3_000, 2_999, true, 3_000]);
  });

  it("is refused where it is too long to be looked at, and the program goes on", async () => {
    const { run } = await open("boundary");
    const { result } = await run(
      `try { await (await fetch(base + "/huge")).text() } catch (e: any) { return [e.name, e.code, e.message] }`,
    );
    expect(result).toEqual(["TypeError", "limit", expect.stringContaining("ask for less at once")]);
  });

  it("stays as it is where programs see values", async () => {
    const { run, sentOn } = await open("egress");
    expect(await sentOn("return (await fetch(base + '/lure')).text()")).toBe(LURE);
    const { result, text } = await run(`const text = await (await fetch(base + "/json")).text();
      const { headers } = await fetch(base + "/json");
      return [text.length, text.includes("yusuf@"), typeof JSON.parse(text).card, text]`);
    expect(result).toMatchObject([
      JSON.stringify(PAGE, null, 2).length,
      true,
      "number",
      expect.stringContaining("[EMAIL_2]"),
    ]);
    expect(text).not.toContain(PAGE.email);
  });
});

describe("an address that a program is written with", () => {
  it("is reached, and personal values behind it are tokens", async () => {
    const { run } = await open("boundary");
    asked.length = 0;
    await run(`return (await fetch("http://${place}/find?email=${PAGE.email}")).status`);
    expect(asked).toEqual([expect.stringMatching(/^\/find\?email=(\[|%5B)EMAIL_\d+(\]|%5D)$/)]);
  });
});
