import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { connectKeyhole, keyhole } from "../fixtures/keyhole.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, tempDir, writeProject } from "../fixtures/project.ts";
import { hasTerminal, keyholeOnTerminal } from "../fixtures/terminal.ts";

const PROGRAM = `const { people } = await post.listPeople({});
const sent = await post.sendMail({ to: people[0], body: "Hi \\u001b[31m\\u202e" });
return sent.sent;`;
const TOKEN = "a token that nobody guesses";

async function open({ holdMs = 200, ...approval }: Record<string, unknown> = {}) {
  const file = join(await tempDir(), "sent");
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { post: fixture("postbox", file, "Letters", "to") } },
    "keyhole.config.json": { approval: { holdMs, ...approval } },
    "program.ts": PROGRAM,
  });
  const home = await homeOf(dir);
  const own = join(home, ".config", "keyhole", "config.json");
  const json = async (...args: string[]) => {
    const { code, stdout } = await keyhole(dir, [...args, "--json"]);
    return { code, data: JSON.parse(stdout) };
  };
  return {
    dir,
    home,
    own,
    json,
    sent: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
    async writeOwn(config: object) {
      await mkdir(join(home, ".config", "keyhole"), { recursive: true });
      await writeFile(own, JSON.stringify(config));
    },
    /** A run that has ended as waiting. */
    async wait() {
      const { code, data } = await json("run", "program.ts");
      expect([code, data.status]).toEqual([1, "waiting"]);
      return { runId: String(data.runId), id: String(data.for[0].approvalId) };
    },
    terminal: (...args: string[]) => keyholeOnTerminal(dir, ["--trust", ...args], { HOME: home }),
  };
}

const withToken = { approval: { scriptToken: `sha256:${createHash("sha256").update(TOKEN).digest("hex")}` } };

