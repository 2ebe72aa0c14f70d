import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { finishInSlices, type Work } from "../text/slices.ts";
import { loadTokenCounter, type TokenCounter } from "./tokens.ts";

/** Of a longer definition so much is counted, the rest in proportion. */
const MAX_COUNTED = 20_000;
const MAX_KNOWN = 50_000;
/** What stands around the name and the description of a definition that is not counted yet. */
const ROUGH_FRAME_TOKENS = 40;
const ROUGH_CHARACTERS_PER_TOKEN = 4;

const tokensByHash = new Map<string, number>();
const tokensByTool = new WeakMap<ToolRecord, number>();
const tokensByServer = new WeakMap<ServerRecord, number>();

/**
 * What the definitions of all tools cost in a model's context. Each definition is counted once as long as its hash stays
 * the same, each server's sum once as long as its record does: 3,500 tools take 0.3 s the first time, nothing after that.
 * Only so much is counted in one go; what is left is guessed, and counted when it is next asked for.
 */
export async function countCatalogTokens(
  servers: readonly ServerRecord[],
  mostCharacters = Number.POSITIVE_INFINITY,
): Promise<number> {
  return finishInSlices(countAll(servers, { counter: await loadTokenCounter(), left: mostCharacters }));
}

/** A definition as clients put it before a model: name, description and input schema; nothing else of it is shown. */
export function toDefinitionText(tool: ToolRecord): string {
  const { description, inputSchema } = tool;
  return JSON.stringify({ name: `${tool.server}__${tool.name}`, description, input_schema: inputSchema });
}

type Counting = { readonly counter: TokenCounter; left: number };

function* countAll(servers: readonly ServerRecord[], counting: Counting): Work<number> {
  let sum = 0;
  for (const server of servers) sum += tokensByServer.get(server) ?? (yield* countServer(server, counting));
  return sum;
}

function* countServer(server: ServerRecord, counting: Counting): Work<number> {
  let sum = 0;
  let isGuessed = false;
  for (const tool of server.tools) {
    const known = tokensByTool.get(tool) ?? knownByHash(tool);
    if (known !== undefined) sum += known;
    else if (counting.left > 0) sum += count(tool, counting);
    else {
      isGuessed = true;
      sum += guess(tool);
    }
    yield;
  }
  if (!isGuessed) tokensByServer.set(server, sum);
  return sum;
}

function count(tool: ToolRecord, counting: Counting): number {
  const text = toDefinitionText(tool);
  counting.left -= text.length;
  const share = Math.max(1, text.length / MAX_COUNTED);
  const tokens = Math.round(counting.counter.count(text.slice(0, MAX_COUNTED)) * share);
  const key = toKey(tool);
  tokensByTool.set(tool, tokens);
  if (tokensByHash.size >= MAX_KNOWN) tokensByHash.clear();
  if (key !== undefined) tokensByHash.set(key, tokens);
  return tokens;
}

function guess({ name, description }: ToolRecord): number {
  const characters = name.length + description.length;
  return ROUGH_FRAME_TOKENS + Math.ceil(characters / ROUGH_CHARACTERS_PER_TOKEN);
}

function knownByHash(tool: ToolRecord): number | undefined {
  const key = toKey(tool);
  return key === undefined ? undefined : tokensByHash.get(key);
}

function toKey({ server, name, hash }: ToolRecord): string | undefined {
  return hash === "" ? undefined : JSON.stringify([server, name, hash]);
}
