import { existsSync } from "node:fs";
import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openVault } from "../../src/engine/privacy/open-vault.ts";
import { userDir } from "../../src/engine/project.ts";
import type { PiiClass } from "../../src/pii-classes.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { homeOf, writeProject } from "../fixtures/project.ts";
import { hasTerminal, keyholeOnTerminal } from "../fixtures/terminal.ts";

type Kept = {
  readonly kind: PiiClass;
  readonly value: string;
  readonly session?: string;
  readonly record?: string;
};

/** Has the vault of a project keep values, as a run would; their tokens. */
async function keep(dir: string, values: readonly Kept[], workspace = "local"): Promise<string[]> {
  const homeDir = await homeOf(dir);
  const env = { PATH: process.env["PATH"] };
  const state = await openStateDir(dir, userDir({ homeDir, env }));
  const { vault } = openVault({ state, env, homeDir, isKept: true });
  const opened = await vault.open(workspace);
  const tokens = values.map(({ kind, value, session = "s_1", record }) =>
    opened.tokenOf(kind, value, { session, ...(record === undefined ? {} : { together: record }) }),
  );
  await opened.commit();
  await vault.close();
  return tokens;
}

const CONTACTS = {
  customers: [{ name: "Nadia Okafor", email: "nadia.okafor@example.com", visits: 12, since: "2024-03-01" }],
};
const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout);
const stats = async (dir: string) => json(await keyhole(dir, ["privacy", "stats", "--json"]));

describe("keyhole privacy scan", () => {
  it("tells what is personal in JSON, with its path, and leaves no trace [privacy-scan]", async () => {
    const dir = await writeProject({ "contacts.json": CONTACTS });
    const ended = await keyhole(dir, ["privacy", "scan", "contacts.json", "--json"]);
    const { findings } = json(ended);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(findings).toEqual([
      {
        class: "NAME",
        value: "Nadia Okafor",
        path: "/customers/0/name",
        rule: expect.any(String),
        confidence: expect.any(Number),
      },
      expect.objectContaining({
        class: "EMAIL",
        value: "nadia.okafor@example.com",
        path: "/customers/0/email",
      }),
    ]);
    expect(existsSync(join(dir, ".keyhole"))).toBe(false);
    expect(existsSync(join(await homeOf(dir), ".config/keyhole/vault-key"))).toBe(false);
  });

  it("tells it in any other text with its place, also from standard input", async () => {
    const text = 'Wrote to "ada@example.org" today.\nkey: 4111 1111 1111 1111\n';
    const dir = await writeProject({ "note.txt": text });
    const child = await startKeyhole(dir, ["privacy", "scan", "-", "--json"], {}, "pipe");
    child.stdin?.end(text);
    let stdout = "";
    for await (const chunk of child.stdout ?? []) stdout += chunk;
    const { findings } = JSON.parse(stdout);
    expect(findings.map((one: { class: string }) => one.class)).toEqual(["EMAIL", "CREDIT_CARD"]);
    for (const { value, start, end, path } of findings)
      expect([text.slice(start, end), path]).toEqual([value, undefined]);
    expect(json(await keyhole(dir, ["privacy", "scan", "note.txt", "--json"]))).toEqual({ findings });
  });

  it("goes by the config, and shows a table with counts", async () => {
    const dir = await writeProject({
      "keyhole.config.json": { privacy: { classes: { NAME: "keep" } } },
      "contacts.json": CONTACTS,
    });
    const { code, stdout } = await keyhole(dir, ["privacy", "scan", "contacts.json"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^EMAIL {2}nadia\.okafor@example\.com {2}\/customers\/0\/email {2}\S+ +\d\.\d\d$/m,
    );
    expect(stdout).toMatch(/^1 value: EMAIL 1$/m);
    const all = json(await keyhole(dir, ["privacy", "scan", "contacts.json", "--all", "--json"]));
    expect(all.findings.map((one: { class: string }) => one.class)).toContain("NAME");
  });

  it("looks through a large file", async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_, n) => `${n},paid,user${n}@example.com,some words that say nothing`,
    );
    const dir = await writeProject({ "large.csv": `id,state,email,note\n${rows.join("\n")}\n` });
    const { findings } = json(await keyhole(dir, ["privacy", "scan", "large.csv", "--json"]));
    const mails = findings.filter((one: { class: string }) => one.class === "EMAIL");
    expect([mails.length, mails.at(-1).value]).toEqual([30_000, "user29999@example.com"]);
  });

  it("refuses what it can't read", async () => {
    const dir = await writeProject({ "folder/x": "", "bytes.bin": "a\u0000b", "latin.txt": "" });
    await writeFile(join(dir, "latin.txt"), Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]));
    for (const [file, why] of [
      ["nowhere.json", "there is no such file"],
      ["folder", "it is a folder"],
      ["bytes.bin", "there are zero bytes in it"],
      ["latin.txt", "it is not UTF-8"],
    ] as const) {
      const { code, stderr } = await keyhole(dir, ["privacy", "scan", file]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    await writeFile(join(dir, "huge.txt"), "");
    await truncate(join(dir, "huge.txt"), 64 * 1024 * 1024 + 1);
    const huge = await keyhole(dir, ["privacy", "scan", "huge.txt"]);
    expect([huge.code, huge.stderr]).toEqual([1, expect.stringContaining("is larger than 64 MB")]);
    for (const args of [["scan"], ["scan", "a", "b"], ["sacn", "a"], ["stats", "x"]]) {
      expect((await keyhole(dir, ["privacy", ...args])).code).toBe(2);
    }
  });
});

