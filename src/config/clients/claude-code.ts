import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../files/json-value.ts";
import type { KeyPath } from "../files/key-path.ts";
import { findMcpJson, mcpJsonReader } from "../mcp-json.ts";
import { type Places, upwards } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";

const reader: ServerReader = { ...mcpJsonReader, client: "claude-code" };

/** Local wins over project, project over user. */
export async function findClaudeCode(places: Places): Promise<FoundConfig[]> {
  const folders = await projectFolders(places.projectDir);
  const settings = await readClientFile({
    client: "claude-code",
    file: join(places.env["CLAUDE_CONFIG_DIR"] || places.homeDir, ".claude.json"),
    scopes: ({ data }) => {
      const local = isJsonObject(data) ? localPath(data, folders) : undefined;
      const user = { scope: "user", path: ["mcpServers"], reader };
      return local === undefined ? [user] : [{ scope: "local", path: local, reader }, user];
    },
  });
  const { file, notices } = await findMcpJson(places);
  const project =
    file === undefined
      ? []
      : await readClientFile({
          client: "claude-code",
          file,
          scopes: () => [{ scope: "project", path: ["mcpServers"], reader: mcpJsonReader }],
        });
  project[0]?.notices.push(...notices);
  const isLocal = (config: FoundConfig) => config.scope === "local";
  return [...settings.filter(isLocal), ...project, ...settings.filter((config) => !isLocal(config))];
}

/** The folder's own servers, else those of the nearest folder around it that has some. */
function localPath(data: JsonObject, folders: readonly string[]): KeyPath | undefined {
  const projects = data["projects"];
  if (!isJsonObject(projects)) return undefined;
  const keys = new Map(Object.keys(projects).map((key) => [toKey(key), key]));
  for (const folder of folders) {
    const key = keys.get(toKey(folder));
    const project = key === undefined ? undefined : projects[key];
    if (key === undefined || !isJsonObject(project)) continue;
    const servers = project["mcpServers"];
    if (isJsonObject(servers) && Object.keys(servers).length === 0) continue;
    if (servers !== undefined && servers !== null) return ["projects", key, "mcpServers"];
  }
  return undefined;
}

async function projectFolders(projectDir: string): Promise<string[]> {
  const real = await realpath(projectDir).catch(() => projectDir);
  return [...new Set([...upwards(projectDir), ...upwards(real)])];
}

/** On Windows the same folder is written with either slash. */
function toKey(folder: string): string {
  return folder.replaceAll("\\", "/").replace(/(.)\/$/, "$1");
}
