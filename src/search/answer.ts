import type { ServerRecord } from "../catalog/tool.ts";

export type Detail = "name" | "description" | "full";

export type SearchRequest = {
  readonly query?: string;
  readonly detail?: Detail;
  readonly limit?: number;
  /** Of names and signatures; TypeScript unless told otherwise. */
  readonly language?: string;
};

/** The text is what a model reads; the rest is the same as data, best first. */
export type SearchAnswer = ToolsAnswer | ServersAnswer;

export type ToolsAnswer = {
  readonly text: string;
  /** How many fit; `tools` has those that were asked for. */
  readonly total: number;
  readonly tools: readonly FoundTool[];
  readonly servers?: undefined;
};

export type ServersAnswer = {
  readonly text: string;
  readonly servers: readonly FoundServer[];
  readonly total?: undefined;
  readonly tools?: undefined;
};

export type FoundTool = {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** The name to call in a program. */
  readonly function: string;
  readonly description?: string;
  /** Only of those that had room in the text. */
  readonly definition?: string;
};

export type FoundServer = {
  readonly name: string;
  readonly tools: number;
  readonly status: string;
  readonly about?: string;
};

/** A server as it is to be found. Without a status it is ready; a failed one has no tools, or those it last had. */
export type SearchableServer = ServerRecord & {
  readonly status?: string;
  /** Words on what it is reached by: a package, a host. For finding only, never shown. */
  readonly origin?: string;
};
