import { createHash } from "node:crypto";
import type { NewEvent } from "../../audit/event.ts";

/** Of definitions, by the tool's name. */
export type ToolHashes = Readonly<Record<string, string>>;

/** A server that was not known before is one event, however many tools it has. */
export function toListed(server: string, now: ToolHashes): NewEvent {
  const all = Object.entries(now);
  const details = { change: "listed", tools: all.length, definition: hashAll(all) } as const;
  return { action: "tool.changed", server, outcome: "ok", details };
}

/** The first few one by one; of more, how many and one hash of all: a server can rename all that it has as often as it likes. */
export function* toolChanges(server: string, before: ToolHashes, now: ToolHashes): Iterable<NewEvent> {
  const rest = { added: [], changed: [], removed: [] } as Record<OneChange["change"], OneChange[]>;
  let named = 0;
  for (const one of compareTools(before, now)) {
    if (named++ >= MAX_NAMED_TOOLS) {
      rest[one.change].push(one);
      continue;
    }
    const { tool, ...details } = one;
    yield { action: "tool.changed", server, tool, outcome: "ok", details };
  }
  for (const change of ["added", "changed", "removed"] as const) {
    const more = rest[change];
    if (more.length === 0) continue;
    const ofAll = (key: "definition" | "previous") =>
      more[0]?.[key] === undefined ? {} : { [key]: hashAll(more.map((one) => [one.tool, one[key] ?? ""])) };
    const details = { change, tools: more.length, ...ofAll("definition"), ...ofAll("previous") };
    yield { action: "tool.changed", server, outcome: "ok", details };
  }
}

type OneChange = {
  readonly tool: string;
  readonly change: "added" | "changed" | "removed";
  readonly definition?: string;
  readonly previous?: string;
};

const MAX_NAMED_TOOLS = 50;

function* compareTools(before: ToolHashes, now: ToolHashes): Iterable<OneChange> {
  for (const [tool, definition] of Object.entries(now)) {
    const was = Object.hasOwn(before, tool) ? before[tool] : undefined;
    if (was === undefined) yield { tool, change: "added", definition };
    else if (was !== definition) yield { tool, change: "changed", definition, previous: was };
  }
  for (const [tool, was] of Object.entries(before))
    if (!Object.hasOwn(now, tool)) yield { tool, change: "removed", previous: was };
}

function hashAll(named: readonly (readonly [name: string, hash: string])[]): string {
  const all = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}
