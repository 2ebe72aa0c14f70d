import type { Host } from "../sandbox.ts";
import { createServerQueue, type ServerQueue } from "../server-queue.ts";
import { readNames, type ToolNames } from "./guest-words.ts";
import { endOfString } from "./json-weight.ts";

/** `["` before a name, `","` between two. */
const OPENING = 2;
const BETWEEN = 3;
/** Of both names as they are written; an escape takes six bytes. */
const MAX_START = 8_000;
/** So much is worth keeping, and so many. */
const MAX_KNOWN_START = 200;
const MAX_KNOWN = 1_000;

export type FoundQueue = {
  readonly queue: ServerQueue;
  /** By which it was found; nothing where the bytes do not begin with two names. */
  readonly names: ToolNames | undefined;
};

/** Finds out in which queue the calls of one program wait, by the first bytes of each: the rest is read when it is its turn. */
export function createQueueFinder(host: Pick<Host, "queueOf">, maxCalls: number) {
  const known = new Map<string, FoundQueue>();
  /** Of servers that have no queue for all programs, by the names that this one has for them. */
  const unshared = new Map<string, ServerQueue>();

  function find(start: string): FoundQueue {
    const names = readNames(start);
    const shared = names && host.queueOf?.(names.server, names.tool);
    if (shared) return { queue: shared, names };
    const key = names?.server ?? "";
    const queue = unshared.get(key) ?? createServerQueue(maxCalls);
    if (unshared.size >= MAX_KNOWN) unshared.clear();
    unshared.set(key, queue);
    return { queue, names };
  }

  return {
    /** Of Keyhole's own tools. */
    own: { queue: createServerQueue(maxCalls), names: undefined },
    ofCall(payload: Buffer): FoundQueue {
      const end = endOfString(payload, endOfString(payload, OPENING) + BETWEEN) + 1;
      const start = payload.toString("utf8", 0, Math.min(end, MAX_START));
      const before = known.get(start);
      if (before) return before;
      const found = find(start);
      if (known.size >= MAX_KNOWN) known.clear();
      if (start.length <= MAX_KNOWN_START) known.set(start, found);
      return found;
    },
  };
}
