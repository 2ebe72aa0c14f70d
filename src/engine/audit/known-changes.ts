import { createHash } from "node:crypto";
import type { NewEvent } from "../../audit/event.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { isRecord } from "../../text/is-record.ts";
import type { KnownFile } from "./known-file.ts";
import { type AuditTrail, commitSoon } from "./trail.ts";

/** What policy, config and tools were when they were last looked at, by any process of the project. */
type Known = {
  readonly format: typeof FORMAT;
  readonly policy?: string;
  readonly config?: string;
  /** The log was turned off since. */
  readonly isOff?: true;
  readonly servers: Readonly<Record<string, Hashes>>;
};

/** Of definitions, by the tool's name. */
type Hashes = Readonly<Record<string, string>>;

const FORMAT = 1;

export type KnownChanges = {
  /** Tells what is other than it was, each once among all processes. */
  look(entries: readonly CatalogEntry[]): Promise<void>;
};

export type InForce = { readonly policy: string; readonly config: string };

/** Where nothing is known, all of it is new. */
export function createKnownChanges(trail: AuditTrail, file: KnownFile, inForce: InForce): KnownChanges {
  function tellChanges(before: Known | undefined, entries: readonly CatalogEntry[]): Known {
    const { policy, config } = inForce;
    if (before?.policy !== policy)
      trail.add({
        action: "policy.changed",
        outcome: "ok",
        details: { policy, ...previous(before?.policy) },
      });
    if (before?.config !== config || before.isOff)
      trail.add({
        action: "config.changed",
        outcome: "ok",
        details: { config, ...previous(before?.config) },
      });
    const servers: Record<string, Hashes> = { ...before?.servers };
    for (const { name, record } of entries) {
      if (record === undefined) continue;
      const now = toHashes(record.tools);
      const known = ownHashes(before, name);
      if (known === undefined) trail.add(toListed(name, now));
      else for (const event of toolChanges(name, known, now)) trail.add(event);
      servers[name] = now;
    }
    commitSoon(trail);
    return { format: FORMAT, policy, config, servers };
  }

  function isSame(known: Known | undefined, entries: readonly CatalogEntry[]): boolean {
    if (known?.policy !== inForce.policy || known.config !== inForce.config || known.isOff) return false;
    return entries.every(({ name, record }) => {
      if (record === undefined) return true;
      const before = ownHashes(known, name);
      const { tools } = record;
      return (
        before !== undefined &&
        tools.length === Object.keys(before).length &&
        tools.every((tool) => Object.hasOwn(before, tool.name) && before[tool.name] === tool.hash)
      );
    });
  }

  return {
    async look(entries) {
      if (isSame(parseKnown(await file.read()), entries)) return;
      await file.update((current) => tellChanges(parseKnown(current), entries));
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
  await file.update(
    (current): Known => ({ ...(parseKnown(current) ?? { format: FORMAT, servers: {} }), isOff: true }),
  );
}

/** A server that was not known before is one event, however many tools it has. */
function toListed(server: string, now: Hashes): NewEvent {
  const all = Object.entries(now).sort(([one], [other]) => (one < other ? -1 : 1));
  const definition = createHash("sha256").update(JSON.stringify(all)).digest("hex");
  const details = { change: "listed", tools: all.length, definition } as const;
  return { action: "tool.changed", server, outcome: "ok", details };
}

function* toolChanges(server: string, before: Hashes, now: Hashes): Iterable<NewEvent> {
  const changed = (tool: string, details: Extract<NewEvent, { action: "tool.changed" }>["details"]) =>
    ({ action: "tool.changed", server, tool, outcome: "ok", details }) as const;
  for (const [tool, definition] of Object.entries(now)) {
    const was = Object.hasOwn(before, tool) ? before[tool] : undefined;
    if (was === undefined) yield changed(tool, { change: "added", definition });
    else if (was !== definition) yield changed(tool, { change: "changed", definition, previous: was });
  }
  for (const [tool, was] of Object.entries(before))
    if (!Object.hasOwn(now, tool)) yield changed(tool, { change: "removed", previous: was });
}

const previous = (hash: string | undefined) => (hash === undefined ? {} : { previous: hash });

function toHashes(tools: readonly { readonly name: string; readonly hash: string }[]): Hashes {
  // Names are the servers' own: none of them may be the prototype.
  return Object.assign(Object.create(null), Object.fromEntries(tools.map(({ name, hash }) => [name, hash])));
}

function ownHashes(known: Known | undefined, server: string): Hashes | undefined {
  return known !== undefined && Object.hasOwn(known.servers, server) ? known.servers[server] : undefined;
}

function parseKnown(value: unknown): Known | undefined {
  if (!isRecord(value) || value["format"] !== FORMAT || !isRecord(value["servers"])) return undefined;
  const { policy, config } = value;
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
    ...(typeof policy === "string" && { policy }),
    ...(typeof config === "string" && { config }),
    ...(value["isOff"] === true && { isOff: true as const }),
    servers: Object.fromEntries(servers),
  };
}
