import { createHmac } from "node:crypto";
import { KeyholeError } from "../../errors.ts";
import type { Database } from "../../store/database/sqlite.ts";

/** Refuses a key with which none of what is kept was sealed: all of it would seem to be gone, and its tokens be given again. */
export function assertVaultKey(db: Database, key: Buffer): void {
  const proof = createHmac("sha256", key).update("keyhole vault key").digest();
  db.transaction(() => {
    const known = db.all("SELECT proof FROM vault_keys").map(([one]) => one);
    if (known.some((one) => one instanceof Uint8Array && proof.equals(one))) return;
    if (known.length > 0)
      throw new KeyholeError("store_unusable", "The vault was sealed with another key than the one at hand", {
        hint: "Bring that key back, or forget all that the vault knows: keyhole privacy forget --all",
      });
    db.run("INSERT INTO vault_keys (proof) VALUES (?)", [proof]);
  });
}

/** Everything of everybody, whatever it was sealed with. No number that was given is given again. */
export function eraseVault(db: Database): void {
  db.transaction(() => {
    db.run(
      "INSERT OR REPLACE INTO vault_numbers (workspace, class, last) SELECT x'', class, max(last) FROM vault_numbers GROUP BY class",
    );
    db.run("DELETE FROM vault_numbers WHERE workspace <> x''");
    db.run(
      "INSERT INTO vault_workspaces (workspace, erasures) SELECT DISTINCT workspace, 0 FROM vault_values WHERE true ON CONFLICT DO NOTHING",
    );
    for (const table of ["vault_values", "vault_sightings", "vault_records", "vault_keys"])
      db.run(`DELETE FROM ${table}`);
    db.run("UPDATE vault_workspaces SET erasures = erasures + 1");
  });
}
