import type { JsonSchema, ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { SkillsHeader } from "./told-skills.ts";

/** What the process that reads programs knows of a server from the beginning. Schemas are asked for: a catalogue has many. */
export type ServerNamesOnly = Pick<ServerRecord, "name" | "identifiers" | "folder"> & {
  /** Name, TypeScript and Python. */
  readonly tools: readonly (readonly [string, string, string])[];
};

/** What it asks for. */
export type ToolTypes = Pick<
  ToolRecord,
  "inputSchema" | "hasUnusableInput" | "outputSchema" | "observed" | "contradictions"
>;

export type ToolName = readonly [server: string, tool: string];

/** What the host says. */
export type FromHost =
  | {
      readonly kind: "news";
      readonly order: readonly string[];
      readonly changed: readonly ServerNamesOnly[];
      readonly unavailable: readonly (readonly [string, string])[];
      /** Of these something was learned since. */
      readonly stale: readonly ToolName[];
    }
  | { readonly kind: "types"; readonly tools: readonly (readonly [...ToolName, ToolTypes])[] }
  | SkillsHeader
  | { readonly kind: "read"; readonly types: boolean; readonly skill?: string };

export function toNames({ name, identifiers, folder, tools }: ServerRecord): ServerNamesOnly {
  return {
    name,
    identifiers,
    folder,
    tools: tools.map((tool) => [tool.name, tool.identifiers.typescript, tool.identifiers.python]),
  };
}

export function toTypes(tool: ToolRecord): ToolTypes {
  const { inputSchema, hasUnusableInput, outputSchema, observed, contradictions } = tool;
  return {
    inputSchema,
    ...(hasUnusableInput && { hasUnusableInput }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(observed && { observed }),
    ...(contradictions && { contradictions }),
  };
}

const ANYTHING: JsonSchema = true;

/** A record that has of its tools what is known by now. */
export function toRecord(
  { tools, ...server }: ServerNamesOnly,
  typesOf: (tool: ToolName) => ToolTypes | undefined,
): ServerRecord {
  const records = tools.map(([name, typescript, python]): ToolRecord => {
    const key: ToolName = [server.name, name];
    return {
      server: server.name,
      name,
      identifiers: { typescript, python },
      description: "",
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      trusted: false,
      hash: "",
      since: "",
      warnings: [],
      get inputSchema() {
        return typesOf(key)?.inputSchema ?? ANYTHING;
      },
      get hasUnusableInput() {
        return typesOf(key)?.hasUnusableInput;
      },
      get outputSchema() {
        return typesOf(key)?.outputSchema;
      },
      get observed() {
        return typesOf(key)?.observed;
      },
      get contradictions() {
        return typesOf(key)?.contradictions;
      },
    };
  });
  return { ...server, tools: records };
}