describe("keyhole privacy stats", () => {
  it("counts by class and tells where the key is from [privacy-stats]", async () => {
    const dir = await writeProject({});
    expect(await stats(dir)).toEqual({ principal: "local", entries: 0, classes: {}, damaged: 0 });
    expect(existsSync(join(dir, ".keyhole"))).toBe(false);
    await keep(dir, [
      { kind: "EMAIL", value: "ada@example.com" },
      { kind: "EMAIL", value: "bob@example.com" },
      { kind: "NAME", value: "Ada Byron" },
    ]);
    expect(await stats(dir)).toEqual({
      principal: "local",
      entries: 3,
      classes: { EMAIL: 2, NAME: 1 },
      damaged: 0,
      keyFrom: expect.stringContaining("a file that only you can read"),
    });
    const { stdout } = await keyhole(dir, ["privacy", "stats"]);
    expect(stdout).toMatch(/3 values with a token\n {2}EMAIL +2\n {2}NAME +1\nsealed with a key from a file/);
    expect(stdout).not.toContain("example.com");
    const other = json(await keyhole(dir, ["privacy", "stats", "--principal", "bob", "--json"]));
    expect(other).toMatchObject({ principal: "bob", entries: 0 });
  });

  it("are told by doctor in a line", async () => {
    const dir = await writeProject({});
    await keep(dir, [{ kind: "EMAIL", value: "ada@example.com" }]);
    expect((await keyhole(dir, ["doctor", "--quick"])).stdout).toMatch(
      /kept sealed\s+1 value, the key is from a file/,
    );
  });

  it("fails where the key is another one, which forgetting all mends", async () => {
    const dir = await writeProject({});
    await keep(dir, [{ kind: "EMAIL", value: "ada@example.com" }]);
    const env = { KEYHOLE_VAULT_KEY: Buffer.alloc(32, 7).toString("base64") };
    const { code, stderr } = await keyhole(dir, ["privacy", "stats"], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("keyhole privacy forget --all")]);
    expect((await keyhole(dir, ["privacy", "forget", "--all", "--yes"], env)).code).toBe(0);
    expect((await keyhole(dir, ["privacy", "stats"], env)).code).toBe(0);
  });
});

