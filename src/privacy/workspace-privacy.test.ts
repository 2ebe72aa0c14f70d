import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DEFAULT_ACTIONS } from "../config/privacy/actions.ts";
import type { PiiClass } from "../pii-classes.ts";
import { migrate, VAULT_MIGRATIONS } from "../store/database/migrations.ts";
import { openSqlite } from "../store/database/sqlite.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import type { PiiAction, PrivacySettings } from "./settings.ts";
import { createVault } from "./vault/vault.ts";
import { openWorkspacePrivacy, type WorkspacePrivacy } from "./workspace-privacy.ts";

type Wanted = Partial<Pick<PrivacySettings, "mode" | "reveal" | "hasRevealRules">> & {
  readonly actions?: Partial<Record<PiiClass, PiiAction>>;
};

async function open({ actions = {}, ...wanted }: Wanted = {}): Promise<WorkspacePrivacy> {
  const db = await openSqlite("");
  migrate(db, VAULT_MIGRATIONS);
  const vault = createVault({ database: async () => db, key: async () => randomBytes(32) });
  const settings: PrivacySettings = {
    mode: "egress",
    region: undefined,
    helpers: true,
    presidio: undefined,
    names: "lists",
    actionOf: (kind) => actions[kind] ?? DEFAULT_ACTIONS[kind],
    reveal: () => "default",
    hasRevealRules: () => false,
    ...wanted,
  };
  return openWorkspacePrivacy({
    vault: await vault.open("local"),
    settings,
    isPublic: (text) => text === "github",
    onFull() {},
  });
}

const SESSION = "s_1";
const FROM = { session: SESSION, server: "crm", callId: "c_1" };
const TO = { server: "mail", tool: "send", inputSchema: {} };
const ROW = { name: "Nadia Haddad", email: "nadia@haddad.example", note: "Call Nadia Haddad at noon." };

describe("in egress mode", () => {
  it("results stay as they are, and what leaves has tokens, whatever key it had", async () => {
    const privacy = await open();
    expect(await privacy.takeResult(ROW, FROM)).toBe(ROW);
    expect(await privacy.showValue([ROW.email, ROW.name], SESSION)).toEqual(["[EMAIL_1]", "[NAME_1]"]);
    expect(await privacy.showText("to NADIA@haddad.example, twice", SESSION)).toBe("to [EMAIL_1], twice");
  });

  it("tokens in a program are values there, and texts that are none stay", async () => {
    const privacy = await open();
    await privacy.takeResult(ROW, FROM);
    const { code, unknown } = privacy.enterProgram(
      'f("[EMAIL_1]", "[EMAIL_9]", x[0])',
      "typescript",
      SESSION,
    );
    expect(code).toBe('f("nadia\\x40haddad\\x2eexample", "[EMAIL_9]", x[0])');
    expect(unknown).toEqual(["[EMAIL_9]"]);
  });

  it("what looks like a token in data is shown as what it is, and comes back", async () => {
    const privacy = await open();
    await privacy.takeResult(ROW, FROM);
    const shown = await privacy.showText("see [EMAIL_1]", SESSION);
    expect(shown).toBe("see [EMAIL_~1]");
    expect(privacy.takeBack(shown)).toBe("see [EMAIL_1]");
    expect(privacy.enterProgram('f("[EMAIL_~1]")', "typescript", SESSION).code).toContain("EMAIL");
    expect(privacy.filter(shown)).toBe(shown);
  });

  it("arguments are looked at where it is said what a tool may see", async () => {
    const privacy = await open({ hasRevealRules: () => true, reveal: () => "denied" });
    await privacy.takeResult(ROW, FROM);
    expect(() => privacy.sendArguments({ body: `Dear ${ROW.name}` }, TO, SESSION)).toThrow(/class NAME/);
    expect(privacy.sendArguments({ body: "Hello" }, TO, SESSION)).toEqual({ body: "Hello" });
    await privacy.takeResult({ card: 4111111111111111 }, FROM);
    expect(() => privacy.sendArguments({ n: 4111111111111111 }, TO, SESSION)).toThrow(/class CREDIT_CARD/);
    expect(() => privacy.sendArguments({ [ROW.email]: 1 }, TO, SESSION)).toThrow(/class EMAIL/);
  });
});

describe("ordinary words that were values once", () => {
  const PEOPLE = ["Ada Green", "Jean English", "Art Best", "Olivia Price", "Paris Hart", "August Weber"];

  it.each([
    [{ street: "Main" }, "git push origin Main, main"],
    [{ username: "readonly" }, "readonly mode"],
    [{ password: "password" }, "a password is wanted"],
    [{ last_name: "Status" }, "Status: ok, status: ok"],
    [
      PEOPLE.map((name) => ({ customer_name: name })),
      "Green Tea, English, Best of August in Paris, Price list",
    ],
  ])("are left where they mean nobody: %j", async (result, text) => {
    const privacy = await open();
    await privacy.takeResult(result, FROM);
    expect(await privacy.showText(text, SESSION)).toBe(text);
    expect(privacy.filter(text)).toBe(text);
    const other = {
      status: 1,
      password: null,
      colour: "Green",
      month: "August",
      city: "Paris",
      lang: "English",
    };
    expect(await privacy.showValue(other, SESSION)).toEqual(other);
  });

  it("are concealed where their key says so, and as full names", async () => {
    const privacy = await open();
    await privacy.takeResult(
      PEOPLE.map((name) => ({ customer_name: name })),
      FROM,
    );
    const shown = await privacy.showValue(
      { last_name: "Status", note: "of ada green, OLIVIA_PRICE" },
      SESSION,
    );
    expect(JSON.stringify(shown)).not.toMatch(/status|green|olivia/i);
  });
});

