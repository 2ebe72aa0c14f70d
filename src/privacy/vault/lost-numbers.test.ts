import { expect, it } from "vitest";
import { migrate, VAULT_MIGRATIONS } from "../../store/database/migrations.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { skipLostNumbers } from "./lost-numbers.ts";
import { createVault } from "./vault.ts";

it("gives no number that a lost vault may have given, and leaves one that has given some as it is", async () => {
  const db = await openSqlite("");
  migrate(db, VAULT_MIGRATIONS);
  skipLostNumbers(db);
  const vault = createVault({ database: async () => db, key: async () => Buffer.alloc(32, 7) });
  const work = await vault.open("local");
  const token = work.tokenOf("EMAIL", "nadia@haddad.example", { session: "s" });
  await work.commit();
  const number = Number(/\d+/.exec(token)?.[0]);
  expect(number).toBeGreaterThan(10_000);
  skipLostNumbers(db);
  expect(work.tokenOf("EMAIL", "omar@haddad.example", { session: "s" })).toBe(`[EMAIL_${number + 1}]`);
  expect(work.valueOf(token)).toBe("nadia@haddad.example");
  await vault.close();
});