describe("keyhole privacy forget", () => {
  const PEOPLE: readonly Kept[] = [
    { kind: "NAME", value: "Ada Byron", record: "1" },
    { kind: "EMAIL", value: "ada@example.com", record: "1" },
    { kind: "EMAIL", value: "bob@example.com", record: "2", session: "s_2" },
    { kind: "PHONE", value: "+1 415 555 2671", record: "3" },
  ];
  const forget = async (dir: string, ...args: string[]) =>
    json(await keyhole(dir, ["privacy", "forget", ...args, "--yes", "--json"])).forgotten;

  it("forgets a person, a session, a class, by age and all, and tells the tokens [privacy-forget]", async () => {
    const dir = await writeProject({});
    const [ada, adaMail, bobMail, phone] = await keep(dir, PEOPLE);
    expect(await forget(dir, "nobody@example.com")).toEqual([]);
    expect(await forget(dir, "--older-than", "1d")).toEqual([]);
    expect((await forget(dir, "ADA@example.com")).sort()).toEqual([adaMail, ada].sort());
    expect(await forget(dir, "--session", "s_2")).toEqual([bobMail]);
    expect(await forget(dir, "--class", "phone")).toEqual([phone]);
    expect((await stats(dir)).entries).toBe(0);
    const [again] = await keep(dir, [{ kind: "EMAIL", value: "ada@example.com" }]);
    expect([adaMail, bobMail]).not.toContain(again);
    expect(await forget(dir, "--older-than", "0h")).toEqual([again]);
    const [, mail] = await keep(dir, PEOPLE);
    expect(await forget(dir, mail ?? "")).toHaveLength(2);
    expect(await forget(dir, "--all")).toHaveLength(2);
  });

  it("leaves others' values, unless all of everybody is meant", async () => {
    const dir = await writeProject({});
    await keep(dir, PEOPLE);
    await keep(dir, PEOPLE, "bob");
    expect(await forget(dir, "--all", "--principal", "bob")).toHaveLength(4);
    expect((await stats(dir)).entries).toBe(4);
    await keep(dir, PEOPLE, "bob");
    expect(await forget(dir, "--all")).toHaveLength(4);
    expect(json(await keyhole(dir, ["privacy", "stats", "--principal", "bob", "--json"])).entries).toBe(0);
  });

  it("does nothing without a word that says what, or a person who means it", async () => {
    const dir = await writeProject({});
    await keep(dir, PEOPLE);
    for (const args of [
      ["--yes"],
      ["ada@example.com"],
      ["--all"],
      ["--all", "--class", "EMAIL", "--yes"],
      ["--class", "EMIAL", "--yes"],
      ["--older-than", "soon", "--yes"],
    ])
      expect((await keyhole(dir, ["privacy", "forget", ...args])).code).toBe(2);
    expect((await stats(dir)).entries).toBe(4);
  });

  it.skipIf(!hasTerminal)("asks on a terminal", async () => {
    const dir = await writeProject({});
    const [, mail] = await keep(dir, PEOPLE);
    const env = { HOME: await homeOf(dir) };
    for (const [keys, code, text] of [
      ["n", 1, "Nothing was forgotten"],
      ["y", 0, mail ?? ""],
    ] as const) {
      const terminal = await keyholeOnTerminal(dir, ["privacy", "forget", "ada@example.com"], env);
      await expect.poll(terminal.shown, { timeout: 20_000 }).toContain("Forget");
      terminal.type(keys);
      expect([await terminal.ended, terminal.shown()]).toEqual([code, expect.stringContaining(text)]);
    }
  });
});

describe("keyhole privacy reveal", () => {
  it("puts values in the place of tokens, and tells of those it can't [privacy-reveal]", async () => {
    const dir = await writeProject({});
    const [mail, name] = await keep(dir, [
      { kind: "EMAIL", value: "ada@example.com" },
      { kind: "NAME", value: 'Ada "Countess" Byron' },
    ]);
    await writeFile(join(dir, "list.json"), JSON.stringify({ to: mail, who: `for ${name}` }));
    const shown = await keyhole(dir, ["privacy", "reveal", "list.json"]);
    expect([shown.code, JSON.parse(shown.stdout)]).toEqual([
      0,
      { to: "ada@example.com", who: 'for Ada "Countess" Byron' },
    ]);
    await writeFile(join(dir, "note.txt"), `To ${mail}\r\nand [EMAIL_99]`);
    const ended = await keyhole(dir, ["privacy", "reveal", "note.txt", "--output", "out.txt"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("[EMAIL_99] stands for nothing here");
    expect(await readFile(join(dir, "out.txt"), "utf8")).toBe("To ada@example.com\r\nand [EMAIL_99]");
    expect((await stat(join(dir, "out.txt"))).mode & 0o777).toBe(0o600);
    const other = await keyhole(dir, ["privacy", "reveal", "list.json", "--principal", "bob", "--json"]);
    expect([other.code, other.stdout]).toEqual([1, expect.not.stringContaining("ada@example.com")]);
  });

  it("leaves a text without tokens as it is to the byte, also where nothing was ever kept", async () => {
    const text = "\ufeffa\u001b[31m b\r\n[EMAIL_~1] \u2028";
    const dir = await writeProject({ "plain.txt": text });
    const { code, stdout } = await keyhole(dir, ["privacy", "reveal", "plain.txt"]);
    expect([code, stdout]).toEqual([0, text.replace("~", "")]);
    expect(existsSync(join(dir, ".keyhole"))).toBe(false);
  });
});

describe("the config of privacy", () => {
  it("that names a class which there is not is told with the nearest one [privacy-config]", async () => {
    const dir = await writeProject({
      "keyhole.config.yaml": "privacy:\n  classes: { EMIAL: keep }\n",
      x: "",
    });
    const { code, stderr } = await keyhole(dir, ["privacy", "scan", "x"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'keyhole.config.yaml:2:14: key "privacy.classes.EMIAL" is not known, did you mean "EMAIL"?',
    );
  });
});
