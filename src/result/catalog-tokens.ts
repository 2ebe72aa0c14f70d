import { setImmediate } from "node:timers/promises";
import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { loadTokenCounter } from "./tokens.ts";

/** So many definitions take some 10 ms; then others get their turn. */
const BATCH = 100;

const tokensByTool = new Map<string, number>();
const tokensByServer = new WeakMap<ServerRecord, number>();

/**
 * What the definitions of all tools cost in a model's context. Each definition is counted once as long as its hash stays
 * the same, each server's sum once as long as its record does: 3,500 tools take 0.3 s the first time, nothing after that.
 */
export async function countCatalogTokens(servers: readonly ServerRecord[]): Promise<number> {
  let sum = 0;
  for (const server of servers) sum += tokensByServer.get(server) ?? (await countServer(server));
  return sum;
}

/** A definition as clients put it before a model: name, description and input schema; nothing else of it is shown. */
export function toDefinitionText(tool: ToolRecord): string {
  const { description, inputSchema } = tool;
  return JSON.stringify({ name: `${tool.server}__${tool.name}`, description, input_schema: inputSchema });
}

async function countServer(server: ServerRecord): Promise<number> {
  const counter = await loadTokenCounter();
  let sum = 0;
  let counted = 0;
  for (const tool of server.tools) {
    const key = tool.hash === "" ? undefined : JSON.stringify([tool.server, tool.name, tool.hash]);
    let tokens = key === undefined ? undefined : tokensByTool.get(key);
    if (tokens === undefined) {
      tokens = counter.count(toDefinitionText(tool));
      if (key !== undefined) tokensByTool.set(key, tokens);
      if (++counted % BATCH === 0) await setImmediate();
    }
    sum += tokens;
  }
  tokensByServer.set(server, sum);
  return sum;
}
