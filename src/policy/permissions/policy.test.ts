import { afterEach, describe, expect, it, vi } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { tempDir } from "../../../test/fixtures/project.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import {
  type PermissionRule,
  permissionsSchema,
  type SecurityLevel,
} from "../../config/permissions/schema.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { type AllowedTools, createAllowedTools } from "./allowed-tools.ts";
import { compileRule } from "./compile-rule.ts";
import { createWork } from "./decision-work.ts";
import { type AskedCall, createPolicy } from "./policy.ts";

type Rule = Partial<PermissionRule> & Record<string, unknown>;
type Said = { rules?: Rule[]; level?: string; securityLevel?: SecurityLevel; onChange?: string };

function source({ securityLevel, ...permissions }: Said, file = "keyhole.config.json") {
  return {
    file,
    permissions: permissionsSchema.parse(permissions),
    ...(securityLevel ? { securityLevel } : {}),
  };
}

function asked(
  tool: ToolRecord,
  args: Record<string, unknown> = {},
  more: Partial<AskedCall> = {},
): AskedCall {
  const now = new Date("2026-05-04T10:00:00Z");
  return { tool, args, principal: "local", session: "s_1", client: "claude", now, ...more };
}

/** What one config decides about a call. */
function decide(said: Said, tool: ToolRecord, args?: Record<string, unknown>, more?: Partial<AskedCall>) {
  return createPolicy([source(said)]).decide(asked(tool, args, more)).decision;
}

/** Whether a rule with this decision is the one that decides, at a level that says otherwise. */
function matches(
  rule: Rule,
  decision: "allow" | "deny",
  tool: ToolRecord,
  args?: Record<string, unknown>,
  more?: Partial<AskedCall>,
) {
  const securityLevel = decision === "allow" ? "maximum" : "low";
  return decide({ rules: [{ ...rule, decision }], securityLevel }, tool, args, more) === decision;
}

const tool = (name: string, parts: Partial<ToolRecord> = {}) =>
  toolRecord({ name, server: "mail", ...parts });
const send = tool("send_email", { identifiers: { typescript: "sendEmail", python: "send_email" } });

describe("securityLevel decides where no rule does", () => {
  const cases: [SecurityLevel, ToolRecord, string][] = [
    ["low", tool("delete_all"), "allow"],
    ["moderate", tool("get_mail"), "allow"],
    ["moderate", tool("update_mail"), "allow"],
    ["moderate", tool("frobnicate"), "allow"],
    ["moderate", tool("delete_mail"), "ask"],
    ["moderate", tool("get_mail", { declared: { destructive: true } }), "ask"],
    ["moderate", tool("delete_mail", { declared: { readOnly: true } }), "ask"],
    ["moderate", tool("delete_mail", { declared: { readOnly: true }, trusted: true }), "allow"],
    ["high", tool("get_mail"), "allow"],
    ["high", tool("update_mail"), "ask"],
    ["high", tool("frobnicate"), "ask"],
    ["high", tool("frobnicate", { declared: { readOnly: true } }), "ask"],
    ["high", tool("frobnicate", { declared: { readOnly: true }, trusted: true }), "allow"],
    ["maximum", tool("get_mail"), "ask"],
    ["maximum", tool("get_mail", { declared: { readOnly: true } }), "ask"],
    ["maximum", tool("get_mail", { trusted: true }), "allow"],
    ["maximum", tool("update_mail", { trusted: true }), "ask"],
  ];
  it.each(cases)("%s: %o: %s", (securityLevel, one, decision) => {
    expect(decide({ securityLevel }, one)).toBe(decision);
  });

  it("is moderate where nobody says anything", () => {
    const policy = createPolicy([]);
    expect(policy.decide(asked(send))).toMatchObject({
      decision: "ask",
      by: { kind: "securityLevel", level: "moderate" },
    });
    expect(policy.decide(asked(tool("get_mail"))).decision).toBe("allow");
  });
});