describe("keys", () => {
  it("lose what is clear, and keep what is one word", async () => {
    const privacy = await open();
    const values = [
      {
        name: "Nadia Haddad",
        email: "nadia@haddad.example",
        username: "nhaddad_77",
        phone: "+44 20 7946 0018",
      },
      { last_name: "Kowalski" },
    ];
    await privacy.takeResult(values, FROM);
    const keys = ["nadia@haddad.example", "Nadia Haddad", "nadia_haddad", "nhaddad_77", "020 7946 0018"];
    const shown = await privacy.showValue(Object.fromEntries(keys.map((key) => [key, 1])), SESSION);
    expect(JSON.stringify(shown)).not.toMatch(/haddad|7946/i);
    for (const key of keys) expect(privacy.filter(key, true)).not.toMatch(/haddad|7946/i);
    for (const key of ["haddad", "kowalski", "nadia"]) expect(privacy.filter(key, true)).toBe(key);
    expect(privacy.filter("by kowalski")).toBe("by [NAME_2]");
  });

  it("are kept and lost in large values as in small ones", async () => {
    const privacy = await open();
    await privacy.takeResult([{ customer_name: "Nadia Haddad" }, { username: "kowalski" }], FROM);
    const rest = Array.from({ length: 8_000 }, (_, n) => `row number ${n}`);
    const shown = await privacy.showValue({ kowalski: 1, of_nadia_haddad: 2, rest }, SESSION);
    const [first, second] = Object.keys(Object(shown));
    expect(first).toBe("kowalski");
    expect(second).not.toMatch(/haddad/);
  });
});

describe("addresses of every machine", () => {
  it.each([
    "127.0.0.1",
    "127.8.0.1",
    "0.0.0.0",
    "::1",
    "::",
    "0:0:0:0:0:0:0:1",
    "255.255.255.255",
    "0.0.0.0/0",
  ])("are nobody's: %s", async (ip) => {
    const privacy = await open();
    const value = { ip, client_ip: ip, text: `listening on ${ip} now` };
    await privacy.takeResult(value, FROM);
    expect(await privacy.showValue(value, SESSION)).toEqual(value);
  });

  it.each(["10.1.2.3", "128.0.0.1", "203.0.113.9", "2001:db8::1", "::2"])(
    "others are not: %s",
    async (ip) => {
      const privacy = await open();
      expect(await privacy.showValue({ client_ip: ip }, SESSION)).toEqual({ client_ip: "[IP_1]" });
    },
  );
});

