import type { ServerRecord } from "../catalog/tool.ts";

export type Detail = "name" | "description" | "full";

export type SearchRequest = {
  readonly query?: string;
  readonly detail?: Detail;
  readonly limit?: number;
  /** Of names and signatures; TypeScript unless told otherwise. */
  readonly language?: string;
  /** Skills alone, no tools. */
  readonly only?: "skills";
};

/** The text is what a model reads; the rest is the same as data, best first. */
export type SearchAnswer = ToolsAnswer | ServersAnswer;

export type ToolsAnswer = {
  readonly text: string;
  /** How many fit; `tools` has those that were asked for. */
  readonly total: number;
  readonly tools: readonly (FoundTool | FoundSkill)[];
  readonly servers?: undefined;
};

export type ServersAnswer = {
  readonly text: string;
  readonly servers: readonly FoundServer[];
  /** How many there are, where there are any. */
  readonly skills?: number;
  readonly total?: undefined;
  readonly tools?: undefined;
};

export type FoundTool = {
  readonly skill?: undefined;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** The name to call in a program. */
  readonly function: string;
  readonly description?: string;
  /** Only of those that had room in the text. */
  readonly definition?: string;
};

/** What agents have saved stands among the tools. */
export type FoundSkill = {
  readonly skill: string;
  readonly server?: undefined;
  readonly tool?: undefined;
  /** In which it is written; none has instructions alone, to be read at `./skills/<name>/SKILL.md`. */
  readonly language?: string;
  /** The first of what it exports: the name to import; that of the skill where it exports nothing. */
  readonly function: string;
  readonly description?: string;
  /** The line that imports it, and signatures. Only of those that had room in the text. */
  readonly definition?: string;
  /** Why it can't be used as it is. */
  readonly problem?: string;
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

/** A skill as it is to be found. Its texts are a model's or a stranger's. */
export type SearchableSkill = {
  readonly name: string;
  readonly description: string;
  /** Another one whenever anything of it that is read here changes. */
  readonly stamp: string;
  /** Nothing for one that has instructions alone. */
  readonly language?: string;
  readonly code: string;
  readonly exports: readonly {
    readonly name: string;
    readonly signature: string;
    readonly description?: string;
  }[];
  readonly tags: readonly string[];
  readonly tools: readonly { readonly server: string; readonly tool: string }[];
  /** The instructions in its SKILL.md. */
  readonly body: string;
  /** Why it can't be used: it is broken, for example. It is found all the same. */
  readonly problem?: string;
  /** It waits for somebody's yes: who is asked to use it has to know. */
  readonly isQuarantined?: boolean;
};
