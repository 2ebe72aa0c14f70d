import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { createTurnTransaction, type TurnTransaction } from "./turn-transaction.ts";
import { assertVaultKey, eraseVault } from "./vault-key-proof.ts";
import { createWorkspaceCipher } from "./workspace-cipher.ts";
import { openWorkspaceVault, type WorkspaceVault } from "./workspace-vault.ts";

/** Personal values and their tokens, for each workspace its own. Kept sealed in the project's database, which processes share. */
export type Vault = {
  /** The same each time while it is open. */
  open(workspace: string): Promise<WorkspaceVault>;
  /** Forgets everything, of all workspaces. */
  eraseAll(): Promise<void>;
  close(): Promise<void>;
};

export type VaultOptions = {
  /** A connection that nobody else writes with: a transaction of the vault's lasts until the turn in which it began is over. */
  readonly database: () => Promise<Database>;
  readonly key: () => Promise<Buffer>;
  readonly now?: () => number;
};

type Opened = { readonly db: Database; readonly turn: TurnTransaction };

/** Nothing is opened before a workspace is. */
export function createVault({ database, key, now = Date.now }: VaultOptions): Vault {
  const workspaces = new Map<string, Promise<WorkspaceVault>>();
  let opened: Promise<Opened> | undefined;

  async function openChecked(): Promise<Opened> {
    const db = await database();
    db.exec("PRAGMA secure_delete = ON");
    return { db, turn: createTurnTransaction(db) };
  }

  function openOnce(): Promise<Opened> {
    opened ??= openChecked().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function openWorkspace(workspace: string): Promise<WorkspaceVault> {
    const [{ db, turn }, masterKey] = await Promise.all([openOnce(), key()]);
    await whenFree(() => assertVaultKey(db, masterKey));
    return openWorkspaceVault(db, turn, createWorkspaceCipher(masterKey, workspace), now);
  }

  return {
    open(workspace) {
      const known = workspaces.get(workspace);
      if (known !== undefined) return known;
      const opening = openWorkspace(workspace).catch((error) => {
        workspaces.delete(workspace);
        throw error;
      });
      workspaces.set(workspace, opening);
      return opening;
    },
    async eraseAll() {
      const { db } = await openOnce();
      const open = await Promise.allSettled(workspaces.values());
      for (const one of open) if (one.status === "fulfilled") await one.value.forget({ all: true });
      await whenFree(() => eraseVault(db));
      // Whoever is open goes on with the key at hand.
      if (open.length === 0) return;
      const masterKey = await key();
      await whenFree(() => assertVaultKey(db, masterKey));
    },
    async close() {
      const open = await Promise.allSettled(workspaces.values());
      // What could not be kept has not left: its tokens are gone with this process.
      for (const one of open) if (one.status === "fulfilled") await one.value.commit().catch(() => {});
      workspaces.clear();
      await (await opened?.catch(() => undefined))?.db.close();
      opened = undefined;
    },
  };
}
