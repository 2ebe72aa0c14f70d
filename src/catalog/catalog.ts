import type { ResolvedServer } from "../config/expand.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { KeyholeError } from "../errors.ts";
import type { Connection } from "../mcp/connection.ts";
import { createConnection } from "../mcp/create-connection.ts";
import { createEraStore } from "../mcp/era-store.ts";
import type { StateDir } from "../store/state-dir.ts";
import { createCatalogStore } from "./catalog-store.ts";
import type { CatalogEntry } from "./entry.ts";
import { createNameIndex, type NamedServer, type NameIndex } from "./name-index.ts";
import { toServerNames } from "./names.ts";
import { createLearner, type Learner, NO_LEARNER } from "./observed/learner.ts";
import { moveOldState } from "./old-state.ts";
import { giveUp, type ReadTarget, readAnew, readServer } from "./read-server.ts";
import { fingerprintServer } from "./server-fingerprint.ts";
import { type Patience, settleAll } from "./settle-all.ts";

export type Catalog = {
  entries(): CatalogEntry[];
  /** By the configured name. */
  entry(name: string): CatalogEntry | undefined;
  /** What spellings mean, of all servers that are configured. */
  readonly names: NameIndex<NamedServer>;
  /**
   * Brings entries up to date: from the cache where it holds, else from the servers, all at once. Returns when each has
   * answered or failed, or when patience with the silent ones is used up; those go on connecting.
   */
  read(options?: ReadOptions): Promise<CatalogEntry[]>;
  connection(server: string): Connection;
  /** Whether the entry is what the connected server lists now, as far as it has said. */
  isCurrent(name: string): boolean;
  /** Makes it so, by a list that is asked for from here on. Fails where the server does not tell; its entry stays. */
  bringUpToDate(name: string): Promise<void>;
  /** Takes up a server that was listed without being used; `read` reads it. */
  admit(definition: ServerDefinition): void;
  /** Lists a server without using it any more: its connection is closed, its tools are gone. */
  dismiss(name: string, error: KeyholeError): Promise<void>;
  /** What tools without a declared result type answered so far. */
  readonly learner: Learner;
  /** Called with each entry as it changes, also later when a server announces other tools. */
  onUpdate(listener: (entry: CatalogEntry) => void): void;
  close(): Promise<void>;
};

export type ReadOptions = {
  /** Asks the servers, whatever the cache holds. */
  refresh?: boolean;
  /** Only these servers; all when absent. */
  only?: readonly string[];
  /** By default each server may take as long as its own settings allow. */
  patience?: Patience;
};

export type CatalogContext = {
  config: LoadedConfig;
  state: StateDir;
  env: NodeJS.ProcessEnv;
  homeDir: string;
};

/** A server may announce changes as often as it likes; it is asked at most this often. */
const REFRESH_INTERVAL_MS = 1_000;

