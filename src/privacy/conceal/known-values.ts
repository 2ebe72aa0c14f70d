import type { KnownNames } from "../detect/structure/names/known-names.ts";
import { learnMailName, learnName, noNames } from "../detect/structure/names/known-names.ts";
import { createFormIndex, type FormsFound } from "../forms/form-index.ts";
import type { VaultEntry, WorkspaceVault } from "../vault/workspace-vault.ts";

/** Every value that a vault has, to be found in texts in whatever form. */
export type KnownValues = {
  find(text: string): FormsFound<VaultEntry>;
  /** As identifiers have them. */
  readonly names: KnownNames;
  /** Full names, the latest last, for whoever looks in another thread. */
  listNames(most: number): string[];
  close(): void;
};

/** Follows the vault: what this process and others add and erase. */
export async function createKnownValues(vault: WorkspaceVault): Promise<KnownValues> {
  const index = createFormIndex<VaultEntry>();
  const names = noNames();

  function add(entries: Iterable<VaultEntry>): void {
    index.add(entries);
    for (const { class: kind, value } of entries) {
      if (kind === "NAME") learnName(names, value);
      else if (kind === "EMAIL") learnMailName(names, value);
    }
  }

  add([...vault.entries()]);
  const stop = vault.onChange(({ added, removed }) => {
    for (const entry of removed) index.remove(entry);
    add(added);
  });
  await index.settle();
  return {
    find(text) {
      vault.look();
      return index.find(text);
    },
    names,
    listNames(most) {
      const found: string[] = [];
      for (const { class: kind, value } of vault.entries()) if (kind === "NAME") found.push(value);
      return found.slice(-most);
    },
    close: stop,
  };
}
