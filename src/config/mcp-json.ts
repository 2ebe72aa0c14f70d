import { join } from "node:path";
import { exists, isTrustedAbove, type Places, upwards } from "./places.ts";
import type { ServerReader } from "./read-servers.ts";
import { COMMON_KEYS, INERT_KEYS, readCommonServer, UNSUPPORTED_KEYS } from "./read-transport.ts";
import { foreignReferences } from "./variables.ts";

export const MCP_JSON = ".mcp.json";

/** The shape of Claude Code's files. Its variables are ours. */
export const mcpJsonReader: ServerReader = {
  client: "mcp-json",
  keys: COMMON_KEYS,
  inert: INERT_KEYS,
  unsupported: UNSUPPORTED_KEYS,
  convert(text, _key, note) {
    for (const written of foreignReferences(text))
      note(`"${written}" is no variable here and stays as it is`);
    return text;
  },
  read: readCommonServer,
};

/** The nearest `.mcp.json` from the project's folder upwards. */
export async function findMcpJson({
  projectDir,
  platform,
}: Places): Promise<{ file?: string; notices: string[] }> {
  const notices: string[] = [];
  for (const dir of upwards(projectDir)) {
    const file = join(dir, MCP_JSON);
    if (!(await exists(file))) continue;
    if (dir === projectDir || (await isTrustedAbove(file, platform))) return { file, notices };
    notices.push(`Ignored "${file}": it stands above the project and belongs to another user`);
  }
  return { notices };
}
