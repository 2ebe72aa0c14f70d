import { realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../config/files/json-value.ts";
import { CONFIG_NAMES } from "../../config/own-config.ts";
import { DEFAULT_SETTINGS, type ServerDefinition } from "../../config/server-definition.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { type Entries, toEditedText, toNewText } from "./edit-config.ts";
import type { ConfigFormat, ExistingConfig } from "./existing-config.ts";
import type { Candidate } from "./find.ts";
import { keepBackup } from "./keep-backup.ts";
import { maskSecrets } from "./secrets.ts";

export type DraftOptions = {
  format?: ConfigFormat;
  link?: boolean;
  /** Servers of the same name are replaced; without it they stay as they are. */
  replace: boolean;
  /** Entries with settings alone get the server that they are laid over. */
  complete?: boolean;
  existing: ExistingConfig | undefined;
};

export type Draft = {
  file: string;
  text: string;
  /** What is put in, as it may be shown: what looks like a secret is masked. */
  shown: string;
  /** The servers that are put in. */
  put: Candidate[];
  /** Those that the config has already and keeps. */
  kept: Candidate[];
  existing: ExistingConfig | undefined;
  /** What the config holds afterwards. */
  servers: Record<string, unknown>;
  isPrivate: boolean;
};

export async function createDraft(
  projectDir: string,
  chosen: readonly Candidate[],
  { format: wanted, link = false, replace, complete = false, existing }: DraftOptions,
): Promise<Draft> {
  const format = wanted ?? existing?.format ?? "json";
  const known = existing?.servers ?? {};
  const isKept = ({ name }: Candidate) =>
    !replace && Object.hasOwn(known, name) && !(complete && isOverlay(known[name]));
  const put = chosen.filter((candidate) => !isKept(candidate));
  const toEntries = (convert: (server: ServerDefinition) => ServerDefinition): Entries =>
    Object.fromEntries(
      put.map(({ name, server, place }) => {
        const entry = link ? toLink(server, place.client) : toEntry(convert(server));
        const old = Object.hasOwn(known, name) ? known[name] : undefined;
        return [
          name,
          isOverlay(old) && complete ? laidOver(entry, old) : { ...entry, ...settingsBeside(entry, old) },
        ];
      }),
    );
  const servers = toEntries((server) => server);
  const all: Record<string, unknown> = { ...known, ...servers };
  return {
    file:
      existing?.format === format
        ? existing.file
        : join(projectDir, format === "json" ? CONFIG_NAMES[0] : CONFIG_NAMES[1]),
    text:
      existing === undefined
        ? await toNewText(servers, format)
        : await toEditedText(existing, servers, format),
    shown: await toNewText(toEntries(maskSecrets), format),
    put,
    kept: chosen.filter(isKept),
    existing,
    servers: all,
    isPrivate: Object.values(all).some((entry) => "command" in Object(entry) || "url" in Object(entry)),
  };
}

/** Keeps what was there as a backup, then replaces it as a whole. A link stays one: what it points to is written. */
export async function writeDraft({ file, text, isPrivate, existing }: Draft): Promise<string[]> {
  try {
    const target = await realpath(file).catch(() => file);
    const before = await stat(target).catch(() => undefined);
    const backups = existing === undefined ? [] : [await keepBackup(existing.file)];
    const mode = isPrivate ? 0o600 : before === undefined ? undefined : before.mode & 0o777;
    await atomicWrite(target, text, { ...(mode === undefined ? {} : { mode }), durable: true });
    if (existing !== undefined && existing.file !== file) await rm(existing.file);
    return backups;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (typeof code !== "string") throw error;
    const isDenied = code === "EACCES" || code === "EPERM" || code === "EROFS";
    const why = isDenied ? "permission denied" : errorMessage(error);
    throw new KeyholeError("file_conflict", `Cannot write "${file}": ${why}`, {
      hint: isDenied
        ? "Give yourself the right to write in that folder, or choose another by --project"
        : "Look at that folder, or choose another by --project",
      cause: error,
    });
  }
}

/** Says that it is enabled, so that the client may have it disabled in its own list. */
function toLink({ settings }: ServerDefinition, client: string): object {
  return { from: client, ...(settings.enabled ? { enabled: true } : {}) };
}

/** What the user has set for the server that is replaced, except whether it is used: it was just chosen. */
function settingsBeside(entry: object, old: JsonValue | undefined): object {
  if (!isJsonObject(old)) return {};
  const kept = Object.entries(old).filter(
    ([key]) => key !== "enabled" && SETTING_KEYS.has(key) && !(key in entry),
  );
  return Object.fromEntries(kept);
}

const SETTING_KEYS = new Set([...Object.keys(DEFAULT_SETTINGS), "includeTools", "excludeTools"]);

/** Settings for a server of `.mcp.json`, without a way to reach one. */
export function isOverlay(entry: JsonValue | undefined): entry is JsonObject {
  return isJsonObject(entry) && !["command", "url", "from"].some((key) => key in entry);
}

/** As the config is read: `env` and `headers` are merged, the rest is replaced. */
function laidOver(entry: { env?: object; headers?: object }, overlay: JsonObject): object {
  const { env, headers } = overlay;
  return {
    ...entry,
    ...overlay,
    ...(isJsonObject(env) ? { env: { ...entry.env, ...env } } : {}),
    ...(isJsonObject(headers) ? { headers: { ...entry.headers, ...headers } } : {}),
  };
}

/** The server as an entry of `servers`. */
export function toEntry({ transport, settings }: ServerDefinition): object {
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