describe("keyhole approvals", () => {
  it("lists and shows what waits, with all that is known of it, and nothing that a terminal obeys [approvals-list]", async () => {
    const { dir, json, wait } = await open();
    expect((await json("approvals", "list")).data).toEqual({ approvals: [] });
    const { id, runId } = await wait();
    const { data } = await json("approvals", "list");
    expect(data.approvals).toMatchObject([
      {
        id,
        runId,
        status: "pending",
        calls: [{ server: "post", tool: "send_mail", args: { to: "ada" } }],
        risk: { level: expect.any(String) },
        impact: { modifies: true, reversible: false },
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    const shown = await keyhole(dir, ["approvals", "show", id]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('"body": "Hi \\u001b[31m\\u202e"');
    expect(shown.stdout).toContain("> 2  const sent = await post.sendMail");
    expect(shown.stdout).not.toMatch(/[\u001b\u202e]/);
    expect((await keyhole(dir, ["approvals", "show", "a_none"])).code).toBe(2);
    const again = await keyhole(dir, ["run", "program.ts"]);
    expect(again.stderr).toContain(
      `1 call waits for a person: approval ${id}. The user can answer with keyhole approvals approve ${id}`,
    );
  });

  it("approves nothing without a terminal or the user's token, whatever the project says [approvals-hurdle]", async () => {
    const { dir, wait, writeOwn, sent, json } = await open(withToken.approval);
    const { id, runId } = await wait();
    const approve = (args: string[], token = TOKEN) =>
      keyhole(dir, ["approvals", "approve", id, ...args], { KEYHOLE_APPROVAL_TOKEN: token });
    expect(await approve([])).toMatchObject({ code: 3, stderr: expect.stringContaining("on a terminal") });
    // The hash in the project's config is not obeyed.
    expect(await approve(["--yes"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("The user's own config has no approval.scriptToken"),
    });
    await writeOwn(withToken);
    expect((await approve(["--yes"], "another")).code).toBe(3);
    expect((await json("approvals", "show", id)).data.status).toBe("pending");
    const unfit = await approve(["--yes", "--args", '{"body":"x"}']);
    expect([unfit.code, unfit.stderr]).toEqual([2, expect.stringContaining('"to" is missing')]);
    expect((await json("approvals", "show", id)).data.status).toBe("pending");
    expect((await approve(["--yes", "--args", '{"to":"eve"}'])).code).toBe(0);
    expect((await approve(["--yes"])).stderr).toContain("approved already by cli");
    expect((await json("approvals", "show", id)).data.answer.by).toContain("by a script");
    const resumed = await json("run", "--resume", runId);
    expect([resumed.code, resumed.data.result, resumed.data.runId]).toEqual([0, "eve", runId]);
    expect(sent()).toEqual([{ to: "eve" }]);
  });

  it("needs no secret of a webhook: what would post says so, with 2, and so does doctor [approvals-webhook-secret]", {
    timeout: 60_000,
  }, async () => {
    const { dir, json, wait, writeOwn } = await open();
    const { id } = await wait();
    const secret = "${KEYHOLE_TEST_UNSET}";
    await writeOwn({ approval: { webhook: { url: "http://127.0.0.1:9/", secret } } });
    expect(await json("approvals", "list")).toMatchObject({ code: 0, data: { approvals: [{ id }] } });
    expect((await json("approvals", "deny", id)).data).toMatchObject({ status: "denied" });
    const run = await keyhole(dir, ["run", "program.ts"]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("KEYHOLE_TEST_UNSET")]);
    const { code, data } = await json("doctor", "--quick");
    expect([code, data.ok]).toEqual([1, false]);
    expect(data.checks).toContainEqual(expect.objectContaining({ id: "webhook", status: "failed" }));
    const { code: wrong, stderr } = await keyhole(dir, ["approvals", "show"]);
    expect([wrong, stderr]).toEqual([2, expect.stringContaining("show needs the id of an approval")]);
  });

  it("answers a run that another process holds [approvals-held]", async () => {
    const { dir, json, sent } = await open({ holdMs: 60_000 });
    const client = await connectKeyhole(dir);
    const answer = client.callTool({ name: "execute_code", arguments: { code: PROGRAM } });
    let id: string | undefined;
    while (id === undefined) {
      const { code, data } = await json("approvals", "list");
      expect([code, data.error]).toEqual([0, undefined]);
      id = data.approvals[0]?.id;
    }
    const denied = await json("approvals", "deny", id, "--reason", "not today");
    expect(denied.data).toMatchObject({ id, status: "denied", answer: { reason: "not today" } });
    const { isError, content } = await answer;
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("not today")]);
    expect(sent()).toEqual([]);
  });

  it("is no way to answer where the config leaves it out [approvals-channels]", async () => {
    const { dir, json } = await open({ channels: [] });
    const { code, data } = await json("run", "program.ts");
    expect([code, data.error.message]).toEqual([3, expect.stringContaining("Nobody can be asked here")]);
    const refused = await keyhole(dir, ["approvals", "deny", "a_none"]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('has no "cli"')]);
  });

  it("writes a rule for always into the user's own config, first, with comments kept [approvals-always]", async () => {
    const { dir, home, own, json, wait, sent } = await open();
    const { id } = await wait();
    await mkdir(join(home, ".config", "keyhole"), { recursive: true });
    const before = `{
  // mine
  "approval": ${JSON.stringify(withToken.approval)},
  "permissions": {
    "rules": [
      // by hand only
      { "tool": "send_*", "decision": "ask" }
    ]
  }
}
`;
    await writeFile(own, before);
    const args = ["approvals", "approve", id, "--yes", "--scope", "always", "--free", "$.body"];
    const approved = await keyhole(dir, args, { KEYHOLE_APPROVAL_TOKEN: TOKEN });
    expect([approved.code, approved.stderr]).toEqual([
      0,
      expect.stringContaining("First in permissions.rules"),
    ]);
    const written = readFileSync(own, "utf8");
    const [, fingerprint] = /"fingerprint":"([0-9a-f]{32})"/.exec(written) ?? [];
    const rule = {
      server: "post",
      fingerprint,
      tool: "send_mail",
      args: { "$.to": { equals: "ada" }, "$.body": { matches: "" } },
      onlyArgs: true,
      decision: "allow",
    };
    expect(written).toBe(before.replace("[\n", `[\n      ${JSON.stringify(rule)},\n`));
    expect(readFileSync(`${own}.bak`, "utf8")).toBe(before);
    const run = (mail: object) =>
      json("run", "-e", `return (await post.sendMail(${JSON.stringify(mail)})).sent`);
    expect((await run({ to: "ada", body: "other" })).data.result).toBe("ada");
    expect((await run({ to: "eve", body: "other" })).data.status).toBe("waiting");
    expect((await run({ to: "ada", body: "other", bcc: "eve" })).data.status).toBe("waiting");
    expect(sent()).toHaveLength(1);
  });

  it("writes no rule for always when somebody else was faster [approvals-always]", async () => {
    const { terminal, wait, json, own } = await open();
    const { id } = await wait();
    const late = await terminal("approvals", "approve", id, "--scope", "always");
    await until(() => /Type \d{4} to approve/.test(late.shown()), "the question");
    expect((await json("approvals", "deny", id)).code).toBe(0);
    late.type(`${/Type (\d{4}) to/.exec(late.shown())?.[1]}\r`);
    expect(await late.ended).toBe(2);
    expect(late.shown()).toContain("is denied already");
    expect(existsSync(own)).toBe(false);
  });

  it("is named with the folder where that is another, so that it can be pasted [approvals-pasted]", async () => {
    const { dir, home, json } = await open();
    const elsewhere = await tempDir();
    const paste = async (args: string[]) => {
      const finished = await keyhole(elsewhere, args, { HOME: home });
      return { ...finished, all: finished.stdout + finished.stderr };
    };
    const { all, stderr } = await paste(["run", join(dir, "program.ts"), "--project", dir]);
    expect(stderr.match(/approvals approve/g)).toHaveLength(1);
    const commands = all.match(/keyhole (?:approvals deny|run --resume) \S+ --project [^\s,)]+/g) ?? [];
    expect(commands.map((command) => command.split(" ")[1])).toEqual(
      expect.arrayContaining(["approvals", "run"]),
    );
    const [deny = "", resume = ""] = ["approvals deny", "run --resume"].map((words) =>
      commands.find((command) => command.includes(words)),
    );
    expect((await paste(deny.split(" ").slice(1))).code).toBe(0);
    expect((await paste(resume.split(" ").slice(1))).all).toContain("a person said no");
    expect((await json("approvals", "list")).data.approvals).toEqual([]);
  });

  it("always holds for the server that was asked for, not for another of its name [approvals-always-server]", async () => {
    const { dir, home, own, writeOwn, wait, json } = await open();
    await writeOwn(withToken);
    const { id } = await wait();
    const args = ["approvals", "approve", id, "--yes", "--scope", "always"];
    const approved = await keyhole(dir, args, { KEYHOLE_APPROVAL_TOKEN: TOKEN });
    expect(approved.stderr).toContain("not for others of its name");
    const [asked] = only(await eventsOf(dir), "approval.asked");
    expect((await json("run", "--resume", asked?.run ?? "")).data.result).toBe("ada");
    const events = await eventsOf(dir);
    const leave = {
      decision: "allow",
      by: "an approval for always",
      approved: "person",
      approval: id,
      channel: "cli",
    };
    expect(only(events, "call.sent")).toMatchObject([{ tool: "send_mail", details: { leave } }]);
    const shown = await keyhole(dir, ["audit", "show", asked?.run ?? ""]);
    expect(shown.stdout).toMatch(/approved by .* through cli, for always\n *approval a_/);
    expect(only(events, "run.ended").at(-1)?.details.approvals).toEqual([id]);
    const file = join(await tempDir(), "sent");
    for (const name of ["post", "Po-st"]) {
      const other = await writeProject({
        ".mcp.json": { mcpServers: { [name]: fixture("postbox", file, "Letters", "to") } },
        "keyhole.config.json": { approval: { holdMs: 200 } },
      });
      const mail = JSON.stringify({ to: "ada", body: "Hi \u001b[31m\u202e" });
      const program = `return callMCPTool("${name}__send_mail", ${mail.replaceAll("\u202e", "\\u202e")})`;
      const run = await keyhole(other, ["run", "-e", program, "--json"], { HOME: home });
      expect(JSON.parse(run.stdout).status).toBe("waiting");
    }
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(own, "utf8")).toContain("fingerprint");
  });

  it("no answer holds for all that keyhole run is started for: it has no session [approvals-no-session]", async () => {
    const { dir, json, writeOwn, wait, sent } = await open();
    await writeOwn(withToken);
    const { id } = await wait();
    const args = ["approvals", "approve", id, "--yes", "--scope"];
    const refused = await keyhole(dir, [...args, "session"], { KEYHOLE_APPROVAL_TOKEN: TOKEN });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("can't be for a session")]);
    const approved = await keyhole(dir, [...args, "run"], { KEYHOLE_APPROVAL_TOKEN: TOKEN });
    expect(approved.code).toBe(0);
    const other = await json("run", "-e", 'return post.sendMail({ to: "eve" })');
    expect(other.data.status).toBe("waiting");
    expect(sent()).toEqual([]);
  });
});

