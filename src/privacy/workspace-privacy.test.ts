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
    expect(() => privacy.sendArguments({ body: `Dear ${ROW.name}` }, TO)).toThrow(/class NAME/);
    expect(privacy.sendArguments({ body: "Hello" }, TO)).toEqual({ body: "Hello" });
  });
});

describe("in boundary mode", () => {
  it("programs see tokens, and tools get the values byte for byte", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult(
      { ...ROW, text: 'x [EMAIL_1] {"to":"nadia@haddad.example"}' },
      FROM,
    );
    expect(JSON.stringify(inside)).not.toMatch(/nadia/i);
    expect(privacy.sendArguments({ all: inside }, TO)).toEqual({
      all: { ...ROW, text: 'x [EMAIL_1] {"to":"nadia@haddad.example"}' },
    });
  });

  it("what the model wrote itself is the same token", async () => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    const { code } = privacy.enterProgram('r.email === "Nadia@Haddad.example"', "typescript", SESSION);
    expect(code).toBe('r.email === "[EMAIL_1]"');
  });

  it("tokens pass out as they are", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult(ROW, FROM);
    expect(await privacy.showValue(inside, SESSION)).toEqual(inside);
  });

  it.each([
    ["cut", "[EMAIL_1"],
    ["changed", "[EMAIL 1]"],
    ["never given", "[EMAIL_77]"],
  ])("a token that was %s is an error", async (_, written) => {
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    expect(() => privacy.sendArguments({ to: written }, TO)).toThrow(/Nothing was sent/);
  });

  it("a number is one again where the tool takes one", async () => {
    const privacy = await open({ mode: "boundary" });
    const inside = await privacy.takeResult({ phone: 442079460018 }, FROM);
    expect(inside).toEqual({ phone: "[PHONE_1]" });
    const inputSchema = { properties: { phone: { type: "number" } } };
    expect(privacy.sendArguments({ ...Object(inside) }, { ...TO, inputSchema })).toEqual({
      phone: 442079460018,
    });
  });

  it("headers take a word of their own", async () => {
    const inputSchema = { properties: { who: { type: "string", "x-mcp-header": "Who" } } };
    const privacy = await open({ mode: "boundary" });
    await privacy.takeResult(ROW, FROM);
    expect(() => privacy.sendArguments({ who: "[EMAIL_1]" }, { ...TO, inputSchema })).toThrow(/HTTP header/);
    const named = await open({ mode: "boundary", reveal: () => "named" });
    await named.takeResult(ROW, FROM);
    expect(named.sendArguments({ who: "[EMAIL_1]" }, { ...TO, inputSchema })).toEqual({ who: ROW.email });
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
