import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { FixtureContact } from "../../test/fixtures/contacts.js";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { type Answered, type Mode, openPrivateFront } from "./front.ts";

const COUNT = 1_000;
const FIELDS = ["name", "email", "phone", "company", "address", "notes"] as const;
const SEEN = ["name", "email", "phone", "company", "address"] as const;
const LOOK = "return (await sheet.listRows({ from: 1, count: 3 })).rows;";
/** As a model writes it that has seen three rows. */
const MOVE = `let moved = 0;
for (let from = 1; ; from += 200) {
  const { rows } = await sheet.listRows({ from, count: 200 });
  if (rows.length === 0) break;
  await crm.createContacts({
    contacts: rows.map(({ name, email, phone, company, address, notes }: any) => ({ name, email, phone, company, address, notes })),
  });
  moved += rows.length;
}
return { moved };`;

type Outcome = {
  readonly seconds: number;
  readonly tokens: number;
  /** Contacts that the CRM got as they were. */
  readonly exact: number;
  readonly seen: readonly string[];
  readonly isFound: boolean;
};

/** A thousand contacts from a sheet into a CRM, by a program that has seen none of them. */
export async function measureContacts({ distDir, progress }: BenchOptions): Promise<BenchReport> {
  const contacts = await loadContacts();
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  for (const mode of ["egress", "boundary", "off"] as const) {
    progress(`${COUNT} contacts from the sheet into the CRM, ${mode}`);
    const { seconds, tokens, exact, seen, isFound } = await move(distDir, mode);
    rows.push([mode, exact, seen.length, isFound ? "yes" : "no", tokens, Number(seconds.toFixed(2))]);
    if (exact < COUNT) misses.push(`contacts, ${mode}: ${exact} of ${COUNT} came as they were`);
    if (mode === "off") continue;
    if (seen.length > 0) misses.push(`contacts, ${mode}: ${seen.length} values seen, ${seen[0]}`);
    if (!isFound) misses.push(`contacts, ${mode}: nobody is found by a token`);
  }
  return {
    tables: [
      {
        title: `${COUNT} contacts from a sheet into a CRM: three programs, of which one looks, one copies, one asks`,
        columns: [
          "mode",
          "received as they were",
          "values seen",
          "found by token",
          "tokens of the answers",
          "seconds",
        ],
        rows,
      },
    ],
    notes: [
      `The same contacts through a model, once as a result and once as arguments: ${2 * countTokens(JSON.stringify(contacts))} tokens`,
    ],
    misses,
  };
}

async function move(distDir: string, mode: Mode): Promise<Outcome> {
  const contacts = await loadContacts();
  const front = await openPrivateFront({
    distDir,
    mode,
    servers: (dir) => ({ sheet: ["sheet", String(COUNT)], crm: ["crm", join(dir, "crm.jsonl")] }),
  });
  try {
    const start = performance.now();
    const look = await front.run(LOOK);
    const [first] = Array.isArray(look.result) ? look.result : [];
    const moved = await front.run(MOVE);
    const seconds = (performance.now() - start) / 1_000;
    const asked = await front.run(
      `const found = await crm.findContact({ email: ${JSON.stringify(String(first?.email))} });\nreturn [found.id, found.email];`,
    );
    const answers = [look, moved, asked];
    return {
      seconds,
      tokens: answers.reduce((sum, { text }) => sum + countTokens(text), 0),
      exact: await countExact(join(front.dir, "crm.jsonl"), contacts),
      seen: seenIn(answers, contacts),
      isFound: JSON.stringify(asked.result) === JSON.stringify(["C00001", first?.email]),
    };
  } finally {
    await front.close();
  }
}

async function countExact(file: string, contacts: readonly FixtureContact[]): Promise<number> {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  const received = lines
    .map((line): { tool: string; args: { contacts?: unknown[] } } => JSON.parse(line))
    .flatMap(({ args }) => args.contacts ?? []);
  return contacts.filter(
    (contact, index) =>
      JSON.stringify(received[index]) ===
      JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, contact[field]]))),
  ).length;
}

function seenIn(answers: readonly Answered[], contacts: readonly FixtureContact[]): string[] {
  const text = JSON.stringify(answers.map(({ visible }) => visible)).toLowerCase();
  return contacts
    .flatMap((contact) => SEEN.map((field) => contact[field]))
    .filter((value) => text.includes(value.toLowerCase()));
}

type ContactFixtures = typeof import("../../test/fixtures/contacts.js");

/** The fixture as it stands: it is not built with this. */
async function loadContacts(): Promise<readonly FixtureContact[]> {
  const file = pathToFileURL(resolve("test/fixtures/contacts.js")).href;
  const { makeContacts } = (await import(file)) as ContactFixtures;
  return makeContacts(COUNT);
}
