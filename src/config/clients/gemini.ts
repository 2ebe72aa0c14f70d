import { join } from "node:path";
import type { Places } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { INERT_KEYS, readHttp, readStdio, readType, UNSUPPORTED_KEYS } from "../read-transport.ts";
import type { HttpTarget, ServerSettings, StdioTarget } from "../server-definition.ts";
import type { WrittenServer } from "../written-server.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";

const reader: ServerReader = {
  client: "gemini",
  keys: [
    "type",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "httpUrl",
    "headers",
    "timeout",
    "trust",
    "includeTools",
    "excludeTools",
  ],
  inert: [...INERT_KEYS, "extension"],
  unsupported: { ...UNSUPPORTED_KEYS, authProviderType: "signing in by OAuth is not supported yet" },
  convert: (text, key) => convertBareVariables(text, key),
  read: (entry) => ({ transport: readTransport(entry), settings: readSettings(entry) }),
};

/** The project's file wins over the one of the home folder. */
export async function findGemini({ projectDir, homeDir }: Places): Promise<FoundConfig[]> {
  const read = (dir: string, scope: string) =>
    readClientFile({
      client: "gemini",
      file: join(dir, ".gemini", "settings.json"),
      scopes: () => [{ scope, path: ["mcpServers"], reader }],
    });
  const project = await read(projectDir, "project");
  return projectDir === homeDir ? project : [...project, ...(await read(homeDir, "user"))];
}

/**
 * Gemini CLI expands `$NAME` like `${NAME}`, and leaves an unset one as it stands. Where credentials are held an unset
 * one is better told; elsewhere, as in a shell command among the arguments, it stays.
 */
function convertBareVariables(text: string, key: string): string {
  const strict = key === "env" || key === "headers" || key === "url" || key === "httpUrl";
  return text.replace(/\$([A-Za-z_]\w*)/g, (written, name: string) =>
    strict ? `\${${name}}` : `\${${name}:-${written}}`,
  );
}

function readTransport(entry: WrittenServer): StdioTarget | HttpTarget {
  const given = ["command", "url", "httpUrl"].filter((key) => entry.has(key));
  if (given.length === 0) {
    entry.fail(
      "command",
      'is missing, and so are "url" and "httpUrl"',
      'Give the server a "command", "url" or "httpUrl"',
    );
  }
  // Gemini CLI's own order when several are given.
  if (entry.has("httpUrl")) return readHttp(entry, "httpUrl", "http");
  if (entry.has("url")) return readHttp(entry, "url", readType(entry) === "http" ? "http" : "sse");
  return readStdio(entry);
}

function readSettings(entry: WrittenServer): Partial<ServerSettings> {
  const timeoutMs = entry.duration("timeout", 1);
  const includeTools = entry.texts("includeTools");
  const excludeTools = entry.texts("excludeTools");
  // It says nothing about the server's annotations, so it is not our `trusted`.
  if (entry.flag("trust") === true) {
    entry.note("trust", 'key "trust" is ignored: it skips confirmations, and those are decided by Keyhole');
  }
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(includeTools === undefined ? {} : { includeTools }),
    ...(excludeTools === undefined ? {} : { excludeTools }),
  };
}