describe("in boundary mode", () => {
  it("programs see tokens, and tools get the values byte for byte", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult(
      { ...ROW, text: 'x [EMAIL_1] {"to":"nadia@haddad.example"}' },
      FROM,
    );
    expect(JSON.stringify(inside)).not.toMatch(/nadia/i);
    expect(privacy.sendArguments({ all: inside }, TO, SESSION)).toEqual({
      all: { ...ROW, text: 'x [EMAIL_1] {"to":"nadia@haddad.example"}' },
    });
  });

  it("what the model wrote itself is the same token", async () => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    const { code } = privacy.enterProgram('r.email === "Nadia@Haddad.example"', "typescript", SESSION);
    expect(code).toBe('r.email === "[EMAIL_1]"');
  });

  it.each([
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000/"],
    ["http://127.0.0.1", "http://127.0.0.1"],
    ["http://[2001:db8::7]:80/a", "http://[2001:db8::7]:80/a"],
    ["https://10.1.2.3/find?email=nadia@haddad.example#x", "https://10.1.2.3/find?email=[EMAIL_1]#x"],
    ["https://api.example/of/nadia@haddad.example", "https://api.example/of/[EMAIL_1]"],
    ["https://api.example nadia@haddad.example", "https://api.example [EMAIL_1]"],
    ["10.1.2.3", "[IP_1]"],
    ["mailto:nadia@haddad.example", "mailto:[EMAIL_1]"],
  ])("the literal %j keeps its host and is %j", async (written, entered) => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    const { code } = privacy.enterProgram(`f("${written}")`, "typescript", SESSION);
    expect(code).toBe(`f("${entered}")`);
  });

  it("a literal with a name and password in its address keeps nothing of them", async () => {
    const privacy = await open({ mode: "boundary" });
    const code = 'f("https://nadia:Tr0ub4dor@db.example/x")';
    expect(privacy.enterProgram(code, "typescript", SESSION).code).not.toMatch(/nadia|Tr0ub4dor/);
  });

  it("tokens pass out as they are", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult(ROW, FROM);
    expect(await privacy.showValue(inside, SESSION)).toEqual(inside);
  });

  it.each([
    ["cut", "[EMAIL_1"],
    ["cut off early", "[EMAI…"],
    ["changed", "[EMAIL 1]"],
    ["never given", "[EMAIL_77]"],
  ])("a token that was %s is an error", async (_, written) => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    expect(() => privacy.sendArguments({ to: written }, TO, SESSION)).toThrow(/Nothing was sent/);
  });

  it("a server gets its values as it gave them, and what is a number is one", async () => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(
      { email: "Nadia@Haddad.example", phone: "+44 20 7946 0018" },
      { ...FROM, server: "other" },
    );
    const inside = await privacy.takeResult(
      { email: ROW.email, phone: 442079460018 },
      { ...FROM, server: "mail" },
    );
    expect(inside).toEqual({ email: "[EMAIL_1]", phone: "[PHONE_1]" });
    expect(privacy.sendArguments({ all: inside }, TO, SESSION)).toEqual({
      all: { email: ROW.email, phone: 442079460018 },
    });
  });

  it("data that a program puts into brackets is no token", async () => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    const inside = await privacy.takeResult({ title: "EMAIL_1", other: "see EMAIL_~1, [EMAIL_1]" }, FROM);
    const { title, other } = Object(inside) as { title: string; other: string };
    expect(privacy.sendArguments({ a: `[${title}](x)`, title, other }, TO, SESSION)).toEqual({
      a: "[EMAIL_1](x)",
      title: "EMAIL_1",
      other: "see EMAIL_~1, [EMAIL_1]",
    });
  });

  it("a number is one again where the tool takes one", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult({ phone: 442079460018 }, FROM);
    expect(inside).toEqual({ phone: "[PHONE_1]" });
    const inputSchema = { properties: { phone: { type: "number" } } };
    expect(privacy.sendArguments({ ...Object(inside) }, { ...TO, inputSchema }, SESSION)).toEqual({
      phone: 442079460018,
    });
  });

  it("headers take a word of their own", async () => {
    const inputSchema = { properties: { who: { type: "string", "x-mcp-header": "Who" } } };
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    expect(() => privacy.sendArguments({ who: "[EMAIL_1]" }, { ...TO, inputSchema }, SESSION)).toThrow(
      /HTTP header/,
    );
    const named = await open({ mode: "boundary", reveal: () => "named" });
    await named.takeResult(ROW, FROM);
    expect(named.sendArguments({ who: "[EMAIL_1]" }, { ...TO, inputSchema }, SESSION)).toEqual({
      who: ROW.email,
    });
  });
});

describe.each(["egress", "boundary"] as const)("large values, %s", (mode) => {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    name: `${["Nadia", "Omar", "Lena"][n % 3]} Haddad`,
    email: `n${n}@haddad.example`,
    about: "The order was sent from our main office and will arrive within two days.",
  }));

  it("are looked at in a thread, and nothing of them leaves", async () => {
    const privacy = await open({ mode });
    const json = new UnparsedJson(Buffer.from(JSON.stringify(rows)));
    const inside = await privacy.takeResult(json, FROM);
    const parsed: unknown = inside instanceof UnparsedJson ? inside.parse() : inside;
    const shown = JSON.stringify(await privacy.showValue(parsed, SESSION));
    expect(shown).not.toMatch(/haddad/i);
    expect(shown).toContain("main office");
    const line = await privacy.showText(
      `${"x ".repeat(50_000)}${rows[7]?.email} ${"y ".repeat(50_000)}`,
      SESSION,
    );
    expect(line).toContain("x [EMAIL_8] y");
  });
});

describe("what becomes of a class", () => {
  it("mask shows some of it, block nothing, not even to the program", async () => {
    const privacy = await open({ actions: { EMAIL: "mask", SSN: "block", IP: "keep" } });
    const value = { email: ROW.email, ssn: "536-90-4399", ip: "203.0.113.9" };
    const inside = await privacy.takeResult(value, FROM);
    expect(inside).toEqual({ ...value, ssn: "[SSN blocked]" });
    expect(await privacy.showValue(inside, SESSION)).toEqual({
      email: "n•••@haddad.example",
      ssn: "[SSN blocked]",
      ip: value.ip,
    });
  });

  it("a name that is a server's is no company's", async () => {
    const privacy = await open();
    await privacy.takeResult({ company: "github" }, FROM);
    expect(await privacy.showText("github.createIssue", SESSION)).toBe("github.createIssue");
  });
});

it("lists are told with their lengths", async () => {
  const privacy = await open();
  const told = privacy.showShort({ to: [ROW.email, ...new Array<string>(5_000).fill("x")] }, SESSION);
  expect(told.to).toHaveLength(5_001);
  expect(told.to[0]).toBe("[EMAIL_1]");
});
