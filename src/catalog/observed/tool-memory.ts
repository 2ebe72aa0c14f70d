import type { ObservedType } from "../tool.ts";
import { emptyLearned, isEmpty, type Learned, weigh } from "./learned.ts";
import { MAX_PARTS } from "./settle.ts";

/** What is known of one tool, in one version of it. */
export type RememberedTool = {
  readonly key: string;
  /** As of the last reading or writing of the file; what is being written; what came since. */
  known: Learned;
  inFlight?: Learned;
  fresh: Learned;
  type?: { readonly calls: number; readonly json: string; readonly type: ObservedType };
};

/** What is known of tools, in memory: bounded in all and for each server, since servers say how many tools there are. */
export type ToolMemory = {
  find(server: string, tool: string): RememberedTool | undefined;
  /** Also makes it the one that was used last. */
  put(server: string, tool: string, entry: RememberedTool): void;
  /** Call it after an entry changed. It makes room: the tools that were not used for longest go. */
  recount(server: string, tool: string, entry: RememberedTool): void;
  /** Whether so much is not yet written that nothing may be added. */
  isFull(server: string): boolean;
  entriesOf(server: string): readonly (readonly [tool: string, entry: RememberedTool])[];
  retain(server: string, tools: ReadonlySet<string>): void;
  /** How large one tool of the server may be: less, once it has many large ones. */
  maxPartsOfTool(server: string): number;
  parts(): number;
};

export const MAX_PARTS_IN_ALL = 100_000;
export const MAX_PARTS_OF_SERVER = 50_000;
const FEWEST_PARTS_OF_TOOL = 250;
/** Of either bound: the rest is for what is written and can go at any time. */
const UNWRITTEN_SHARE = 0.5;

type Size = { parts: number; unwritten: number };
type Server = Size & { readonly entries: Map<string, RememberedTool> };

export function createToolMemory(): ToolMemory {
  const servers = new Map<string, Server>();
  const sizes = new WeakMap<RememberedTool, Size>();
  const all: Size = { parts: 0, unwritten: 0 };

  function resize(server: Server, entry: RememberedTool, to: Size): void {
    const from = sizes.get(entry) ?? { parts: 0, unwritten: 0 };
    for (const sum of [server, all]) {
      sum.parts += to.parts - from.parts;
      sum.unwritten += to.unwritten - from.unwritten;
    }
    sizes.set(entry, to);
  }

  function remove(server: Server, tool: string, entry: RememberedTool): void {
    resize(server, entry, { parts: 0, unwritten: 0 });
    server.entries.delete(tool);
  }

  function removeOldest(server: Server): boolean {
    for (const [tool, entry] of server.entries) {
      if (!isWritten(entry)) continue;
      remove(server, tool, entry);
      return true;
    }
    return false;
  }

  /** The server that holds most gives, so that none can drive out what was learned of another. */
  function makeRoom(server: Server): void {
    while (server.parts > MAX_PARTS_OF_SERVER && removeOldest(server));
    while (all.parts > MAX_PARTS_IN_ALL) {
      const largest = [...servers.values()].reduce((a, b) =>
        b.parts - b.unwritten > a.parts - a.unwritten ? b : a,
      );
      if (!removeOldest(largest)) return;
    }
  }

  function recount(name: string, tool: string, entry: RememberedTool): void {
    const server = servers.get(name);
    if (server?.entries.get(tool) !== entry) return;
    const parts = partsOf(entry).reduce((sum, part) => sum + weigh(part), 0);
    resize(server, entry, { parts, unwritten: isWritten(entry) ? 0 : parts });
    makeRoom(server);
  }

  return {
    find: (server, tool) => servers.get(server)?.entries.get(tool),
    put(name, tool, entry) {
      const server = servers.get(name) ?? { parts: 0, unwritten: 0, entries: new Map() };
      servers.set(name, server);
      const before = server.entries.get(tool);
      if (before !== undefined && before !== entry) remove(server, tool, before);
      server.entries.delete(tool);
      server.entries.set(tool, entry);
      if (before !== entry) recount(name, tool, entry);
    },
    recount,
    isFull: (server) =>
      all.unwritten >= MAX_PARTS_IN_ALL * UNWRITTEN_SHARE ||
      (servers.get(server)?.unwritten ?? 0) >= MAX_PARTS_OF_SERVER * UNWRITTEN_SHARE,
    entriesOf: (server) => [...(servers.get(server)?.entries ?? [])],
    retain(name, tools) {
      const server = servers.get(name);
      for (const [tool, entry] of server?.entries ?? [])
        if (server && !tools.has(tool)) remove(server, tool, entry);
    },
    maxPartsOfTool(name) {
      const server = servers.get(name);
      if (server === undefined || server.parts < MAX_PARTS_OF_SERVER / 2) return MAX_PARTS;
      const share = Math.floor(MAX_PARTS_OF_SERVER / server.entries.size);
      return Math.min(MAX_PARTS, Math.max(FEWEST_PARTS_OF_TOOL, share));
    },
    parts: () => all.parts,
  };
}

export function newEntry(key: string, known = emptyLearned()): RememberedTool {
  return { key, known, fresh: emptyLearned() };
}

export function partsOf({ known, inFlight, fresh }: RememberedTool): Learned[] {
  return inFlight ? [known, inFlight, fresh] : [known, fresh];
}

function isWritten({ inFlight, fresh }: RememberedTool): boolean {
  return inFlight === undefined && isEmpty(fresh);
}
