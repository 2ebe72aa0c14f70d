import { join } from "node:path";
import { appDataDir, type Places } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { COMMON_KEYS, INERT_KEYS, readCommonServer, UNSUPPORTED_KEYS } from "../read-transport.ts";
import { toLiteral } from "../variables.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";

/** Expands no variables: a `${X}` in an argument is for the server to read, as mcp-remote does. */
const reader: ServerReader = {
  client: "claude-desktop",
  keys: COMMON_KEYS,
  inert: INERT_KEYS,
  unsupported: UNSUPPORTED_KEYS,
  convert: toLiteral,
  read: readCommonServer,
};

export function findClaudeDesktop(places: Places): Promise<FoundConfig[]> {
  return readClientFile({
    client: "claude-desktop",
    file: join(appDataDir(places), "Claude", "claude_desktop_config.json"),
    scopes: () => [{ scope: "user", path: ["mcpServers"], reader }],
  });
}
