import { describe, expect, it } from "vitest";
import { openEngine } from "../fixtures/engine.ts";
import { fixture } from "../fixtures/project.ts";

/** Some of the tools send and delete, and nobody is there to be asked. */
const engineOf = async (servers: Record<string, unknown>, config: object = {}) =>
  (await openEngine(servers, { config: { securityLevel: "low", ...config } })).engine;

describe("a large result", () => {
  it("reaches the program whole, is counted, and is told of by its true size", async () => {
    const engine = await engineOf({ many: fixture("many-values") });
    const code = `const { a } = await many.send({ as: "structured", count: 150_000 });
      if (a.length !== 150_000) throw new Error("not whole");
      return a[0].nothing.length;`;
    const run = await engine.run({ code });
    expect(run.text).toContain("array of 150,000");
    expect(run.receipt?.directTokens).toBeGreaterThan(100_000);
  });

  it("over its limits fails its call with code limit, by the key that allows more, and the server goes on", async () => {
    const engine = await engineOf(
      { many: fixture("many-values") },
      { servers: { many: { maxMessageValues: 100_000 } } },
    );
    const code = `const failed = await many.send({ as: "text", count: 150_000 }).catch((error) => error);
      return [failed.code, failed.message, await many.fine({})];`;
    expect((await engine.run({ code })).result).toEqual([
      "limit",
      expect.stringContaining("maxMessageValues"),
      "fine",
    ]);
  });
});

describe("results of a server that prints its values", () => {
  it("reach the program as data; a number that JSON does not have is null, and that is said once", async () => {
    const engine = await engineOf({ crm: fixture("pythonic") });
    const run = await engine.run({
      code: `const customers = await crm.searchCustomers();
        await crm.searchCustomers();
        return [customers, await crm.listAddresses(), await crm.getSettings(), await crm.getPacked(), await crm.getSentence()];`,
    });
    expect(run).toMatchObject({
      ok: true,
      result: [
        [
          { name: "[COMPANY_1]", revenue: null },
          { name: "B", revenue: null },
        ],
        ["a@b.c", "it's"],
        { a: null, b: true, c: [1, 2] },
        { a: 1 },
        "No customers found.",
      ],
      logs: [{ level: "warn", text: "(crm.searchCustomers sent NaN, read as null)" }],
    });
  });

  it("are read also when the message as a whole has such a number", async () => {
    const engine = await engineOf({ crm: fixture("pythonic") });
    expect(await engine.run({ code: "return crm.getStats();" })).toMatchObject({
      result: { mean: null },
      logs: [{ level: "warn", text: "(crm.getStats sent NaN, read as null)" }],
    });
  });

  it("are unpacked from a lone field, unless the tool declares that it holds text", async () => {
    const engine = await engineOf({ crm: fixture("pythonic") });
    const code = "return [await crm.getWrapped(), await crm.getDeclared()];";
    expect((await engine.run({ code })).result).toEqual([{ result: { a: 1 } }, { result: '{"a":1}' }]);
  });

  it("stay text as the server's parseText says", async () => {
    const code = "return [await crm.listAddresses(), await crm.getPacked()];";
    const parsed = async (parseText: string) =>
      (
        await (
          await engineOf({ crm: fixture("pythonic") }, { servers: { crm: { parseText } } })
        ).run({ code })
      ).result;
    expect(await parsed("json")).toEqual(["['a@b.c', 'it\\'s']", { a: 1 }]);
    expect(await parsed("off")).toEqual(["['a@b.c', 'it\\'s']", '"{\\"a\\":1}"']);
  });
});

describe("rows with headings for keys, or a sentence", () => {
  it("have their fields and the sentence in what a search and a wrapper show, and the check refuses nothing", async () => {
    const engine = await engineOf({ mail: fixture("mailbox") });
    await engine.run({ code: 'await mail.searchMails({}); await mail.searchMails({ query: "nothing" });' });
    const row =
      '{ email_id: string; "inbox/outbox": string; "sender/recipient": string; subject: string; body: string }';
    expect((await engine.search({ query: "search mails" })).text).toContain(
      `Promise<${row}[] | "No mails found.">`,
    );
    const read =
      'import { readFile } from "node:fs/promises"; return readFile("./servers/mail/searchMails.ts", "utf8");';
    expect((await engine.run({ code: read })).result).toContain('| "No mails found."');
    const code =
      'const r = await mail.searchMails({}); return r === "nothing" ? 0 : r.map((m) => m.subject).length;';
    expect(await engine.run({ code })).toMatchObject({ ok: true, result: 3 });
  });
});

describe("the answer of a program that failed", () => {
  it("names the writes with their arguments and how they ended, and counts the reads", async () => {
    const engine = await engineOf({ mail: fixture("mailbox") }, { servers: { mail: { timeoutMs: 3_000 } } });
    const { text } = await engine.run({
      code: `await mail.searchMails({});
        for (const email_id of ["00001", "00002"]) await mail.moveMail({ email_id, folder: "done" });
        await mail.deleteMail({ email_id: "00003" }).catch(() => {});
        await mail.sendMail({ to: "ada@example.com", subject: "Hi" });`,
    });
    expect(text).toContain("error (tool_error): ");
    const lines = text.split("\n");
    const start = lines.findIndex((line) => line.startsWith("writes made before"));
    expect(lines.slice(start, start + 5)).toEqual([
      "writes made before, in this order; do not repeat what is done:",
      'mail.moveMail ×2 done: {email_id:"00001",folder:"done"}, {email_id:"00002",folder:"done"}',
      'mail.deleteMail failed: {email_id:"00003"}',
      'mail.sendMail no answer, may have been done: {to:"[EMAIL_1]",subject:"Hi"}',
      "reads made before: 1: mail.searchMails",
    ]);
  });

  it("says what the calls returned when the program took a result for something else", async () => {
    const engine = await engineOf({ mail: fixture("mailbox") });
    const { text, calls } = await engine.run({
      code: 'const mails: any = await mail.searchMails({ query: "nothing" });\nreturn mails.map((m: any) => m.subject);',
    });
    expect(text).toContain('\nmail.searchMails returned string "No mails found."\n');
    expect(text).toContain("calls made before, all of them reads: 1: mail.searchMails");
    // What is written to the journal has no arguments.
    expect(Object.keys(calls[0] ?? {})).toEqual(["server", "tool", "ms", "ok"]);
  });
});
