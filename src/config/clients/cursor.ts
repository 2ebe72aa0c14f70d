import { join } from "node:path";
import type { Places } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { COMMON_KEYS, INERT_KEYS, readCommonServer, UNSUPPORTED_KEYS } from "../read-transport.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";
import { convertEditorText } from "./editor-variables.ts";

/** The project's file wins over the one of the home folder. */
export async function findCursor(places: Places): Promise<FoundConfig[]> {
  const reader: ServerReader = {
    client: "cursor",
    keys: COMMON_KEYS,
    inert: INERT_KEYS,
    unsupported: UNSUPPORTED_KEYS,
    convert: (text, _key, note) => convertEditorText(text, { places }, note),
    read: readCommonServer,
  };
  const read = (dir: string, scope: string) =>
    readClientFile({
      client: "cursor",
      file: join(dir, ".cursor", "mcp.json"),
      scopes: () => [{ scope, path: ["mcpServers"], reader }],
    });
  const project = await read(places.projectDir, "project");
  return places.projectDir === places.homeDir
    ? project
    : [...project, ...(await read(places.homeDir, "user"))];
}
