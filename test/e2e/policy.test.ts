import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, homeOf, writeProject } from "../fixtures/project.ts";

const mcpServers = { mailbox: fixture("mailbox") };

async function mailProject(config?: unknown, userConfig?: unknown): Promise<string> {
  const dir = await writeProject({
    ".mcp.json": { mcpServers },
    ...(config === undefined ? {} : { "keyhole.config.json": config }),
  });
  if (userConfig === undefined) return dir;
  const own = join(await homeOf(dir), ".config/keyhole");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "config.json"), JSON.stringify(userConfig));
  return dir;
}

const CAUGHT = `try { await mailbox.deleteMail({ id: 1 }); return "done" } catch (error) { return [error.name, error.code, error.message] }`;

describe("keyhole run", () => {
  it("lets reading programs read, and asks nobody for Keyhole's own tools [permission-reads]", async () => {
    const dir = await mailProject();
    const code = `const found = await searchTools("mail"); const mails = await mailbox.searchMails({ query: "x" });
      await mailbox.moveMail({}); return [found.length > 0, mails.length]`;
    const { code: exit, stdout } = await keyhole(dir, ["run", "-e", code]);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("3")]);
  });

  it("makes no call that needs a person, says how to allow it, and ends with 3 [permission-ask]", async () => {
    const dir = await mailProject({ approval: { channels: [] } });
    const { code, stdout } = await keyhole(dir, [
      "run",
      "--json",
      "-e",
      "await mailbox.deleteMail({ id: 1 })",
    ]);
    const { error, calls } = JSON.parse(stdout);
    expect(code).toBe(3);
    expect(error).toMatchObject({ kind: "tool_error", code: "denied", server: "mailbox" });
    expect(error.message).toContain('needs the word of a person: "delete_mail" destroys something');
    expect(error.message).toContain('{"server":"mailbox","tool":"delete_mail","decision":"allow"}');
    expect(calls).toMatchObject([{ tool: "delete_mail", ok: false }]);
  });

  it("does what a rule says, with its reason as an error that the program can catch [permission-rules]", async () => {
    const rules = [{ server: "mailbox", tool: "delete_*", decision: "deny", reason: "by hand only" }];
    const denied = await keyhole(await mailProject({ permissions: { rules } }), [
      "run",
      "--json",
      "-e",
      CAUGHT,
    ]);
    expect(JSON.parse(denied.stdout).result).toEqual([
      "ToolError",
      "denied",
      expect.stringContaining("is denied: by hand only"),
    ]);
    const allow = [{ tool: "deleteMail", args: { "$.id": { equals: 1 } }, decision: "allow" }];
    const allowed = await keyhole(await mailProject({ permissions: { rules: allow } }), [
      "run",
      "--json",
      "-e",
      CAUGHT,
    ]);
    // The server itself refuses it.
    expect(JSON.parse(allowed.stdout).result).toEqual(["ToolError", "tool_failed", "Mail is locked"]);
  });

  it("holds the stricter of the user's own config and the project's [permission-stricter]", async () => {
    const allow = { permissions: { rules: [{ tool: "*", decision: "allow" }] } };
    const deny = {
      permissions: { rules: [{ server: "mailbox", tool: "delete_mail", decision: "deny", reason: "never" }] },
    };
    for (const [project, user] of [
      [allow, deny],
      [deny, allow],
    ]) {
      const { stdout } = await keyhole(await mailProject(project, user), ["run", "--json", "-e", CAUGHT]);
      expect(JSON.parse(stdout).result).toEqual(["ToolError", "denied", expect.stringContaining("never")]);
    }
  });
});

