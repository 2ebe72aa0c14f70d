import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLog } from "../../src/audit/log/open-log.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { eventLines, textSpool } from "../fixtures/audit/text-spool.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { homeOf, tempDir } from "../fixtures/project.ts";

/** A project with a log of some runs, and an auditor's folder with a copy of it and the public keys. */
async function logged(): Promise<{ dir: string; elsewhere: string; database: string; keys: string }> {
  const [dir, elsewhere] = [await tempDir(), await tempDir()];
  const userDir = join(await homeOf(dir), ".config/keyhole");
  const { writer } = await openLog({ projectDir: dir, userDir, store: "sqlite" }, { env: {} });
  await writer.take(textSpool("one", eventLines(20)));
  await writer.close();
  const [database, keys] = [join(elsewhere, "audit.db"), join(elsewhere, "keys.pem")];
  for (const part of ["", "-wal"]) await copyFile(join(dir, `.keyhole/audit.db${part}`), database + part);
  await writeFile(keys, (await keyhole(dir, ["audit", "keys"])).stdout);
  return { dir, elsewhere, database, keys };
}

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