describe.skipIf(!hasTerminal)("on a terminal", () => {
  const UP = "\u001b[A";
  const DOWN = "\u001b[B";

  it("a person approves by typing the number that is shown [approvals-typed]", async () => {
    const { terminal, wait, json, sent } = await open();
    const { id, runId } = await wait();
    const left = await terminal("approvals", "approve", id);
    await until(() => /Type \d{4} to approve/.test(left.shown()), "the question");
    left.type("approve\r");
    expect(await left.ended).toBe(1);
    const taken = await terminal("approvals", "approve", id);
    await until(() => /Type \d{4} to approve/.test(taken.shown()), "the question");
    taken.type(`${/Type (\d{4}) to/.exec(taken.shown())?.[1]}\r`);
    expect(await taken.ended).toBe(0);
    expect((await json("run", "--resume", runId)).data.result).toBe("ada");
    expect(sent()).toHaveLength(1);
  });

  it("keyhole run asks right there: no is what Enter says, and the reason reaches the program [approvals-terminal]", async () => {
    const { terminal, sent } = await open({ holdMs: 60_000 });
    const denied = await terminal("run", "program.ts");
    await until(() => denied.shown().includes("May this be done?"), "the question");
    expect(denied.shown()).toContain('"to": "ada"');
    denied.type("\r");
    await until(() => denied.shown().includes("Why not?"), "the reason");
    denied.type("not today\r");
    expect(await denied.ended).toBe(3);
    expect(denied.shown()).toContain("a person said no: not today");
    const approved = await terminal("run", "program.ts");
    await until(() => approved.shown().includes("May this be done?"), "the question");
    approved.type(`${DOWN}\r`);
    expect(await approved.ended).toBe(0);
    expect(sent()).toHaveLength(1);
  });

  it("keyhole run takes other arguments, and Ctrl-C ends it with nothing sent or left to answer [approvals-edit]", async () => {
    const { terminal, sent, json } = await open({ holdMs: 60_000 });
    const edited = await terminal("run", "-e", 'await post.sendMail({ to: "ada" })');
    await until(() => edited.shown().includes("May this be done?"), "the question");
    edited.type(`${UP}\r`);
    await until(() => edited.shown().includes("Arguments of call"), "the arguments");
    edited.type(`${"\u007f".repeat('"ada"}'.length)}"eve"}\r`);
    expect(await edited.ended).toBe(0);
    expect(sent()).toEqual([{ to: "eve" }]);
    const stopped = await terminal("run", "program.ts");
    await until(() => stopped.shown().includes("May this be done?"), "the question");
    stopped.type("\u0003");
    expect(await stopped.ended).toBe(130);
    expect((await json("approvals", "list")).data.approvals).toEqual([]);
    expect(sent()).toHaveLength(1);
  });
});
