import { randomBytes } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { migrate, VAULT_MIGRATIONS } from "../../store/database/migrations.ts";
import { type Database, openSqlite } from "../../store/database/sqlite.ts";
import { createVault, type Vault } from "./vault.ts";
import type { VaultChange } from "./workspace-vault.ts";

let path: string;
let key: Buffer;
let time: number;

beforeEach(async () => {
  path = join(await tempDir(), "keyhole.db");
  key = randomBytes(32);
  time = 1_700_000_000_000;
  migrate(await database(), VAULT_MIGRATIONS);
});

async function database(file = path): Promise<Database> {
  const db = await openSqlite(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  onCleanup(() => db.close().catch(() => {}));
  return db;
}

/** As another process has it: with a connection of its own. */
function vault(options: { key?: Buffer; file?: string } = {}): Vault {
  const made = createVault({
    database: () => database(options.file),
    key: async () => options.key ?? key,
    now: () => time,
  });
  return made;
}

const seen = { session: "s_1" };

describe("a vault", () => {
  it("gives the same value the same token, in each of its spellings", async () => {
    const work = await vault().open("local");
    expect(work.tokenOf("EMAIL", "Nadia@Example.com", seen)).toBe("[EMAIL_1]");
    expect(work.tokenOf("EMAIL", "nadia@example.com ", seen)).toBe("[EMAIL_1]");
    expect(work.tokenOf("EMAIL", "other@example.com", seen)).toBe("[EMAIL_2]");
    expect(work.tokenOf("PHONE", "+44 20 7946 0018", seen)).toBe("[PHONE_1]");
    expect(work.tokenOf("PHONE", "0044 (0)20-7946-0018", seen)).toBe("[PHONE_1]");
    expect(work.tokenOf("CREDIT_CARD", "4111 1111 1111 1111", seen)).toBe("[CREDIT_CARD_1]");
    expect(work.tokenOf("CREDIT_CARD", "4111-1111-1111-1111", seen)).toBe("[CREDIT_CARD_1]");
    expect(work.tokenOf("NAME", "Nadia  Rossi", seen)).toBe(work.tokenOf("NAME", "NADIA ROSSI", seen));
    expect(work.tokenOf("IP", "2001:0db8::0001", seen)).toBe(work.tokenOf("IP", "2001:DB8:0:0::1", seen));
    expect(work.tokenOf("PASSWORD", "Secret", seen)).not.toBe(work.tokenOf("PASSWORD", "secret", seen));
    expect(work.tokenOf("PHONE", "555 0100", { ...seen, normal: "442079460018" })).toBe("[PHONE_1]");
    expect(work.valueOf("[EMAIL_1]")).toBe("Nadia@Example.com");
    expect(work.valueOf("[EMAIL_3]")).toBeUndefined();
    expect([work.hasGiven("EMAIL"), work.hasGiven("SSN")]).toEqual([true, false]);
  });

  it("has it on the disk once it is committed, whatever happens to the process", async () => {
    const work = await vault().open("local");
    work.tokenOf("EMAIL", "a@example.com", seen);
    await work.commit();
    const copy = `${path}.copy`;
    for (const part of ["", "-wal"]) await copyFile(path + part, copy + part);
    const later = await vault({ file: copy }).open("local");
    expect(later.valueOf("[EMAIL_1]")).toBe("a@example.com");
    expect(later.tokenOf("EMAIL", "b@example.com", seen)).toBe("[EMAIL_2]");
  });

  it("commits by itself when the turn is over: nobody is locked out by one who forgets", async () => {
    const [one, two] = [await vault().open("local"), await vault().open("local")];
    one.tokenOf("NAME", "Ann Lee", seen);
    await Promise.resolve();
    expect(two.tokenOf("NAME", "ann lee", seen)).toBe("[NAME_1]");
    expect(two.tokenOf("NAME", "Bo Lee", seen)).toBe("[NAME_2]");
    await two.commit();
    one.look(0);
    expect(one.valueOf("[NAME_2]")).toBe("Bo Lee");
  });

  it("agrees with other processes on the token of a value that all meet at once", async () => {
    const all = await Promise.all([1, 2, 3].map(() => vault().open("local")));
    const given = await Promise.all(
      all.map(async (work, number) => {
        const tokens: string[] = [];
        for (let value = 0; value < 60; value++) {
          tokens.push(work.tokenOf("EMAIL", `p${(value * (number + 1)) % 60}@example.com`, seen));
          await work.commit();
        }
        return tokens;
      }),
    );
    const entries = all.map((work) => {
      work.look(0);
      return Object.fromEntries([...work.entries()].map(({ token, value }) => [value, token]));
    });
    expect(entries[1]).toEqual(entries[0]);
    expect(entries[2]).toEqual(entries[0]);
    expect(new Set(Object.values(entries[0] ?? {})).size).toBe(60);
    for (const [number, tokens] of given.entries())
      expect(tokens).toEqual(
        tokens.map((_, value) => entries[0]?.[`p${(value * (number + 1)) % 60}@example.com`]),
      );
  });

  it("keeps workspaces apart, also when they are used in one turn", async () => {
    const all = vault();
    const [ann, bob] = [await all.open("ann"), await all.open("bob")];
    expect(ann.tokenOf("EMAIL", "a@example.com", seen)).toBe("[EMAIL_1]");
    expect(bob.valueOf("[EMAIL_1]")).toBeUndefined();
    expect(bob.tokenOf("EMAIL", "b@example.com", seen)).toBe("[EMAIL_1]");
    await Promise.all([ann.commit(), bob.commit()]);
    expect([ann.valueOf("[EMAIL_1]"), bob.valueOf("[EMAIL_1]")]).toEqual(["a@example.com", "b@example.com"]);
    expect(await all.open("ann")).toBe(ann);
  });

  it("shows nothing to who reads its files", async () => {
    const work = await vault().open("local");
    work.tokenOf("EMAIL", "canary.person@example.com", { session: "s_canary", together: "row 1" });
    work.tokenOf("NAME", "Canary Person", { session: "s_canary", together: "row 1" });
    await work.commit();
    const bytes = Buffer.concat([await readFile(path), await readFile(`${path}-wal`)]).toString("latin1");
    expect(bytes).toContain("EMAIL");
    expect(bytes.toLowerCase()).not.toMatch(/canary|row 1/);
  });

  it("believes no row that was moved, swapped or changed", async () => {
    const all = vault();
    const [ann, bob] = [await all.open("ann"), await all.open("bob")];
    ann.tokenOf("EMAIL", "a@example.com", seen);
    ann.tokenOf("EMAIL", "b@example.com", seen);
    bob.tokenOf("EMAIL", "c@example.com", seen);
    await ann.commit();
    const db = await database();
    const rows = db.all("SELECT number, workspace, place, lookup, sealed FROM vault_values ORDER BY number");
    const [first = [], second = [], third = []] = rows;
    const attempt = async (sql: string, ...values: unknown[]) => {
      const copy = `${path}.${sql.length}${values.length}`;
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      await copyFile(path, copy);
      const other = await database(copy);
      other.run(sql, values as never);
      const work = await vault({ file: copy }).open("ann");
      return [work.valueOf("[EMAIL_1]"), work.valueOf("[EMAIL_2]"), work.stats().damaged];
    };
    expect(await attempt("UPDATE vault_values SET sealed = ? WHERE number = ?", second[4], first[0])).toEqual(
      [undefined, "b@example.com", 1],
    );
    expect(
      await attempt("UPDATE vault_values SET workspace = ? WHERE number = ? ", first[1], third[0]),
    ).toEqual(["a@example.com", "b@example.com", 1]);
    expect(await attempt("UPDATE vault_values SET place = 7 WHERE number = ?", first[0])).toEqual([
      undefined,
      "b@example.com",
      1,
    ]);
  });

  it("refuses another key than the one that it was sealed with, until all is forgotten", async () => {
    const before = await vault().open("local");
    before.tokenOf("EMAIL", "a@example.com", seen);
    before.tokenOf("EMAIL", "b@example.com", seen);
    await before.commit();
    const other = vault({ key: randomBytes(32) });
    await expect(other.open("local")).rejects.toThrow("sealed with another key");
    await other.eraseAll();
    const after = await other.open("local");
    expect(after.valueOf("[EMAIL_1]")).toBeUndefined();
    expect(after.tokenOf("EMAIL", "c@example.com", seen)).toBe("[EMAIL_3]");
    before.look(0);
    expect(before.valueOf("[EMAIL_1]")).toBeUndefined();
  });

  it("gives nothing that could not be kept", async () => {
    const work = await vault().open("local");
    work.tokenOf("EMAIL", "a@example.com", seen);
    await work.commit();
    const changes: VaultChange[] = [];
    work.onChange((change) => changes.push(change));
    const db = await database();
    db.exec("DROP TABLE vault_sightings");
    work.tokenOf("EMAIL", "lost@example.com", seen);
    await expect(work.commit()).rejects.toThrow("vault_sightings");
    expect(changes.map(({ added, removed }) => [added.length, removed.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect([work.valueOf("[EMAIL_1]"), work.valueOf("[EMAIL_2]")]).toEqual(["a@example.com", undefined]);
  });

  it("keeps any text as it is", async () => {
    const work = await vault().open("local");
    const values = fc.sample(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), 200);
    const tokens = [...new Set([...values, "a", "\ud800", "x".repeat(1_000_000), "\0\n1\n"])].map(
      (value) => [work.tokenOf("PASSWORD", value, seen), value] as const,
    );
    await work.commit();
    const later = await vault().open("local");
    for (const [token, value] of tokens) expect(later.valueOf(token)).toBe(value);
  });

  it("tells of what it and others add and erase", async () => {
    const [one, two] = [await vault().open("local"), await vault().open("local")];
    const told: string[] = [];
    two.onChange(({ added, removed }) => {
      told.push(...added.map(({ token }) => `+${token}`), ...removed.map(({ token }) => `-${token}`));
    });
    one.tokenOf("EMAIL", "a@example.com", seen);
    await one.commit();
    two.look(0);
    two.tokenOf("EMAIL", "b@example.com", seen);
    await two.commit();
    await one.forget({ class: "EMAIL" });
    two.look(0);
    expect(told).toEqual(["+[EMAIL_1]", "+[EMAIL_2]", "-[EMAIL_1]", "-[EMAIL_2]"]);
    expect([...two.entries()]).toEqual([]);
  });
});

describe("what is forgotten", () => {
  it("is never given to another value", async () => {
    const work = await vault().open("local");
    work.tokenOf("EMAIL", "a@example.com", seen);
    expect(await work.forget({ all: true })).toEqual(["[EMAIL_1]"]);
    expect(work.valueOf("[EMAIL_1]")).toBeUndefined();
    expect(work.tokenOf("EMAIL", "b@example.com", seen)).toBe("[EMAIL_2]");
    expect(work.tokenOf("EMAIL", "a@example.com", seen)).toBe("[EMAIL_3]");
    await work.commit();
    const later = await vault().open("local");
    expect(later.tokenOf("EMAIL", "c@example.com", seen)).toBe("[EMAIL_4]");
  });

  it("of a session is what no other session has seen", async () => {
    const work = await vault().open("local");
    const own = work.tokenOf("NAME", "Own Person", { session: "s_1" });
    const both = work.tokenOf("NAME", "Both Persons", { session: "s_1" });
    work.tokenOf("NAME", "Both Persons", { session: "s_2" });
    const other = work.tokenOf("NAME", "Other Person", { session: "s_2" });
    expect(await work.forget({ session: "s_1" })).toEqual([own]);
    expect([...work.entries()].map(({ token }) => token)).toEqual([both, other]);
    expect(await work.forget({ session: "s_2" })).toEqual([both, other]);
  });

  it("of a person is all that stood with a value of theirs, and nothing of others", async () => {
    const work = await vault().open("local");
    const add = (kind: "EMAIL" | "NAME" | "COMPANY" | "PHONE", value: string, together: string) =>
      work.tokenOf(kind, value, { session: "s_1", together });
    const own = [add("EMAIL", "nadia@example.com", "1"), add("NAME", "Nadia Rossi", "1")];
    const company = add("COMPANY", "Acme Ltd", "1");
    await work.commit();
    const phone = add("PHONE", "+1 202 555 0143", "again");
    add("EMAIL", "nadia@example.com", "again");
    const others = [add("EMAIL", "bob@example.com", "2"), add("COMPANY", "acme ltd", "2")];
    await work.commit();
    const later = await vault().open("local");
    expect((await later.forget({ subject: "NADIA@example.com" })).sort()).toEqual([...own, phone].sort());
    expect([...later.entries()].map(({ token }) => token).sort()).toEqual(others.sort());
    expect(others).toContain(company);
    expect(await later.forget({ subject: others[0] ?? "" })).toContain(company);
    expect(await later.forget({ subject: "nobody@example.com" })).toEqual([]);
  });

  it("by age is what nobody has met since", async () => {
    const work = await vault().open("local");
    const old = work.tokenOf("EMAIL", "old@example.com", seen);
    const used = work.tokenOf("EMAIL", "used@example.com", seen);
    await work.commit();
    time += 40 * 24 * 3_600_000;
    work.tokenOf("EMAIL", "used@example.com", seen);
    expect(await work.forget({ notSeenSince: time - 30 * 24 * 3_600_000 })).toEqual([old]);
    expect(work.valueOf(used)).toBe("used@example.com");
  });

  it("leaves nothing in the files", async () => {
    const work = await vault().open("local");
    work.tokenOf("EMAIL", "a@example.com", { session: "s_1", together: "1" });
    work.tokenOf("NAME", "Ann Lee", { session: "s_1", together: "1" });
    await work.commit();
    const db = await database();
    const sealed = db.all("SELECT sealed FROM vault_values").map(([one]) => Buffer.from(one as Uint8Array));
    await work.forget({ subject: "a@example.com" });
    for (const table of ["vault_values", "vault_sightings", "vault_records"])
      expect(db.all(`SELECT count(*) FROM ${table}`)).toEqual([[0]]);
    const bytes = Buffer.concat([await readFile(path), await readFile(`${path}-wal`)]);
    expect(sealed.map((one) => bytes.includes(one))).toEqual([false, false]);
  });
});