describe("levels", () => {
  it.each([
    ["read_only", "get_mail", "allow"],
    ["read_only", "update_mail", "deny"],
    ["read_only", "frobnicate", "deny"],
    ["write_restricted", "update_mail", "allow"],
    ["write_restricted", "delete_mail", "ask"],
    ["execute_full", "delete_mail", "allow"],
  ])("%s: %s: %s", (level, name, decision) => {
    expect(decide({ level, securityLevel: "low" }, tool(name))).toBe(decision);
  });

  it("say what may be done at all, and securityLevel still asks", () => {
    expect(decide({ level: "execute_full" }, tool("delete_mail"))).toBe("ask");
    expect(decide({ level: "write_restricted", securityLevel: "high" }, tool("update_mail"))).toBe("ask");
  });

  it("come after the rules", () => {
    const rules = [{ tool: "update_mail", decision: "allow" as const }];
    expect(decide({ level: "read_only", rules }, tool("update_mail"))).toBe("allow");
  });
});

describe("rules", () => {
  it("the first that matches wins", () => {
    const rules: Rule[] = [
      { tool: "send_*", args: { "$.to": { equals: "a@corp.com" } }, decision: "allow" },
      { tool: "send_*", decision: "deny", reason: "by hand only" },
      { tool: "*", decision: "allow" },
    ];
    const policy = createPolicy([source({ rules })]);
    expect(policy.decide(asked(send, { to: "a@corp.com" }))).toMatchObject({
      decision: "allow",
      by: { number: 1 },
    });
    expect(policy.decide(asked(send, { to: "b" }))).toMatchObject({
      decision: "deny",
      reason: "by hand only",
      by: { number: 2 },
    });
    expect(policy.decide(asked(tool("delete_mail"))).decision).toBe("allow");
  });

  it.each([
    "send_email",
    "sendEmail",
    "SendEmail",
    "send-email",
    "sendemail",
    "send_*",
    "send*",
    "*_email",
    "*Email",
    "s*d_em*l",
    "mail.send_email",
    "mail__sendEmail",
    "mcp__mail__send_email",
    "mail.*",
    "*.send_*",
  ])("name a tool by any spelling: %s", (written) => {
    expect(matches({ tool: written }, "allow", send)).toBe(true);
    expect(matches({ tool: written }, "deny", send)).toBe(true);
  });

  it.each([
    "send",
    "email",
    "send_",
    "*send",
    "email*",
    "send_email*x",
    "*sendd*",
    "crm.send_email",
    "send_*_email",
    "s.e.n.d",
  ])("and by no other: %s", (written) => {
    expect(matches({ tool: written }, "allow", send)).toBe(false);
    expect(matches({ tool: written }, "deny", send)).toBe(false);
  });

  it("end words where names do", () => {
    expect(matches({ tool: "delete_*" }, "deny", tool("deleteUser"))).toBe(true);
    expect(matches({ tool: "delete_*" }, "deny", tool("deleted_items"))).toBe(false);
    expect(matches({ tool: "_internal*" }, "deny", tool("_internal_x"))).toBe(true);
    expect(matches({ tool: "get_*" }, "allow", tool("delete", { server: "get_things" }))).toBe(false);
  });

  it("hold for names that look alike, but allow only what is the name", () => {
    const lookalike = tool("sеnd_email");
    expect(matches({ tool: "send_email" }, "deny", lookalike)).toBe(true);
    expect(matches({ tool: "send_*" }, "deny", lookalike)).toBe(true);
    expect(matches({ tool: "send_email" }, "allow", lookalike)).toBe(false);
    expect(matches({ tool: "send_*" }, "allow", lookalike)).toBe(false);
  });

  it("name servers likewise", () => {
    const drive = tool("x", { server: "google-drive" });
    for (const server of ["google-drive", "googleDrive", "google_drive", "google*", "*"])
      expect(matches({ server }, "deny", drive)).toBe(true);
    for (const server of ["google", "drive", "mail"]) expect(matches({ server }, "deny", drive)).toBe(false);
  });

  it("take annotations for what they are", () => {
    const claims = { readOnly: true };
    expect(matches({ when: claims }, "allow", tool("get_mail", { declared: claims }))).toBe(true);
    expect(matches({ when: claims }, "allow", tool("get_mail"))).toBe(false);
    expect(matches({ when: claims }, "allow", tool("delete_mail", { declared: claims }))).toBe(false);
    expect(matches({ when: claims }, "allow", tool("delete_mail", { declared: claims, trusted: true }))).toBe(
      true,
    );
    expect(matches({ when: { destructive: true } }, "deny", tool("get_mail"))).toBe(false);
    expect(matches({ when: { destructive: true } }, "deny", tool("frobnicate"))).toBe(true);
    expect(matches({ when: { destructive: true } }, "deny", tool("delete_mail"))).toBe(true);
    expect(matches({ when: { destructive: true } }, "deny", tool("create_issue"))).toBe(false);
    expect(matches({ when: { destructive: false } }, "allow", tool("create_issue"))).toBe(false);
    expect(
      matches({ when: { destructive: true } }, "deny", tool("get_mail", { declared: { destructive: true } })),
    ).toBe(true);
    expect(
      matches(
        { when: { destructive: false } },
        "allow",
        tool("delete_mail", { declared: { destructive: false } }),
      ),
    ).toBe(false);
    expect(
      matches({ when: { idempotent: true } }, "allow", tool("put_mail", { declared: { idempotent: true } })),
    ).toBe(false);
    expect(
      matches(
        { when: { openWorld: false } },
        "allow",
        tool("put_mail", { declared: { openWorld: false }, trusted: true }),
      ),
    ).toBe(true);
    expect(matches({ when: { trusted: true } }, "allow", tool("get_mail"))).toBe(false);
  });

  it("are for principals, sessions and clients", () => {
    expect(matches({ principal: "ann" }, "allow", send, {}, { principal: "ann" })).toBe(true);
    expect(matches({ principal: "ann" }, "allow", send, {}, { principal: "Ann" })).toBe(false);
    expect(matches({ principal: "ann" }, "deny", send, {}, { principal: "Ann" })).toBe(true);
    expect(matches({ session: "s_*" }, "allow", send)).toBe(true);
    expect(matches({ client: "cur*" }, "allow", send)).toBe(false);
  });

  it("know the time, in a zone and over midnight", () => {
    const at = (now: string) => ({ now: new Date(now) });
    const office = { time: { days: "mon-fri", hours: "09:00-17:00", zone: "Europe/Berlin" } };
    expect(matches(office, "allow", send, {}, at("2026-05-04T07:00:00Z"))).toBe(true);
    expect(matches(office, "allow", send, {}, at("2026-05-04T06:59:00Z"))).toBe(false);
    expect(matches(office, "allow", send, {}, at("2026-05-04T15:00:00Z"))).toBe(false);
    expect(matches(office, "allow", send, {}, at("2026-05-03T10:00:00Z"))).toBe(false);
    const night = { time: { days: ["fri"], hours: "22:00-06:00", zone: "UTC" } };
    expect(matches(night, "allow", send, {}, at("2026-05-08T23:00:00Z"))).toBe(true);
    expect(matches(night, "allow", send, {}, at("2026-05-09T05:59:00Z"))).toBe(true);
    expect(matches(night, "allow", send, {}, at("2026-05-08T05:00:00Z"))).toBe(false);
    expect(matches(office, "allow", send, {}, at("no time"))).toBe(false);
    expect(matches(office, "deny", send, {}, at("no time"))).toBe(true);
  });
});

