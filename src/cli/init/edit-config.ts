import { isDeepStrictEqual } from "node:util";
import type { ConfigFormat, ExistingConfig } from "./existing-config.ts";

/** Where the schema lies when Keyhole is installed in the project; editors pass over it where it is not. */
const SCHEMA_PATH = "./node_modules/keyhole-mcp/schema/keyhole.config.schema.json";

export type Entries = Record<string, object>;

export async function toNewText(servers: Entries, format: ConfigFormat): Promise<string> {
  if (format === "json") return toJson({ $schema: SCHEMA_PATH, servers });
  return `# yaml-language-server: $schema=${SCHEMA_PATH}\n${await toYaml({ servers })}`;
}

/** The existing config with these servers put in; everything else stays, in the same format the comments too. */
export async function toEditedText(
  existing: ExistingConfig,
  servers: Entries,
  format: ConfigFormat,
): Promise<string> {
  const data = { ...existing.data, servers: { ...existing.servers, ...servers } };
  if (format === existing.format) {
    const edited = await edit(existing, servers).catch(() => undefined);
    // Keys that occur twice, or a YAML alias, can make an edit miss: then the whole is written anew.
    if (edited !== undefined && (await means(edited, format, data))) return edited;
  }
  return format === "json" ? toJson(data) : toYaml(data);
}

async function edit({ text, format, data, servers: known }: ExistingConfig, servers: Entries) {
  const isEmpty = Object.keys(known).length === 0;
  const edits: [string[], object][] = isEmpty
    ? [[["servers"], servers]]
    : Object.entries(servers).map(([name, entry]) => [["servers", name], entry]);
  if (format === "json") {
    const { applyEdits, modify } = await import("jsonc-parser");
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    return edits.reduce(
      (before, [path, value]) => applyEdits(before, modify(before, path, value, { formattingOptions })),
      text,
    );
  }
  if (Object.keys(data).length === 0) return `${text.replace(/\n?$/, "\n")}${await toYaml({ servers })}`;
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { merge: true });
  for (const [path, value] of edits) document.setIn(path, document.createNode(value));
  return document.toString(YAML_OPTIONS);
}

async function means(text: string, format: ConfigFormat, data: object): Promise<boolean> {
  const parsed =
    format === "json"
      ? (await import("../../config/files/parse-json.ts")).parseJson(text)
      : (await import("../../config/files/parse-yaml.ts")).parseYaml(text);
  return isDeepStrictEqual(toPlain(parsed.data), toPlain(data));
}

/** The parsers make objects without a prototype, which count as different. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const YAML_OPTIONS = { lineWidth: 0 };

async function toYaml(data: object): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(data, { ...YAML_OPTIONS, aliasDuplicateObjects: false });
}

function toJson(data: object): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}
