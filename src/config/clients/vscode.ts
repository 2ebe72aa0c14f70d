import { join } from "node:path";
import type { ConfigDocument } from "../files/document.ts";
import { isJsonObject, type JsonObject } from "../files/json-value.ts";
import { appDataDir, type Places } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { COMMON_KEYS, INERT_KEYS, readCommonServer, UNSUPPORTED_KEYS } from "../read-transport.ts";
import { toVariableName } from "../variables.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";
import { convertEditorText } from "./editor-variables.ts";

/** The workspace's file wins over the user's. */
export async function findVsCode(places: Places): Promise<FoundConfig[]> {
  const read = (file: string, scope: string) =>
    readClientFile({
      client: "vscode",
      file,
      scopes: (document) => {
        const inputs = inputsOf(document);
        return [{ scope, path: ["servers"], reader: readerFor(inputs, places), inputs }];
      },
    });
  return [
    ...(await read(join(places.projectDir, ".vscode", "mcp.json"), "workspace")),
    ...(await read(join(appDataDir(places), "Code", "User", "mcp.json"), "user")),
  ];
}

function inputsOf({ data }: ConfigDocument): JsonObject[] {
  const inputs = isJsonObject(data) ? data["inputs"] : undefined;
  return Array.isArray(inputs) ? inputs.filter(isJsonObject) : [];
}

function readerFor(items: readonly JsonObject[], places: Places): ServerReader {
  const inputs = readInputs(items);
  return {
    client: "vscode",
    keys: COMMON_KEYS,
    inert: [...INERT_KEYS, "dev"],
    unsupported: UNSUPPORTED_KEYS,
    convert: (text, _key, note) =>
      convertEditorText(text, { places, input: (id) => toVariable(id, inputs.get(id), note) }, note),
    read: readCommonServer,
  };
}

type Input = { description: string | undefined; fallback: string | undefined };

/** VS Code asks for an input and keeps it; here it is a variable of the environment. */
function toVariable(id: string, input: Input | undefined, note: (text: string) => void): string {
  const name = toVariableName(id);
  const fallback = input?.fallback === undefined || input.fallback.includes("}") ? undefined : input.fallback;
  const about = input?.description === undefined ? "" : ` (${input.description})`;
  const otherwise = fallback === undefined ? "" : "; without it the input's default holds";
  note(`set the variable ${name} for the input "${id}"${about}${otherwise}`);
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

function readInputs(items: readonly JsonObject[]): Map<string, Input> {
  const inputs = new Map<string, Input>();
  for (const item of items) {
    if (typeof item["id"] !== "string") continue;
    const { id, description, default: fallback } = item;
    inputs.set(id, {
      description: typeof description === "string" ? description : undefined,
      fallback: typeof fallback === "string" ? fallback : undefined,
    });
  }
  return inputs;
}
