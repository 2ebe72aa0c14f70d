import { readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { PiiClass } from "../../pii-classes.ts";
import { revealTokens } from "../../privacy/token-text/reveal-tokens.ts";
import type { Forgetting } from "../../privacy/vault/forgetting.ts";
import type { WorkspaceVault } from "../../privacy/vault/workspace-vault.ts";
import { VAULT_DATABASE } from "../../store/database/open-database.ts";
import { openToRead } from "../../store/database/read-database.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { openStateDir, STATE_FOLDER } from "../../store/state-dir.ts";
import { removeCacheFiles } from "../../workspace/result-cache/cache-files.ts";
import { tellValues, withTrail } from "../audit/trail-of-project.ts";
import { userDir } from "../project.ts";
import { type OpenedVault, openVault } from "./open-vault.ts";

export type { Forgetting } from "../../privacy/vault/forgetting.ts";

export type VaultPlace = {
  readonly projectDir: string;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string;
};

export type VaultSummary = {
  readonly principal: string;
  readonly entries: number;
  readonly classes: Readonly<Partial<Record<PiiClass, number>>>;
  /** Rows that could not be opened. */
  readonly damaged: number;
  /** Absent where nothing was ever kept. */
  readonly keyFrom?: string;
};

/** What the vault of a project knows, for a process that has no engine. Nothing is made where there is none. */
export async function readVaultStats(place: VaultPlace, principal: string): Promise<VaultSummary> {
  const nothing: VaultSummary = { principal, entries: 0, classes: {}, damaged: 0 };
  return withVault(place, nothing, async ({ vault, keyFrom }) => {
    const { entries, byClass, damaged } = (await vault.open(principal)).stats();
    return { principal, entries, classes: byClass, damaged, keyFrom: await keyFrom() };
  });
}

/** The tokens that mean nothing any more. */
export async function forgetInVault(
  place: VaultPlace,
  principal: string,
  what: Forgetting,
): Promise<readonly string[]> {
  return withVault(place, [], ({ vault }) =>
    withTrail(place, async (trail) => {
      const tokens = (await vault.open(principal)).forget(what);
      await forgetCachedResults(place);
      await tellValues(trail, "pii.forgotten", principal, await tokens);
      return tokens;
    }),
  );
}

/** Of everybody, also where the key is gone. Tokens are told of those that can still be read: this principal's. */
export async function eraseProjectVault(place: VaultPlace, principal: string): Promise<readonly string[]> {
  return withVault(place, [], ({ vault }) =>
    withTrail(place, async (trail) => {
      const tokens = await vault.open(principal).then(
        (opened) => opened.forget({ all: true }),
        () => [],
      );
      await vault.eraseAll();
      await forgetCachedResults(place);
      await tellValues(trail, "pii.forgotten", principal, tokens);
      return tokens;
    }),
  ).finally(() => removeAside(place.projectDir));
}

/** Those that were put out of the way have values, too. */
async function removeAside(projectDir: string): Promise<void> {
  const dir = join(projectDir, STATE_FOLDER);
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(`${VAULT_DATABASE.file}.aside-`)))
    await rm(join(dir, name), { force: true });
}

/** What is kept of results may have the same values in it, in whatever form: all of it goes. */
async function forgetCachedResults({ projectDir, homeDir = homedir() }: VaultPlace): Promise<void> {
  await removeCacheFiles(await openStateDir(projectDir, userDir({ homeDir, env: process.env })));
}

/** A text with values for tokens. */
export async function revealInText(place: VaultPlace, principal: string, text: string) {
  const values: Pick<WorkspaceVault, "valueOf" | "hasGiven"> = {
    valueOf: () => undefined,
    hasGiven: () => false,
  };
  return withVault(place, revealTokens(text, values), ({ vault }) =>
    withTrail(place, async (trail) => {
      const revealed = revealTokens(text, await vault.open(principal));
      await tellValues(trail, "pii.shown", principal, revealed.tokens);
      return revealed;
    }),
  );
}

async function withVault<T>(
  { projectDir, onNotice, homeDir = homedir() }: VaultPlace,
  nothing: T,
  use: (opened: OpenedVault) => Promise<T>,
): Promise<T> {
  const state = await openStateDir(projectDir, userDir({ homeDir, env: process.env }));
  const known = await openToRead(state, VAULT_DATABASE);
  if (known === undefined) return nothing;
  try {
    if (await whenFree(() => known.all("SELECT 1 FROM vault_keys").length === 0)) return nothing;
  } finally {
    await known.close();
  }
  const opened = openVault({ state, env: process.env, homeDir, isKept: true, onNotice });
  try {
    return await use(opened);
  } finally {
    await opened.vault.close();
  }
}
