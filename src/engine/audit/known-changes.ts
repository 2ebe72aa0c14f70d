import type { CatalogEntry } from "../../catalog/entry.ts";
import { isRecord } from "../../text/is-record.ts";
import type { KnownFile } from "./known-file.ts";
import { type ToolHashes, toListed, toolChanges } from "./tool-changes.ts";
import { type AuditTrail, commitSoon } from "./trail.ts";

/** What policy, config and tools were when they were last looked at, by any process of the project. */
type Known = {
  readonly format: typeof FORMAT;
  /** Of each way in which processes are configured, by its hash: those of now, the latest last. */
  readonly sources: ReadonlyMap<string, Versions>;
  /** The log was turned off since. */
  readonly isOff?: true;
  readonly servers: Readonly<Record<string, ToolHashes>>;
};

type Versions = { readonly policy: string; readonly config: string };

const FORMAT = 1;
const NOTHING: Known = { format: FORMAT, sources: new Map(), servers: {} };
const MAX_SOURCES = 64;

export type KnownChanges = {
  /** Tells what is other than it was, each once among all processes. */
  look(entries: readonly CatalogEntry[]): Promise<void>;
};

export type InForce = Versions & {
  /** What may go on beside others of the project that are configured otherwise: each has versions of its own. */
  readonly source: string;
};

/**
 * Where nothing is known, all of it is new. What a process was started with it tells once: when another one has something newer,
 * nothing has changed back. So it is with the tools of a server that it has told of.
 */
export function createKnownChanges(
  trail: AuditTrail,
  file: KnownFile,
  { source, policy, config }: InForce,
): KnownChanges {
  let isStartTold = false;
  const toldTools = new Map<string, readonly ToolHash[]>();

  const isNews = ({ name, record }: CatalogEntry) =>
    record !== undefined && !isSameList(toldTools.get(name), record.tools);

  function tellStart(before: Known | undefined): void {
    const known = before?.sources.get(source);
    // What another one has is nothing new to the log.
    const isNew = (name: keyof Versions, now: string) =>
      known === undefined
        ? ![...(before?.sources.values() ?? [])].some((one) => one[name] === now)
        : known[name] !== now;
    if (isNew("policy", policy))
      trail.add({
        action: "policy.changed",
        outcome: "ok",
        details: { policy, ...previous(known?.policy), source },
      });
    if (isNew("config", config) || before?.isOff)
      trail.add({
        action: "config.changed",
        outcome: "ok",
        details: { config, ...previous(known?.config), source },
      });
  }

  function tellChanges(before: Known | undefined, entries: readonly CatalogEntry[]): Known {
    if (!isStartTold) tellStart(before);
    const servers: Record<string, ToolHashes> = { ...before?.servers };
    for (const { name, record } of entries.filter(isNews)) {
      if (record === undefined) continue;
      const now = toHashes(record.tools);
      const known = ownHashes(before, name);
      if (known === undefined) trail.add(toListed(name, now));
      else for (const event of toolChanges(name, known, now)) trail.add(event);
      servers[name] = now;
    }
    commitSoon(trail);
    const sources = new Map(before?.sources);
    if (!isStartTold) {
      sources.delete(source);
      sources.set(source, { policy, config });
    }
    return { format: FORMAT, sources: new Map([...sources].slice(-MAX_SOURCES)), servers };
  }

  function isSame(known: Known | undefined, entries: readonly CatalogEntry[]): boolean {
    const versions = known?.sources.get(source);
    if (!isStartTold && (versions?.policy !== policy || versions.config !== config || known?.isOff))
      return false;
    return entries.filter(isNews).every(({ name, record }) => {
      const before = ownHashes(known, name);
      return before !== undefined && isSameList(toToolHashes(before), record?.tools ?? []);
    });
  }

  return {
    async look(entries) {
      if (!isSame(parseKnown(await file.read()), entries))
        await file.update((current) => toJson(tellChanges(parseKnown(current), entries)));
      isStartTold = true;
      for (const { name, record } of entries) if (record !== undefined) toldTools.set(name, record.tools);
    },
  };
}

/** Has it told once that the log is off, until it is on again; where nothing was written down before, only what is news. */
export async function noteAuditOff(
  file: KnownFile,
  { isNews }: { readonly isNews: boolean },
  tell: () => Promise<void>,
): Promise<void> {
  const known = parseKnown(await file.read());
  if (known === undefined ? !isNews : known.isOff) return;
  await tell();
  await file.update((current) => toJson({ ...(parseKnown(current) ?? NOTHING), isOff: true }));
}

const previous = (hash: string | undefined) => (hash === undefined ? {} : { previous: hash });

type ToolHash = { readonly name: string; readonly hash: string };

function isSameList(before: readonly ToolHash[] | undefined, now: readonly ToolHash[]): boolean {
  if (before === now) return true;
  if (before?.length !== now.length) return false;
  const known = new Map(before.map(({ name, hash }) => [name, hash]));
  return now.every(({ name, hash }) => known.get(name) === hash);
}

function toToolHashes(hashes: ToolHashes): ToolHash[] {
  return Object.entries(hashes).map(([name, hash]) => ({ name, hash }));
}

function toHashes(tools: readonly ToolHash[]): ToolHashes {
  // Names are the servers' own: none of them may be the prototype.
  return Object.assign(Object.create(null), Object.fromEntries(tools.map(({ name, hash }) => [name, hash])));
}

function ownHashes(known: Known | undefined, server: string): ToolHashes | undefined {
  return known !== undefined && Object.hasOwn(known.servers, server) ? known.servers[server] : undefined;
}

function parseKnown(value: unknown): Known | undefined {
  if (!isRecord(value) || value["format"] !== FORMAT || !isRecord(value["servers"])) return undefined;
  const servers = Object.entries(value["servers"]).map(([name, hashes]) => [
    name,
    Object.fromEntries(
      Object.entries(isRecord(hashes) ? hashes : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
  ]);
  return {
    format: FORMAT,
    sources: parseSources(value["sources"]),
    ...(value["isOff"] === true && { isOff: true as const }),
    servers: Object.fromEntries(servers),
  };
}

function parseSources(value: unknown): ReadonlyMap<string, Versions> {
  return new Map(
    (Array.isArray(value) ? value : []).flatMap((entry): [string, Versions][] => {
      if (!isRecord(entry)) return [];
      const { source, policy, config } = entry;
      const isKnown = [source, policy, config].every((one) => typeof one === "string");
      return isKnown ? [[String(source), { policy: String(policy), config: String(config) }]] : [];
    }),
  );
}

function toJson({ sources, ...known }: Known): unknown {
  return { ...known, sources: [...sources].map(([source, versions]) => ({ source, ...versions })) };
}
