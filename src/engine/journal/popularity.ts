import type { Database } from "../../store/database/sqlite.ts";

/** How often this user's programs called each tool. */
export type Popularity = {
  /** Reads what the journal knows; until then only this process's calls count. */
  load(): Promise<void>;
  calls(server: string, tool: string): number;
};

export type ToolCalls = readonly (readonly [server: string, tool: string, calls: number])[];

export function readToolCalls(db: Database): ToolCalls {
  const rows = db.all("SELECT server, tool, ok FROM tool_calls WHERE ok > 0");
  return rows.map(([server, tool, calls]) => [String(server), String(tool), Number(calls)] as const);
}

/** `read` tells what was written down before this process wrote anything: each server and tool with its calls. */
export function createPopularity(
  read: () => Promise<ToolCalls>,
): Popularity & { add(server: string, tool: string): void } {
  const counts = new Map<string, number>();
  let loading: Promise<void> | undefined;

  function add(server: string, tool: string, calls: number): void {
    const key = `${server}\n${tool}`;
    counts.set(key, (counts.get(key) ?? 0) + calls);
  }

  return {
    load() {
      loading ??= read().then((known) => {
        for (const [server, tool, calls] of known) add(server, tool, calls);
      });
      return loading;
    },
    add: (server, tool) => add(server, tool, 1),
    calls: (server, tool) => counts.get(`${server}\n${tool}`) ?? 0,
  };
}
