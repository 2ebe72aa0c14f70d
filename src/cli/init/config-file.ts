import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG_NAMES, findOwnConfig } from "../../config/own-config.ts";
import { DEFAULT_SETTINGS, type ServerDefinition } from "../../config/server-definition.ts";
import { KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../state/atomic-write.ts";
import type { Candidate } from "./find.ts";
import { hasLiteralValues, literalSecrets, maskSecrets } from "./secrets.ts";

/** Where the schema lies when Keyhole is installed in the project; editors pass over it where it is not. */
const SCHEMA_PATH = "./node_modules/keyhole-mcp/schema/keyhole.config.schema.json";

export type Draft = {
  file: string;
  text: string;
  /** As it may be shown: what looks like a secret is masked. */
  shown: string;
  /** Readable by its owner only, for it holds values of its own. */
  isPrivate: boolean;
};

export async function createDraft(
  projectDir: string,
  chosen: readonly Candidate[],
  { format = "json", link = false }: { format?: "json" | "yaml"; link?: boolean },
): Promise<Draft> {
  const servers = chosen.map(({ server }) => server);
  const render = async (definitions: readonly ServerDefinition[]) => {
    const entries = definitions.map((server, index): [string, object] => {
      const client = chosen[index]?.place.client;
      return [server.name, link ? { from: client } : toEntry(server)];
    });
    return toText(Object.fromEntries(entries), format);
  };
  return {
    file: join(projectDir, format === "json" ? CONFIG_NAMES[0] : CONFIG_NAMES[1]),
    text: await render(servers),
    shown: await render(servers.map(maskSecrets)),
    isPrivate:
      !link && servers.some((server) => hasLiteralValues(server) || literalSecrets(server).length > 0),
  };
}

/** The existing config files, none when writing is free to go ahead. */
export async function checkConflict(projectDir: string, force: boolean): Promise<string[]> {
  const existing = await findOwnConfig(projectDir);
  if (existing.length === 0 || force) return existing;
  throw new KeyholeError(
    "file_conflict",
    `Cannot write the config: "${existing.join('" and "')}" is there already`,
    {
      hint: "Use --force to overwrite it (a copy is kept as .bak)",
    },
  );
}

/** Keeps what was there as `.bak`, then replaces it as a whole. */
export async function writeDraft(
  { file, text, isPrivate }: Draft,
  existing: readonly string[],
): Promise<string[]> {
  const backups: string[] = [];
  for (const old of existing) {
    await copyFile(old, `${old}.bak`);
    backups.push(`${old}.bak`);
  }
  await atomicWrite(file, text, { mode: isPrivate ? 0o600 : 0o666, durable: true });
  for (const old of existing) if (old !== file) await rm(old);
  return backups;
}

async function toText(servers: Record<string, object>, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify({ $schema: SCHEMA_PATH, servers }, null, 2)}\n`;
  const { stringify } = await import("yaml");
  return `# yaml-language-server: $schema=${SCHEMA_PATH}\n${stringify({ servers }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function toEntry({ transport, settings }: ServerDefinition): object {
  const connection =
    transport.type === "stdio"
      ? {
          command: transport.command,
          ...(transport.args.length > 0 ? { args: transport.args } : {}),
          ...(Object.keys(transport.env).length > 0 ? { env: transport.env } : {}),
          ...(transport.envFile === undefined ? {} : { envFile: transport.envFile }),
          ...(transport.inheritEnv.length > 0 ? { inheritEnv: transport.inheritEnv } : {}),
          ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
        }
      : {
          type: transport.type,
          url: transport.url,
          ...(Object.keys(transport.headers).length > 0 ? { headers: transport.headers } : {}),
        };
  const defaults = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS));
  const changed = Object.entries(settings).filter(
    ([key, value]) => value !== undefined && defaults.get(key) !== value,
  );
  return { ...connection, ...Object.fromEntries(changed) };
}