describe("arguments", () => {
  const corp = { args: { "$.to": { matches: "@corp\\.com$" } } };
  const main = { args: { "$.branch": { equals: "main" } } };
  const five = { args: { "$.n": { equals: 5 } } };
  const paths = { args: { "$.files[*].path": { matches: "^/tmp/" } } };
  const address = { args: { "$.to.address": { matches: "@evil\\.org$" } } };
  const etc = { args: { "$.path": { matches: "^/etc/" } } };
  type Case = [what: string, rule: Rule, args: unknown, allows: boolean, denies: boolean];
  const cases: Case[] = [
    ["a text that fits", corp, { to: "a@corp.com" }, true, true],
    ["one that does not", corp, { to: "a@corp.com.evil.org" }, false, false],
    ["a list of which all fit", corp, { to: ["a@corp.com", "b@corp.com"] }, true, true],
    ["a list of which one does not", corp, { to: ["a@corp.com", "x@evil.org"] }, false, true],
    ["lists in lists", corp, { to: [["a@corp.com"]] }, false, true],
    ["an empty list", corp, { to: [] }, false, false],
    ["an object with a text of its own", corp, { to: { toString: "a@corp.com" } }, false, true],
    ["nothing there", corp, {}, false, false],
    ["null", corp, { to: null }, false, true],
    ["another case", corp, { to: "A@CORP.COM" }, false, true],
    ["a text that is too long to look at", corp, { to: `${"a".repeat(5_000)}@corp.com` }, false, true],
    ["more values than are looked at", corp, { to: Array(1_001).fill("a@corp.com") }, false, true],
    ["a name from the prototype", { args: { "$.constructor.name": { matches: "." } } }, {}, false, false],
    [
      "__proto__ as an own key",
      { args: { "$.__proto__.admin": { equals: true } } },
      JSON.parse('{"__proto__":{"admin":true}}'),
      true,
      true,
    ],
    ["the value itself", main, { branch: "main" }, true, true],
    ["the same in another case", main, { branch: " MAIN " }, false, true],
    ["full-width letters", main, { branch: "ｍａｉｎ" }, false, true],
    ["the number", five, { n: 5 }, true, true],
    ["a number as text", five, { n: "5" }, false, true],
    ["another number", five, { n: 6 }, false, false],
    [
      "each of many",
      { args: { "$.files[*].path": { matches: "^/tmp/" } } },
      { files: [{ path: "/tmp/a" }, { path: "/etc/b" }] },
      false,
      true,
    ],
    ["a place in a list", { args: { "$.labels[1]": { equals: "b" } } }, { labels: ["a", "b"] }, true, true],
    [
      "an object with numbers for a list",
      { args: { "$.labels[0]": { equals: "a" } } },
      { labels: { 0: "a" } },
      false,
      false,
    ],
    ["an object for a list", paths, { files: { a: { path: "/tmp/a" } } }, false, true],
    ["a list of which one has nothing there", paths, { files: [{ path: "/tmp/a" }, {}] }, false, true],
    ["with a text among objects", paths, { files: [{ path: "/tmp/a" }, "/etc/passwd"] }, false, true],
    ["with another key in one", paths, { files: [{ path: "/tmp/a" }, { file: "/etc" }] }, false, true],
    ["with a list among objects", paths, { files: [{ path: "/tmp/a" }, ["/etc"]] }, false, true],
    ["with an empty list there", paths, { files: [{ path: "/tmp/a" }, { path: [] }] }, false, true],
    [
      "all elements as they should be",
      paths,
      { files: [{ path: "/tmp/a" }, { path: "/tmp/b" }] },
      true,
      true,
    ],
    ["one object for a list of them", paths, { files: { path: "/tmp/a" } }, false, true],
    ["a list of objects for one", address, { to: [{ address: "a@evil.org" }] }, false, true],
    ["lists in lists of them", address, { to: [[{ address: "a@evil.org" }]] }, false, true],
    ["a key in another case", address, { to: { Address: "a@evil.org" } }, false, true],
    ["JSON in a text", address, { to: '{"address":"a@evil.org"}' }, false, true],
    ["a plain text for an object", address, { to: "a@evil.org" }, false, false],
    ["another address", address, { to: [{ address: "a@corp.com" }] }, false, false],
    ["the value in a list", main, { branch: ["main"] }, false, true],
    ["the value twice", main, { branch: ["main", "main"] }, false, true],
    ["with much space around", main, { branch: `main${" ".repeat(5_000)}` }, false, true],
    ["with much that nobody sees", main, { branch: `main${"\u200b".repeat(5_000)}` }, false, true],
    ["a long text that is another", main, { branch: "mainly ".repeat(1_000) }, false, false],
    ["letters that look alike", main, { branch: "m\u0430in" }, false, true],
    ["a hidden space", main, { branch: "ma\u200bin" }, false, true],
    ["a soft hyphen", main, { branch: "ma\u00adin" }, false, true],
    ["a zero byte", main, { branch: "main\u0000" }, false, true],
    ["a turn of direction", main, { branch: "\u202emain" }, false, true],
    ["another branch", main, { branch: "maine" }, false, false],
    ...["5.0", "+5", "05", "5e0", "0x5", "\uff15"].map(
      (n): Case => [`${n} for a number`, five, { n }, false, true],
    ),
    ["true for 1", { args: { "$.n": { equals: 1 } } }, { n: true }, false, true],
    ["nothing for 0", { args: { "$.n": { equals: 0 } } }, { n: "" }, false, false],
    ["yes for true", { args: { "$.force": { equals: true } } }, { force: "Yes" }, false, true],
    ["1 for true", { args: { "$.force": { equals: true } } }, { force: 1 }, false, true],
    ["no for true", { args: { "$.force": { equals: true } } }, { force: "no" }, false, false],
    ["look-alikes in what is matched", etc, { path: "/\u0435tc/x" }, false, true],
    ["something hidden before it", etc, { path: "\u200b/etc/x" }, false, true],
    ["what only the case keeps out", { args: { "$.x": { matches: "^[^a]$" } } }, { x: "A" }, true, true],
    ["an odd key", { args: { "$['a.b']": { equals: 1 } } }, { "a.b": 1 }, true, true],
    [
      "each value of an object",
      { args: { "$.env.*": { matches: "^x" } } },
      { env: { a: "x1", b: "x2" } },
      true,
      true,
    ],
  ];
  it.each(cases)("%s", (_what, rule, args, allows, denies) => {
    expect(matches(rule, "allow", send, args as Record<string, unknown>)).toBe(allows);
    expect(matches(rule, "deny", send, args as Record<string, unknown>)).toBe(denies);
  });

  it("of which several are named must all fit", () => {
    const both = { args: { "$.to": { matches: "@corp\\.com$" }, "$.urgent": { equals: false } } };
    expect(matches(both, "allow", send, { to: "a@corp.com", urgent: false })).toBe(true);
    expect(matches(both, "allow", send, { to: "a@corp.com", urgent: true })).toBe(false);
  });
});