describe("a wrong config", () => {
  it.each([
    [
      { rules: [{ tool: "delete_?", decision: "deny" }] },
      '"permissions.rules[0].tool" must be a name in which "*"',
    ],
    [
      { rules: [{ tool: "x", decision: "maybe" }] },
      '"permissions.rules[0].decision" must be one of "allow", "ask", "deny"',
    ],
    [{ rules: [{ args: { to: { equals: 1 } }, decision: "deny" }] }, "must be a path into the arguments"],
    [
      { rules: [{ args: { "$..to": { equals: 1 } }, decision: "deny" }] },
      "must be a path into the arguments",
    ],
    [{ rules: [{ args: { "$.to": { matches: "(?=a)" } }, decision: "deny" }] }, "looking around"],
    [{ rules: [{ args: { "$.to": {} }, decision: "deny" }] }, 'must have either "equals" or "matches"'],
    [
      { rules: [{ time: { zone: "Mars/Olympus", hours: "09:00-10:00" }, decision: "deny" }] },
      "must be a time zone",
    ],
    [{ rules: [{ toool: "x", decision: "deny" }] }, 'did you mean "tool"'],
    [{ level: "root" }, '"permissions.level" must be one of'],
  ])("is one error with file, key and fix: %o [permission-wrong]", async (permissions, words) => {
    const { code, stderr } = await keyhole(await mailProject(undefined, { permissions }), ["tools"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).toContain(".config/keyhole/config.json:1:");
  });

  it("tells of a rule whose server is not there [permission-misspelt]", async () => {
    const dir = await mailProject({ permissions: { rules: [{ server: "mailbx", decision: "deny" }] } });
    const { stderr } = await keyhole(dir, ["tools"]);
    expect(stderr).toContain('names server "mailbx", which is not there; did you mean "mailbox"?');
  });
});

describe("keyhole policy", () => {
  const rules = [
    { tool: "delete_mail", args: { "$.id": { equals: 7 } }, decision: "allow" },
    { tool: "delete_*", principal: "ann", decision: "deny", reason: "Ann reads only" },
  ];

  it("explain tells which rule decides, and which nearly did [policy-explain]", async () => {
    const dir = await mailProject({ permissions: { rules } });
    const asked = await keyhole(dir, ["policy", "explain", "mailbox.deleteMail", "--args", '{"id":8}']);
    expect(asked.code).toBe(0);
    expect(asked.stdout).toMatch(/^ask {2}mailbox\.delete_mail\n/);
    expect(asked.stdout).toMatch(/Rule 1 of .*keyhole\.config\.json \(allow\) does not: args \$\.id/);
    expect(asked.stdout).toMatch(/Rule 2 of .* \(deny\) does not: principal: "ann"/);
    const allowed = await keyhole(dir, [
      "policy",
      "explain",
      "mailbox__delete_mail",
      "--args",
      '{"id":7}',
      "--json",
    ]);
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      decision: "allow",
      by: { kind: "rule", number: 1 },
      effect: "destroys",
    });
    const ann = await keyhole(dir, [
      "policy",
      "explain",
      "mailbox.delete_mail",
      "--principal",
      "ann",
      "--json",
    ]);
    expect(JSON.parse(ann.stdout)).toMatchObject({ decision: "deny", reason: "Ann reads only" });
    const wrong = await keyhole(dir, ["policy", "explain", "mailbox.delete_mail", "--args", "[1]"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--args is no JSON object")]);
    const unknown = await keyhole(dir, ["policy", "explain", "mailbox.delete_mial"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "deleteMail"')]);
  });

  it("explain tells what becomes of a command, by its list and by rules [policy-commands]", async () => {
    const dir = await mailProject(
      {
        commands: { allow: [{ command: "ls" }, { command: "git", args: ["status", "log *"] }] },
        permissions: {
          rules: [
            {
              tool: "runCommand",
              args: { "$.args[0]": { equals: "log" } },
              decision: "deny",
              reason: "no logs",
            },
          ],
        },
        securityLevel: "maximum",
      },
      { commands: { allow: [{ command: "git", args: ["log *", "push *", "status"] }] } },
    );
    const explain = async (command: string, ...args: string[]) => {
      const written = JSON.stringify({ command, args });
      const { stdout, code } = await keyhole(dir, [
        "policy",
        "explain",
        "runCommand",
        "--args",
        written,
        "--json",
      ]);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    expect(await explain("git", "status")).toMatchObject({
      server: "keyhole",
      tool: "runCommand",
      decision: "allow",
      by: { kind: "commands", entries: [{ number: 1 }, { number: 2 }] },
      reason: expect.stringMatching(
        /entry 1 of "commands.allow" of .*config\.json and entry 2 of .*keyhole\.config/,
      ),
    });
    expect(await explain("git", "log")).toMatchObject({
      decision: "deny",
      reason: "no logs",
      by: { kind: "rule" },
    });
    expect(await explain("git", "push")).toMatchObject({ decision: "deny", by: { kind: "commands" } });
    expect(await explain("ls")).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining('"ls" is not among'),
    });
    const shown = await keyhole(dir, [
      "policy",
      "explain",
      "keyhole.runCommand",
      "--args",
      '{"command":"git","args":["log"]}',
    ]);
    expect(shown.stdout).toMatch(/^deny {2}keyhole\.runCommand\n {2}no logs\n/);
    const wrong = await keyhole(dir, [
      "policy",
      "explain",
      "runCommand",
      "--args",
      '{"command":"git status"}',
    ]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("there is no shell")]);
    await writeFile(
      join(dir, "expected.yaml"),
      "- { tool: runCommand, args: { command: git, args: [status] }, expect: allow }\n" +
        "- { tool: runCommand, args: { command: rm, args: [x] }, expect: deny }\n",
    );
    expect((await keyhole(dir, ["policy", "test", join(dir, "expected.yaml")])).code).toBe(0);
  });

  it("tells of rules that are for nothing, as doctor does, and no run [policy-unmatched]", async () => {
    const dir = await mailProject({
      permissions: { rules: [{ server: "mailbox", tool: "delete_mial", decision: "deny" }] },
    });
    const words =
      'rule 1 of "permissions" (deny) is for nothing here: no tool that is connected has this name';
    const explained = await keyhole(dir, ["policy", "explain", "mailbox.delete_mail"]);
    expect(explained.stderr).toContain(words);
    const { checks } = JSON.parse((await keyhole(dir, ["doctor", "--quick", "--json"])).stdout);
    expect(checks).toContainEqual({ id: "rules", status: "limited", title: expect.stringContaining(words) });
    const ran = await keyhole(dir, ["run", "-e", "return 1"]);
    expect(ran.stderr).not.toContain("is for nothing");
  });

  it("test holds the rules to what the user expects [policy-test]", async () => {
    const dir = await mailProject({ permissions: { rules } });
    const file = join(dir, "expected.yaml");
    await writeFile(
      file,
      `- { tool: mailbox.search_mails, expect: allow }
- { tool: mailbox.deleteMail, args: { id: 7 }, expect: allow }
- { tool: mailbox.delete_mail, principal: ann, expect: deny }
`,
    );
    const met = await keyhole(dir, ["policy", "test", file]);
    expect([met.code, met.stdout]).toEqual([0, "3 expectations met\n"]);
    await writeFile(
      file,
      "- { tool: mailbox.delete_mail, args: { id: 8 }, expect: allow }\n- { tool: mailbox.nothing, expect: deny }\n",
    );
    const failed = await keyhole(dir, ["policy", "test", file]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('✗ mailbox.delete_mail {"id":8}\n    - expected allow');
    expect(failed.stdout).toContain('+ got ask: "delete_mail" destroys');
    expect(failed.stdout).toContain('+ got nothing: Server "mailbox" has no tool "nothing"');
    await writeFile(file, "- { tool: mailbox.delete_mail, expects: allow }\n");
    const wrong = await keyhole(dir, ["policy", "test", file]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('entry 1 "expects" is not known here'),
    ]);
  });

  it("accept takes a tool that changed for the one that a rule allows [policy-changed]", async () => {
    const dir = await writeProject({
      ".mcp.json": { mcpServers: { shop: fixture("changing", "changed.txt") } },
      "keyhole.config.json": {
        approval: { channels: [] },
        permissions: { rules: [{ server: "shop", decision: "allow" }] },
      },
    });
    const call = ["run", "--json", "-e", "return await shop.change()"];
    expect(JSON.parse((await keyhole(dir, call)).stdout).result).toBe("changed");
    await keyhole(dir, ["tools", "--refresh"]);
    const asked = await keyhole(dir, call);
    expect([asked.code, JSON.parse(asked.stdout).error.message]).toEqual([
      3,
      expect.stringContaining("its definition changed"),
    ]);
    expect((await keyhole(dir, ["policy", "accept", "shop.change"])).code).toBe(0);
    const accepted = only(await eventsOf(dir), "policy.changed").filter(({ tool }) => tool === "change");
    expect(accepted).toMatchObject([
      {
        server: "shop",
        outcome: "ok",
        details: { accepted: expect.stringMatching(/^\w+$/), channel: "cli", person: expect.any(String) },
      },
    ]);
    expect(JSON.parse((await keyhole(dir, call)).stdout).result).toBe("changed");
  });
});