export function createCatalog({ config, state, env, homeDir }: CatalogContext): Catalog {
  const { projectDir } = config;
  const names = [...config.servers, ...config.invalidServers].map(({ name }) => name);
  const servers = [...toServerNames(names)].map(([name, given]): NamedServer => ({ name, ...given }));
  const named = new Map(servers.map((server) => [server.name, server]));
  const fingerprint = (server: Pick<ResolvedServer, "transport"> | ServerDefinition) =>
    fingerprintServer(state, server);
  const learner = config.config.learnTypes ? createLearner(state) : NO_LEARNER;
  const readContext = { store: createCatalogStore(state), projectDir, homeDir, env, fingerprint };
  const connectionContext = { projectDir, homeDir, env, eras: createEraStore(state), fingerprint };
  const moved = moveOldState(state, servers);
  const listeners = new Set<(entry: CatalogEntry) => void>();
  const entries = new Map<string, CatalogEntry>();
  const targets = new Map<string, ReadTarget>();
  /** The last reading of each that was begun or waits, and those that wait. */
  const readings = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();

  for (const { name, error } of config.invalidServers) put({ ...blank(name), status: "failed", error });
  for (const definition of config.servers) add(definition);

  function add(definition: ServerDefinition): void {
    const { name, settings } = definition;
    const isOn = settings.enabled && config.config.enabled;
    put({ ...blank(name), definition, status: isOn ? "unread" : "disabled" });
    if (!isOn) return;
    const connection = createConnection(definition, connectionContext);
    connection.onToolsChanged(refreshSoon(name));
    const target = { definition, names: namesOf(name), connection, learner };
    targets.set(name, { ...target, fingerprint: fingerprint(definition) });
  }

  function namesOf(name: string): NamedServer {
    const known = named.get(name);
    if (known === undefined) throw new KeyholeError("server_unknown", `Unknown server "${name}"`);
    return known;
  }

  function blank(name: string): NamedServer & Pick<CatalogEntry, "warnings" | "changes"> {
    return { ...namesOf(name), warnings: [], changes: [] };
  }

  function put(entry: CatalogEntry): void {
    entries.set(entry.name, entry);
    for (const listener of listeners) listener(entry);
  }

  async function update(name: string, refresh: boolean): Promise<void> {
    await moved;
    const target = targets.get(name);
    if (target) putRead(target, await readServer(target, readContext, refresh));
  }

  /** Unless it was dismissed meanwhile. */
  function putRead(target: ReadTarget, entry: CatalogEntry): void {
    if (targets.get(entry.name) === target) put(entry);
  }

  async function giveUpOnSilent(name: string): Promise<void> {
    const target = targets.get(name);
    if (!target || entries.get(name)?.status !== "unread") return;
    putRead(target, await giveUp(target, readContext, silent(target.definition)));
  }

  function refreshSoon(name: string): () => void {
    let isWaiting = false;
    return () => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        inLine(name, () => update(name, true));
      }, REFRESH_INTERVAL_MS).unref();
    };
  }

  function isCurrent(name: string): boolean {
    const { status, listVersion } = entries.get(name) ?? {};
    const version = targets.get(name)?.connection.listVersion();
    return status === "ready" && listVersion !== undefined && listVersion === version;
  }

  async function readCurrent(name: string): Promise<void> {
    await moved;
    const target = targets.get(name);
    if (target) putRead(target, await readAnew(target, readContext));
  }

  /**
   * One reading at a time, and whoever comes before it has begun shares it: an older list never replaces a newer. Where the
   * list became current meanwhile, there is nothing to read.
   */
  function inLine(name: string, read: () => Promise<void>): Promise<void> {
    const shared = waiting.get(name);
    if (shared !== undefined) return shared;
    const turn = (readings.get(name) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        waiting.delete(name);
        return isCurrent(name) ? undefined : read();
      });
    waiting.set(name, turn);
    readings.set(name, turn);
    return turn;
  }

  return {
    learner,
    entries: () => [...entries.values()],
    entry: (name) => entries.get(name),
    names: createNameIndex(servers, ({ name }) => entries.get(name)?.record),
    async read({ refresh = false, only, patience } = {}) {
      const wanted = only ?? [...targets.keys()];
      await settleAll(
        wanted.map((name) => update(name, refresh)),
        patience,
      );
      for (const name of wanted) await giveUpOnSilent(name);
      return wanted.map((name) => entries.get(name)).filter((entry) => entry !== undefined);
    },
    connection(server) {
      const target = targets.get(server);
      if (target) return target.connection;
      throw new KeyholeError("server_unknown", `Unknown server "${server}"`, { server });
    },
    isCurrent,
    bringUpToDate: (name) => inLine(name, () => readCurrent(name)),
    admit(definition) {
      if (!targets.has(definition.name)) add(definition);
    },
    async dismiss(name, error) {
      const target = targets.get(name);
      targets.delete(name);
      put({ ...blank(name), status: "failed", error });
      await target?.connection.close();
    },
    onUpdate: (listener) => {
      listeners.add(listener);
    },
    async close() {
      await Promise.all([
        ...[...targets.values()].map(({ connection }) => connection.close()),
        learner.flush(),
      ]);
    },
  };
}

function silent({ name, settings }: ServerDefinition): KeyholeError {
  return new KeyholeError("timeout", `Server "${name}" has not answered yet`, {
    server: name,
    hint: `It goes on connecting: its full time is ${settings.connectTimeoutMs} ms ("connectTimeoutMs")`,
  });
}
