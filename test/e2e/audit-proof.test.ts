import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLog } from "../../src/audit/log/open-log.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { eventLines, textSpool } from "../fixtures/audit/text-spool.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { homeOf, tempDir } from "../fixtures/project.ts";

/** A project with a log of some runs. */
async function writeLog(): Promise<string> {
  const dir = await tempDir();
  const userDir = join(await homeOf(dir), ".config/keyhole");
  const { writer } = await openLog({ projectDir: dir, userDir, store: "sqlite" }, { env: {} });
  await writer.take(textSpool("one", eventLines(20)));
  await writer.close();
  return dir;
}

/** The same, and an auditor's folder with a copy of it and the public keys. */
async function logged(): Promise<{ dir: string; elsewhere: string; database: string; keys: string }> {
  const [dir, elsewhere] = [await writeLog(), await tempDir()];
  const [database, keys] = [join(elsewhere, "audit.db"), join(elsewhere, "keys.pem")];
  for (const part of ["", "-wal"]) await copyFile(join(dir, `.keyhole/audit.db${part}`), database + part);
  await writeFile(keys, (await keyhole(dir, ["audit", "keys"])).stdout);
  return { dir, elsewhere, database, keys };
}

describe("keyhole audit prove", () => {
  it("proves no other event than was asked for, where columns were changed [audit-prove-columns]", async () => {
    const dir = await writeLog();
    const at = async (number: number) =>
      JSON.parse(JSON.parse((await keyhole(dir, ["audit", "prove", String(number)])).stdout).event).id;
    const [seventh, eighth] = [await at(7), await at(8)];
    const db = await openSqlite(join(dir, ".keyhole/audit.db"));
    db.exec(`UPDATE event_columns SET id = 'x' WHERE sequence = 8`);
    db.exec(`UPDATE event_columns SET id = '${eighth}' WHERE sequence = 7`);
    await db.close();
    for (const named of [eighth, "x"]) {
      const { code, stdout, stderr } = await keyhole(dir, ["audit", "prove", named]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`is called "${named}" by its columns, but what was written there has the id`);
    }
    const hidden = await keyhole(dir, ["audit", "prove", seventh]);
    expect([hidden.code, hidden.stderr]).toEqual([2, expect.stringContaining("audit verify")]);
  });
});

describe("keyhole audit verify", () => {
  it("verifies a copy elsewhere, by public keys alone [audit-verify-copy]", async () => {
    const { elsewhere, database, keys } = await logged();
    // A folder's own state is not asked for it, whosever it is.
    await mkdir(join(elsewhere, ".keyhole"), { mode: 0o700 });
    await copyFile(database, join(elsewhere, ".keyhole/audit.db"));
    const verify = ["audit", "verify", "--database", database];
    const whole = await keyhole(elsewhere, [...verify, "--key", keys, "--json"]);
    expect([whole.code, JSON.parse(whole.stdout)]).toMatchObject([0, { ok: true, problems: [] }]);
    const db = await openSqlite(database);
    db.exec("UPDATE event_columns SET principal = 'mallory' WHERE sequence = 7");
    await db.close();
    const changed = await keyhole(elsewhere, [...verify, "--key", keys]);
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining("Event 7 has columns")]);
    const keyless = await keyhole(elsewhere, verify);
    expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining("--key FILE")]);
  });

  it("finds that a log is gone as a whole [audit-verify-gone]", async () => {
    const { dir } = await logged();
    for (const name of ["audit.db", "audit.db-wal", "audit.db-shm", "audit.json"])
      await rm(join(dir, ".keyhole", name), { force: true });
    const aside = join(dir, ".keyhole/audit.db.aside-1");
    await writeFile(aside, "another user's");
    const { code, stdout, stderr } = await keyhole(dir, ["audit", "verify"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("its end is missing")]);
    expect(stderr).toContain(`not part of this log: ${aside}`);
  });
});
