import type { ServerNames } from "./names.ts";

/** A JSON Schema that came from a server: untrusted, but already bounded in size and depth. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** What a server says of a tool's effects, with the protocol's defaults filled in. */
export type Annotations = {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
};

/** A tool as one server describes it, checked and bounded. */
export type ToolDefinition = {
  /** The server's own name for the tool: what goes over the wire and what `callMCPTool` takes. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The server's own one is missing or can't be used: nobody knows what it takes. */
  readonly hasUnusableInput?: true;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Annotations;
  /** What the server itself said of them, nothing filled in. */
  readonly declared?: Partial<Annotations>;
  /** Of the definition as the server sent it. */
  readonly hash: string;
  /** What had to be mended to use the definition. */
  readonly warnings: readonly string[];
};

/** A tool as the catalogue has it: what its server says of it, and what we know besides. */
export type ToolRecord = ToolDefinition & {
  /** The server's configured name. */
  readonly server: string;
  /** Of the server's definition in this project: another one of its name has another. */
  readonly fingerprint?: string;
  /** Function names in generated code; unique within the server, also on file systems that fold case. */
  readonly identifiers: ServerNames["identifiers"];
  /** Whether the user trusts this server's annotations. */
  readonly trusted: boolean;
  /** When this definition was first seen (ISO 8601). */
  readonly since: string;
  /** Where there is no `outputSchema`: what results looked like so far. It grows while tools are called. */
  readonly observed?: ObservedType;
  /** Where results were not what `outputSchema` says. It grows likewise. */
  readonly contradictions?: readonly Contradiction[];
};

export type ObservedType = {
  /** The same object for as long as it says the same. */
  readonly schema: JsonSchema;
  /** How many results it was learned from. */
  readonly calls: number;
};

/** Told by kinds, never by values. */
export type Contradiction = {
  /** Names that the schema declares, `[]` for elements, `*` for other keys; empty at the root. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** In how many results. */
  readonly count: number;
};

export type ServerRecord = ServerNames & {
  /** The configured name. */
  readonly name: string;
  readonly instructions?: string;
  readonly tools: readonly ToolRecord[];
};