describe("the user's config and the project's", () => {
  const both = (user: Said, project: Said, one = send) =>
    createPolicy([source(user, "user"), source(project, "project")]).decide(asked(one)).decision;
  const rule = (decision: "allow" | "ask" | "deny") => ({ rules: [{ tool: "send_email", decision }] });

  it.each([
    ["allow", "deny", "deny"],
    ["deny", "allow", "deny"],
    ["ask", "allow", "ask"],
    ["allow", "ask", "ask"],
    ["allow", "allow", "allow"],
  ] as const)("%s and %s: %s", (user, project, holds) => {
    expect(both(rule(user), rule(project))).toBe(holds);
  });

  it("one that says nothing leaves it to the other", () => {
    expect(both(rule("allow"), {})).toBe("allow");
    expect(both({}, rule("deny"))).toBe("deny");
  });

  it("a level of one holds against a rule of the other", () => {
    expect(both({ securityLevel: "high" }, rule("allow"))).toBe("ask");
    expect(both({ level: "read_only" }, { rules: [{ decision: "allow" }] })).toBe("deny");
    expect(both({ securityLevel: "low" }, { securityLevel: "maximum" })).toBe("ask");
  });
});

describe("a tool that changed since a rule allowed it", () => {
  const rules: Rule[] = [{ tool: "send_email", decision: "allow" }];
  const before = { ...send, hash: "1" };
  const after = { ...send, hash: "2" };

  const made: AllowedTools[] = [];
  afterEach(async () => {
    for (const one of made.splice(0)) await one.flush();
  });

  async function memory(dir: string, keyDir = `${dir}/key`): Promise<AllowedTools> {
    const allowed = createAllowedTools(await openStateDir(dir, keyDir));
    await allowed.ready();
    made.push(allowed);
    return allowed;
  }

  it.each([
    [undefined, "ask"],
    ["deny", "deny"],
    ["allow", "allow"],
  ])("onChange %s: %s", async (onChange, decision) => {
    const dir = await tempDir();
    const said = { rules, ...(onChange === undefined ? {} : { onChange }) };
    const first = await memory(dir);
    const policy = createPolicy([source(said)], first);
    expect(policy.decide(asked(before)).decision).toBe("allow");
    expect(policy.decide(asked(after)).decision).toBe(decision);
    await first.flush();
    const later = createPolicy([source(said)], await memory(dir));
    expect(later.explain(asked(onChange === "allow" ? before : after)).decision).toBe(decision);
    expect(later.decide(asked(onChange === "allow" ? after : before)).decision).toBe("allow");
  });

  it("is what the stricter file says it is, whichever has the rule", async () => {
    const allowed = await memory(await tempDir());
    const policy = createPolicy(
      [source({ onChange: "deny" }), source({ rules, onChange: "allow" })],
      allowed,
    );
    expect(policy.decide(asked(before)).decision).toBe("allow");
    expect(policy.decide(asked(after))).toMatchObject({ decision: "deny", by: { kind: "change" } });
    await allowed.flush();
  });

  it("is none any more once a person has seen it", async () => {
    const dir = await tempDir();
    const allowed = await memory(dir);
    const policy = createPolicy([source({ rules })], allowed);
    policy.decide(asked(before));
    expect(policy.decide(asked(after))).toMatchObject({ decision: "ask", by: { kind: "change" } });
    policy.accept(after);
    expect(policy.decide(asked(after)).decision).toBe("allow");
    await allowed.flush();
    expect(createPolicy([source({ rules })], await memory(dir)).decide(asked(after)).decision).toBe("allow");
  });

  it("is the same tool by another spelling of its name, or of its server's", async () => {
    const dir = await tempDir();
    const allowed = await memory(dir);
    createPolicy([source({ rules })], allowed).decide(asked(before));
    await allowed.flush();
    const later = await memory(dir);
    const policy = createPolicy([source({ rules })], later);
    for (const renamed of [
      { ...send, name: "sendEmail", hash: "2" },
      { ...send, name: "SEND-EMAIL", hash: "3" },
      { ...send, server: `${send.server}-`, hash: "4" },
    ]) {
      expect(policy.decide(asked(renamed))).toMatchObject({ decision: "ask", by: { kind: "change" } });
      policy.accept(renamed);
      expect(policy.decide(asked(renamed)).decision).toBe("allow");
    }
    expect(policy.decide(asked(before)).decision).toBe("allow");
    await later.flush();
  });

  it("tells what changed: old and new from where they differ, safe to show, and how much more there is", async () => {
    const dir = await tempDir();
    const allowed = await memory(dir);
    const long = "It sends. ".repeat(60);
    createPolicy([source({ rules })], allowed).decide(asked({ ...before, description: `${long}To one.` }));
    await allowed.flush();
    const keywords = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x-${at}`, true]));
    const other = {
      ...after,
      description: `${long}To \u202eall.`,
      inputSchema: { type: "object", ...keywords },
    };
    const policy = createPolicy([source({ rules })], await memory(dir));
    const { reason, detail = "" } = policy.explain(asked(other));
    expect(reason).not.toContain("To one.");
    expect(detail).toMatch(/^description was ….*To one\.", is now ….*To all\.";/);
    expect(detail).toMatch(/and \d+ other differences$/);
    expect(detail.length).toBeLessThan(2_000);
  });

  it("is not believed to be known by what a repository brings", async () => {
    const dir = await tempDir();
    const theirs = await memory(dir, `${dir}/theirs`);
    createPolicy([source({ rules })], theirs).decide(asked(after));
    await theirs.flush();
    expect((await memory(dir, `${dir}/ours`)).hashOf(after)).toBeUndefined();
    expect((await memory(dir, `${dir}/theirs`)).hashOf(after)).toBe("2");
  });

  it("asks nothing of what no rule allowed", async () => {
    const policy = createPolicy(
      [source({ securityLevel: "low", rules: [{ tool: "x", decision: "allow" }] })],
      await memory(await tempDir()),
    );
    expect(policy.decide(asked(before)).decision).toBe("allow");
    expect(policy.decide(asked(after)).decision).toBe("allow");
  });
});

describe("explain", () => {
  it("tells what decides, and what nearly did", () => {
    const rules: Rule[] = [
      { server: "crm", decision: "deny" },
      { tool: "send_email", args: { "$.to": { matches: "@corp\\.com$" } }, decision: "allow" },
      { tool: "send_email", when: { readOnly: true }, decision: "allow" },
      { tool: "send_email", decision: "ask", reason: "mail is seen first" },
    ];
    const explained = createPolicy([source({ rules })]).explain(asked(send, { to: "x@evil.org" }));
    expect(explained).toMatchObject({
      decision: "ask",
      reason: "mail is seen first",
      effect: "sends",
      by: { kind: "rule", number: 4 },
    });
    expect(explained.rules).toMatchObject([
      { number: 2, matches: false, lacks: ['args $.to: {"matches":"@corp\\\\.com$"}'] },
      { number: 3, matches: false, lacks: ["when readOnly: true"] },
      { number: 4, matches: true, lacks: [] },
    ]);
  });
});

it("an error while deciding is a deny", () => {
  const policy = createPolicy([source({ rules: [{ args: { "$.x": { equals: 1 } }, decision: "allow" }] })]);
  const args = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        throw new Error("odd");
      },
    },
  );
  expect(policy.decide(asked(send, args))).toMatchObject({ decision: "deny", by: { kind: "error" } });
});

it("decides of each record anew: a server that declares something else is another tool", () => {
  const policy = createPolicy([]);
  const harmless = tool("get_mail", { declared: { readOnly: true } });
  expect(policy.decide(asked(harmless)).decision).toBe("allow");
  expect(policy.decide(asked({ ...harmless, declared: { destructive: true } })).decision).toBe("ask");
});

describe("many rules and large arguments", () => {
  const toRules = (decision: "allow" | "deny") =>
    Array.from({ length: 500 }, (_, at) => ({
      args: { "$.to": { matches: `([a-z0-9._-]+@(sub${at}|x)+\\.(corp|evil)\\.com)` } },
      decision,
    }));
  const large = { to: Array.from({ length: 15 }, () => "a".repeat(4_096)) };

  /** Each character that a pattern looks at is one. */
  function lookedAt(work: () => void): number {
    const spy = vi.spyOn(String.prototype, "codePointAt");
    try {
      work();
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  }

  it("are decided within a bound: what is not known by then denies, and never allows", () => {
    const [denying, allowing] = (["deny", "allow"] as const).map((decision) =>
      createPolicy([source({ rules: toRules(decision), securityLevel: "low" })]),
    );
    // One such rule alone looks at 61,440 characters in each of its readings.
    const looks = lookedAt(() => {
      expect(denying?.decide(asked(send, large))).toMatchObject({ decision: "deny", by: { kind: "rule" } });
    });
    expect(looks).toBeLessThan(61_440 * 10);
    const others = lookedAt(() => {
      expect(allowing?.decide(asked(send, large)).by.kind).toBe("securityLevel");
    });
    expect(others).toBeLessThan(61_440 * 10);
    expect(denying?.decide(asked(send, { to: "ann@example.com" })).by.kind).toBe("securityLevel");
    expect(denying?.decide(asked(send, { to: "ann@sub499.corp.com" })).by).toMatchObject({ number: 500 });
  });

  it.each([
    ["keys", { args: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, 1])) }],
    [
      "long keys",
      { args: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`é${"é".repeat(999)}${at}`, 1])) },
    ],
    ["values", { args: { a: Array.from({ length: 9_000 }, () => [1]) } }],
    [
      "texts in other letters",
      { args: { to0: Array.from({ length: 900 }, (_, at) => `${"é".repeat(500)}${at}`) } },
    ],
  ])("count %s as well", (_what, { args }) => {
    const call = asked(send, args);
    const work = createWork();
    const rules = Array.from({ length: 500 }, (_, at) => {
      const rule = {
        args: { [`$.to${at % 3}.x`]: { matches: "." }, "$.to0": { equals: "x" } },
        onlyArgs: true,
      };
      return permissionsSchema.parse({ rules: [{ ...rule, decision: "deny" }] }).rules[0] ?? expect.fail();
    });
    const fits = rules.map((rule) =>
      compileRule(rule, 1, "file").conditions.map(({ test }) => test(call, work)),
    );
    expect(work.left).toBeLessThan(0);
    expect(fits.at(-1)).toEqual(["unclear", "unclear", "unclear"]);
  });
});

it.each<[Said, string]>([
  [{ level: "read_only" }, '"permissions.level": "read_only" of keyhole/config.yaml'],
  [{ rules: [{ tool: "*", decision: "deny" }] }, "rule 1 of keyhole/config.yaml"],
  [{ securityLevel: "maximum" }, '"securityLevel": "maximum" of keyhole/config.yaml'],
])("tells programs not where the user keeps the config: %j", (said, told) => {
  const file = "/home/ann/.config/keyhole/config.yaml";
  const { reason, by } = createPolicy([source(said, file)]).decide(asked(send));
  expect(reason).toContain(told);
  expect(reason).not.toContain("/home");
  expect(by).toMatchObject({ file });
});
