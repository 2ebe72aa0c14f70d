import { toInlineLayer } from "./inline-layer.ts";
import { type ConfigOptions, type LoadedConfig, withoutItself } from "./load.ts";
import { mergeLayers } from "./own-config.ts";
import { toPlaces } from "./places.ts";
import type { ServerEntry } from "./schema.ts";
import type { Brought } from "./trust/brought.ts";
import { loadLedger } from "./trust/ledger.ts";
import { untrustedNotice } from "./trust/untrusted-notice.ts";

/** What holds where no file is read. */
export async function noFiles({ projectDir, inline }: ConfigOptions): Promise<LoadedConfig> {
  const layers = { inline, user: undefined, own: undefined, inMcpJson: undefined };
  const { config, policies, notices } = await mergeLayers(layers);
  return {
    projectDir,
    config,
    policies,
    notices,
    servers: [],
    invalidServers: [],
    usersChannels: config.approval.channels,
    brought: [],
    files: [],
  };
}

/**
 * Lays servers that were handed over as values over those of the files, by the rules of `servers` in `keyhole.config`. They are the
 * caller's own and trusted; what they are laid over, or taken from, in the project is not by that.
 */
export async function addInlineServers(
  loaded: LoadedConfig,
  servers: unknown,
  options: ConfigOptions,
): Promise<LoadedConfig> {
  const layer = toInlineLayer({ servers });
  const places = toPlaces(options);
  const { validateConfig } = await import("./validate.ts");
  const { applyConfigured } = await import("./configured-servers.ts");
  const { servers: entries } = validateConfig(layer.document, layer.block);
  const configured = Object.entries(entries).map(([name, entry]) => ({ name, entry, layer }));
  const applied = await applyConfigured(configured, loaded, places);
  const list = withoutItself(applied);
  if (options.trust === true) return { ...loaded, ...list };

  const linked = list.servers.filter(({ name }) => applied.linkedInProject.has(name));
  const found = { list, ofProject: new Map(linked.map((definition) => [definition.name, { definition }])) };
  const { judgeServers } = await import("./trust/judge-servers.ts");
  const judged = await judgeServers(found, await loadLedger(places), places);
  const brought = [...keepBrought(loaded.brought, entries), ...judged.brought];
  const told = untrustedNotice(loaded.brought, places.projectDir);
  const notices = judged.list.notices.filter((text) => !told.includes(text));
  return {
    ...loaded,
    ...judged.list,
    brought,
    notices: [...notices, ...untrustedNotice(brought, places.projectDir)],
  };
}

/** A server that was replaced is the project's no more. One that got other settings is not to be used without them. */
function keepBrought(
  brought: readonly Brought[],
  entries: Readonly<Record<string, Partial<ServerEntry>>>,
): Brought[] {
  return brought.flatMap((item): Brought[] => {
    const entry =
      item.kind === "server" && Object.hasOwn(entries, item.name) ? entries[item.name] : undefined;
    if (entry === undefined) return [item];
    if ((entry.command ?? entry.url ?? entry.from) !== undefined) return [];
    const { definition: _, ...rest } = item;
    return [rest];
  });
}
