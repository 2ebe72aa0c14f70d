import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type FixtureContact, makeContacts } from "../fixtures/contacts.js";
import { connectKeyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

const COUNT = 60;
const TOKEN = /^\[[A-Z_]+_\d+\]$/;
const MOVE = `const { rows } = await sheet.listRows({ from: 1, count: ${COUNT} });
await crm.createContacts({
  contacts: rows.map(({ name, email, phone, company, address, notes }: any) => ({ name, email, phone, company, address, notes })),
});
console.log(rows[1]);
return rows.slice(0, 3);`;

type Shown = { readonly [Field in keyof FixtureContact]: unknown };

/** A sheet and a CRM behind Keyhole; `told` is what the CRM was sent. */
async function openOffice(mode: string) {
  const file = join(await tempDir(), "crm.jsonl");
  const mcpServers = { sheet: fixture("sheet", String(COUNT)), crm: fixture("crm", file) };
  // Contacts are written, and nobody is there to be asked.
  const config = { securityLevel: "low", privacy: { mode } };
  const front = await connectKeyhole(
    await writeProject({ ".mcp.json": { mcpServers }, "keyhole.config.json": config }),
  );
  const told = async () =>
    (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line): { tool: string; args: Record<string, unknown> } => JSON.parse(line));
  return { front, told };
}

async function run(front: Client, code: string) {
  const answer = await front.callTool({ name: "execute_code", arguments: { code } });
  const data = answer._meta?.["keyhole/result"] as { ok: boolean; result?: unknown };
  expect(data, JSON.stringify(answer)).toMatchObject({ ok: true });
  return { result: data.result, seen: JSON.stringify(answer) };
}

function expectUnseen(seen: string, contacts: readonly FixtureContact[]): void {
  const values = contacts.flatMap(({ name, email, phone, company, address }) => [
    name,
    email,
    phone,
    company,
    address,
  ]);
  expect(values.filter((value) => seen.toLowerCase().includes(value.toLowerCase()))).toEqual([]);
}

describe.each(["egress", "boundary"])("personal data in %s mode", (mode) => {
  const contacts = makeContacts(COUNT);
  const sent = contacts.map(({ name, email, phone, company, address, notes }) => ({
    name,
    email,
    phone,
    company,
    address,
    notes,
  }));

  it("reaches the tools as it was, and the model as tokens [privacy-modes]", async () => {
    const { front, told } = await openOffice(mode);
    const { result, seen } = await run(front, MOVE);
    const [first] = result as Shown[];
    expect((await told()).map(({ args }) => args["contacts"])).toEqual([sent]);
    expectUnseen(seen, contacts);
    for (const field of ["name", "email", "phone"] as const) expect(first?.[field]).toMatch(TOKEN);
    expect(first).toMatchObject({ row: 1, status: contacts[0]?.status, value: contacts[0]?.value });
  });

  it("is used by its tokens in the next program [privacy-tokens]", async () => {
    const { front, told } = await openOffice(mode);
    const { result } = await run(front, MOVE);
    const [, second] = result as Shown[];
    const found = await run(
      front,
      `const found = await crm.findContact({ email: "${second?.email}" });
await crm.addNote({ id: found.id, note: \`Wrote to \${found.name} <${second?.email}>\` });
return [found.id, found.email === "${second?.email}", found.name];`,
    );
    const [, contact] = contacts;
    expect(found.result).toEqual(["C00002", true, second?.name]);
    expect((await told()).slice(1)).toEqual([
      { tool: "find_contact", args: { email: contact?.email } },
      { tool: "add_note", args: { id: "C00002", note: `Wrote to ${contact?.name} <${contact?.email}>` } },
    ]);
    expectUnseen(found.seen, contacts);
  });

  it("is found by a name that the model was told by its user [privacy-names]", async () => {
    const { front } = await openOffice(mode);
    const wanted = contacts[4] as FixtureContact;
    const { result, seen } = await run(
      front,
      `const { rows } = await sheet.listRows({ from: 1, count: ${COUNT} });
return rows.filter((row: any) => row.name === ${JSON.stringify(wanted.name)}).map((row: any) => row.row);`,
    );
    expect(result).toContain(wanted.row);
    expectUnseen(seen, contacts);
  });

  it("stays unseen in errors, in what is written, and in other letters [privacy-forms]", async () => {
    const { front } = await openOffice(mode);
    const { seen } = await run(
      front,
      `import * as fs from "node:fs/promises";
const { rows } = await sheet.listRows({ from: 1, count: 5 });
await fs.writeFile("./workspace/rows.json", JSON.stringify(rows));
console.log(await fs.readFile("./workspace/rows.json", "utf8"));
try { throw new Error(rows[0].email.toUpperCase()); } catch (error) { console.log(error); }
console.log(Buffer.from(JSON.stringify(rows)).toString("base64"), encodeURIComponent(rows[1].email));
emit(rows[2].phone);
return [...rows[3].email].reverse().join("");`,
    );
    expectUnseen(seen, contacts);
    expectUnseen(Buffer.from(/[\w+/]{200,}={0,2}/.exec(seen)?.[0] ?? "", "base64").toString(), contacts);
    expect(seen).not.toContain([...(contacts[3]?.email ?? "")].reverse().join(""));
  });
});
