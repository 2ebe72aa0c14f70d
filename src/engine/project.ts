import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Catalog, createCatalog } from "../catalog/catalog.ts";
import { toInlineLayer } from "../config/inline-layer.ts";
import { addInlineServers, noFiles } from "../config/inline-servers.ts";
import { type ConfigOptions, type LoadedConfig, loadConfig } from "../config/load.ts";
import { appDataDir, toPlaces } from "../config/places.ts";
import { errorMessage, KeyholeError } from "../errors.ts";
import { openStateDir, type StateDir } from "../store/state-dir.ts";
import { createProjectTrust } from "./project-trust.ts";
import {
  type DiscoveredSkills,
  discoverSkills,
  NONE_DISCOVERED,
  withDiscovered,
} from "./skills/discovered-skills.ts";
import type { ProjectTrust } from "./trust.ts";

/** A folder with its configuration and the servers behind it: what every command starts from. */
export type Project = {
  /** Where `workspace/` and `.keyhole/` are. */
  readonly dir: string;
  /** What Keyhole remembers. */
  readonly state: StateDir;
  readonly config: LoadedConfig;
  /** From where the config comes: which folder, whether it is trusted by an option, what was handed over as values. May have secrets in it. */
  readonly configuredBy: string;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  /** Whether the folder outlives the process. */
  readonly isKept: boolean;
  /** All that the folder brings is trusted for this time, and nobody was asked. */
  readonly isTrustedByOption: boolean;
  readonly catalog: Catalog;
  /** Skills in the folders of other clients. */
  readonly discovered: DiscoveredSkills;
  /** What the folder brings and the user has not said yes to. */
  readonly trust: ProjectTrust;
  /** Has something closed with the project, after the connections: what they still tell can be written down. */
  closeLast(close: () => Promise<void>): void;
  close(): Promise<void>;
};

export type ProjectOptions = {
  /** The folder whose files are read. Absent: none is, there are the `servers` alone. */
  dir?: string;
  /** Servers as values, over those of the files. */
  servers?: unknown;
  /** Keys of the config as values: where the files speak of them too, the stricter holds. */
  settings?: Readonly<Record<string, unknown>>;
  /** The folder for `workspace/` and `.keyhole/`; else `dir`, else a temporary one, gone with `close`. */
  stateDir?: string;
  homeDir?: string;
  env?: NodeJS.ProcessEnv;
  /** Trusts what the folder brings, this time; nothing is written down. */
  trust?: boolean | undefined;
};

/** Fails before it leaves a trace when there is nothing to open: no such folder, a wrong config, no server. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { homeDir = homedir(), env = process.env, trust } = options;
  const places = { projectDir: resolve(options.dir ?? "."), homeDir, env };
  const loaded = await readConfig(options, { ...places, trust });
  assertServers(loaded);
  const discovered = options.dir === undefined ? NONE_DISCOVERED : await discoverSkills({ ...places, trust });
  const config = withDiscovered(loaded, discovered);
  const { dir, isKept, remove } = await openFolder(options);
  const state = await openStateDir(dir, isKept ? userDir({ homeDir, env }) : undefined);
  const catalog = createCatalog({ config, state, env, homeDir });
  const last: (() => Promise<void>)[] = [];
  return {
    dir,
    state,
    config,
    configuredBy: JSON.stringify([
      options.dir && resolve(options.dir),
      trust === true,
      options.settings,
      options.servers,
    ]),
    env,
    homeDir,
    isKept,
    isTrustedByOption: trust === true && options.dir !== undefined,
    catalog,
    discovered,
    trust: createProjectTrust(config, catalog, discovered, places),
    closeLast: (close) => {
      last.push(close);
    },
    async close() {
      await catalog.close();
      for (const close of last.splice(0)) await close();
      await remove();
    },
  };
}

/** Where the user's own things are, which no project brings along. */
export function userDir(places: { homeDir: string; env: NodeJS.ProcessEnv }): string {
  return join(appDataDir(toPlaces({ projectDir: ".", ...places })), "keyhole");
}

async function readConfig(
  { dir, servers, settings = {} }: ProjectOptions,
  places: ConfigOptions,
): Promise<LoadedConfig> {
  const isSet = Object.values(settings).some((value) => value !== undefined);
  const options = isSet ? { ...places, inline: toInlineLayer(settings) } : places;
  const loaded = dir === undefined ? await noFiles(options) : await loadConfig(options);
  return servers === undefined ? loaded : addInlineServers(loaded, servers, options);
}

async function openFolder({ dir, stateDir }: ProjectOptions): Promise<Folder> {
  if (stateDir === undefined && dir === undefined) {
    const temporary = await mkdtemp(join(tmpdir(), "keyhole-"));
    return { dir: temporary, isKept: false, remove: () => rm(temporary, { recursive: true, force: true }) };
  }
  if (stateDir !== undefined) await makeFolder(resolve(stateDir));
  return { dir: resolve(stateDir ?? dir ?? "."), isKept: true, remove: async () => {} };
}

type Folder = { readonly dir: string; readonly isKept: boolean; remove(): Promise<void> };

async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw new KeyholeError("file_conflict", `Cannot make the folder "${dir}": ${errorMessage(error)}`, {
      hint: "Give another folder as stateDir",
      cause: error,
    });
  }
}

export function assertServers({ projectDir, servers, invalidServers, files, notices }: LoadedConfig): void {
  if (servers.length + invalidServers.length > 0) return;
  const where = files.length === 0 ? `for "${projectDir}"` : `in ${files.join(" and ")}`;
  throw new KeyholeError("config_invalid", `No MCP server is configured ${where}`, {
    details: notices,
    hint: "Add servers to .mcp.json, or run `keyhole init` to take over those of another client",
  });
}
