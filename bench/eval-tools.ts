import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServerNames, toIdentifiers, toServerNames } from "../src/catalog/names.ts";
import type { Annotations, JsonSchema, ServerRecord, ToolRecord } from "../src/catalog/tool.ts";
import { isRecord } from "../src/text/is-record.ts";
import { MissingDataError } from "./suite.ts";

export type RawTool = { readonly [key: string]: unknown };

export type EvalServers = {
  readonly servers: ServerRecord[];
  /** How many definitions the files hold; a name that a server lists twice is one tool. */
  readonly definitions: number;
};

/** Every tool of the evaluation data, as the catalogue would hand it on. */
export async function loadEvalServers(dataDir: string): Promise<EvalServers> {
  const servers = new Map<string, RawTool[]>();
  const add = (server: string, tools: readonly RawTool[]) => {
    servers.set(server, [...(servers.get(server) ?? []), ...tools]);
  };
  for (const line of (await read(dataDir, "toucan/full_schema_servers.jsonl")).split("\n")) {
    const server: unknown = line === "" ? undefined : JSON.parse(line);
    if (isRecord(server)) add(`toucan-${String(server["server"])}`, toTools(server["tools"]));
  }
  for (const tool of toTools(JSON.parse(await read(dataDir, "livemcpbench/tools_flat.json")))) {
    add(`live-${String(tool["server"])}`, [tool]);
  }
  add("github", toTools(JSON.parse(await read(dataDir, "github/github_tools.json"))));
  add("azure", toTools(JSON.parse(await read(dataDir, "azure_2025_08/tools_flat.json"))));
  for (const file of (await readdir(join(dataDir, "reference_servers"))).sort()) {
    const list: unknown = JSON.parse(await read(dataDir, join("reference_servers", file)));
    if (isRecord(list)) add(`reference-${file.replace(/\.json$/, "")}`, toTools(list["tools"]));
  }
  const names = toServerNames([...servers.keys()]);
  return {
    servers: [...servers].map(([name, tools]) => toServer(name, tools, names.get(name))),
    definitions: [...servers.values()].reduce((sum, tools) => sum + tools.length, 0),
  };
}

export function toServer(
  name: string,
  raw: readonly RawTool[],
  given: ServerNames = { identifiers: { typescript: name, python: name }, folder: name },
): ServerRecord {
  const names = raw.map((tool) => String(tool["name"]));
  const typescript = toIdentifiers(names, "typescript");
  const python = toIdentifiers(names, "python");
  const tools = new Map([...raw].reverse().map((tool) => [String(tool["name"]), tool]));
  const records = [...tools].reverse().map(([tool, definition]): ToolRecord => {
    const annotations = isRecord(definition["annotations"]) ? definition["annotations"] : {};
    return {
      server: name,
      name: tool,
      identifiers: { typescript: typescript.get(tool) ?? tool, python: python.get(tool) ?? tool },
      description: typeof definition["description"] === "string" ? definition["description"] : "",
      inputSchema: toSchema(definition["inputSchema"]),
      ...(isRecord(definition["outputSchema"]) ? { outputSchema: definition["outputSchema"] } : {}),
      annotations: {
        readOnly: annotations["readOnlyHint"] === true,
        destructive: annotations["destructiveHint"] !== false,
        idempotent: annotations["idempotentHint"] === true,
        openWorld: annotations["openWorldHint"] !== false,
      },
      declared: toDeclared(annotations),
      trusted: false,
      hash: "",
      since: "",
      warnings: [],
    };
  });
  return { name, ...given, tools: records };
}

function toDeclared(annotations: RawTool): Partial<Annotations> {
  const said = (["readOnly", "destructive", "idempotent", "openWorld"] as const).flatMap((key) => {
    const value = annotations[`${key}Hint`];
    return typeof value === "boolean" ? [[key, value]] : [];
  });
  return Object.fromEntries(said);
}

function toSchema(value: unknown): JsonSchema {
  return isRecord(value) ? value : true;
}

export function toTools(value: unknown): RawTool[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export async function read(dataDir: string, file: string): Promise<string> {
  try {
    return await readFile(join(dataDir, file), "utf8");
  } catch {
    throw new MissingDataError(
      `Cannot read "${join(dataDir, file)}": this suite needs the evaluation data, see --data`,
    );
  }
}
