import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { loadMasterKey, type MasterKey } from "../../privacy/vault/master-key.ts";
import { createVault, type Vault } from "../../privacy/vault/vault.ts";
import { openDatabase, VAULT_DATABASE } from "../../store/database/open-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { isBusy, StoreError } from "../../store/database/store-error.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";

export type OpenVaultOptions = {
  readonly state: StateDir;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir?: string;
  /** Whether the project's folder outlives the process. */
  readonly isKept: boolean;
  readonly onNotice?: (text: string) => void;
};

export type OpenedVault = {
  readonly vault: Vault;
  /** Where the key is from, as a person is told. One is made where there is none. */
  keyFrom(): Promise<string>;
};

/** The project's vault, over a connection of its own. Nothing is opened or made before it is used. */
export function openVault(options: OpenVaultOptions): OpenedVault {
  const { state, env, homeDir = homedir(), isKept, onNotice = () => {} } = options;
  const keyDir = isKept ? userDir({ homeDir, env }) : undefined;
  let loading: Promise<MasterKey> | undefined;
  const load = () => {
    loading ??= loadMasterKey({ env, keyDir }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const vault = createVault({
    database: () => openLasting(state, onNotice),
    key: async () => (await load()).key,
  });
  return { vault, keyFrom: async () => SOURCES[(await load()).from] };
}

/** Where nothing can be kept, tokens hold for this process; what was kept before is never taken for nothing. */
async function openLasting(state: StateDir, onNotice: (text: string) => void): Promise<Database> {
  try {
    return await openDatabase(state, onNotice, { kind: VAULT_DATABASE });
  } catch (error) {
    const isThere = existsSync(join(state.path, VAULT_DATABASE.file));
    if (isThere || !(error instanceof StoreError) || isBusy(error)) throw error;
    onNotice(`${error.message}: tokens for personal values hold for this process alone. ${error.hint ?? ""}`);
    return openDatabase({ ...state, isLasting: false }, onNotice, { kind: VAULT_DATABASE });
  }
}

const SOURCES: Readonly<Record<MasterKey["from"], string>> = {
  environment: "the environment (KEYHOLE_VAULT_KEY)",
  keychain: "the system's keychain",
  file: "a file that only you can read (vault-key in your Keyhole folder)",
  process: "this process alone",
};
