import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Catalog, createCatalog } from "../catalog/catalog.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { KeyholeError } from "../errors.ts";
import { openStateDir } from "../state/state-dir.ts";

/** A folder with its configuration and the servers behind it: what every command starts from. */
export type Project = {
  readonly dir: string;
  /** The folder of what Keyhole remembers. */
  readonly stateDir: string;
  readonly config: LoadedConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly catalog: Catalog;
  close(): Promise<void>;
};

export type ProjectOptions = { dir: string; homeDir?: string; env?: NodeJS.ProcessEnv };

/** Fails before it leaves a trace when there is nothing to open: no such folder, a wrong config, no server. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { homeDir = homedir(), env = process.env } = options;
  const dir = resolve(options.dir);
  const config = await loadConfig({ projectDir: dir, homeDir, env });
  assertServers(config);
  const state = await openStateDir(dir);
  const catalog = createCatalog({ config, state, env, homeDir });
  return { dir, stateDir: state.path, config, env, catalog, close: () => catalog.close() };
}

export function assertServers({ projectDir, servers, invalidServers, files, notices }: LoadedConfig): void {
  if (servers.length + invalidServers.length > 0) return;
  const where = files.length === 0 ? `for "${projectDir}"` : `in ${files.join(" and ")}`;
  throw new KeyholeError("config_invalid", `No MCP server is configured ${where}`, {
    details: notices,
    hint: "Add servers to .mcp.json, or run `keyhole init` to take over those of another client",
  });
}
