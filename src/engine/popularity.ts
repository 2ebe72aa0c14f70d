import type { RunCall } from "./engine.ts";
import type { Journal } from "./journal.ts";

/** How often this user's programs called each tool. */
export type Popularity = {
  /** Reads what the journal knows; until then nothing was ever called. */
  load(): Promise<void>;
  add(calls: readonly RunCall[]): void;
  calls(server: string, tool: string): number;
};

export function createPopularity(journal: Pick<Journal, "read">): Popularity {
  const counts = new Map<string, number>();
  let loading: Promise<void> | undefined;

  function count(calls: readonly RunCall[]): void {
    // A call that failed is no reason to suggest the tool again.
    for (const { server, tool, ok } of calls) {
      if (ok) counts.set(keyOf(server, tool), (counts.get(keyOf(server, tool)) ?? 0) + 1);
    }
  }

  return {
    load() {
      loading ??= journal.read().then((entries) => {
        for (const { calls } of entries) count(calls);
      });
      return loading;
    },
    // Before the journal was read, what is added will be in it.
    add: (calls) => (loading === undefined ? undefined : count(calls)),
    calls: (server, tool) => counts.get(keyOf(server, tool)) ?? 0,
  };
}

function keyOf(server: string, tool: string): string {
  return `${server}\n${tool}`;
}
