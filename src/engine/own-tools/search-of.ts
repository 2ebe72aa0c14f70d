import type { KeyholeConfig } from "../../config/schema.ts";
import type { ServerDefinition } from "../../config/server-definition.ts";
import { expandVariables } from "../../config/variables.ts";
import { toKeyholeError } from "../../errors.ts";
import { ALL_PRINTERS } from "../../language/languages.ts";
import type { SearchAnswer, SearchableServer, SearchableSkill, SearchRequest } from "../../search/answer.ts";
import type { EndpointSettings } from "../../search/embeddings/endpoint.ts";
import { createReranker, type Reranker } from "../../search/embeddings/rerank.ts";
import { createSearch, type Search } from "../../search/search.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { Popularity } from "../journal/popularity.ts";
import type { Project } from "../project.ts";

type EmbeddingsSettings = EndpointSettings & { readonly timeoutMs: number };

export type SearchOfOptions = {
  /** What a person should know: that the endpoint for embeddings does not answer, for example. */
  readonly onNotice?: (text: string) => void;
  readonly popularity: Popularity;
  /** What a principal may see of skills. */
  readonly skillsOf?: (principal: string) => Promise<readonly SearchableSkill[]>;
  /** Ends what search does in the background. */
  readonly signal?: AbortSignal;
};

export type ProjectSearch = Pick<Search, "prepare"> & {
  /** `onWork` is told what the answer takes of this thread's time, piece by piece. */
  answer(request: SearchRequest, principal: string, onWork?: (ms: number) => void): Promise<SearchAnswer>;
};

/**
 * Search over what a project's catalogue holds at the time. What is called often comes first for the local user alone, whose
 * calls they are: nobody learns from the order what others do.
 */
export function createSearchOf(project: Project, options: SearchOfOptions): ProjectSearch {
  const { popularity, skillsOf = async () => [] } = options;
  const servers = (): SearchableServer[] =>
    project.catalog.entries().map(({ name, identifiers, folder, record, status, error, definition }) => ({
      name,
      identifiers,
      folder,
      instructions: record?.instructions,
      tools: record?.tools ?? [],
      status: error === undefined ? status : `${status}: ${error.message}`,
      origin: definition && toOrigin(definition.transport),
    }));
  const reranker = toReranker(project, options);
  const search = createSearch(servers, { reranker, calls: popularity.calls, printers: ALL_PRINTERS });
  return {
    async answer(request, principal, onWork) {
      const byHabit = principal === LOCAL_PRINCIPAL;
      if (byHabit) await popularity.load();
      return search.answer(request, { onWork, byHabit, skills: await skillsOf(principal) });
    },
    prepare: search.prepare,
  };
}

/** The package or host of a server. Nothing else of its configuration: a program could find out what it asks for. */
function toOrigin(transport: ServerDefinition["transport"]): string {
  if (transport.type === "stdio")
    return transport.args.find((arg) => !arg.startsWith("-")) ?? transport.command;
  return URL.canParse(transport.url) ? new URL(transport.url).hostname : "";
}

/** The endpoint for embeddings as it is configured, with its variables put in, if there is one. */
export function toEmbeddings(
  { search }: KeyholeConfig,
  env: NodeJS.ProcessEnv,
): EmbeddingsSettings | undefined {
  const { embeddings } = search ?? {};
  if (!embeddings) return undefined;
  const expand = (key: "url" | "apiKey") =>
    expandVariables(embeddings[key] ?? "", `search.embeddings.${key}`, env);
  const { model, timeoutMs } = embeddings;
  return { url: expand("url"), apiKey: expand("apiKey") || undefined, model, timeoutMs };
}

function toReranker(
  { config, env, state }: Project,
  { onNotice, signal }: SearchOfOptions,
): Reranker | undefined {
  try {
    const settings = toEmbeddings(config.config, env);
    return settings && createReranker({ ...settings, state, onNotice, signal });
  } catch (error) {
    onNotice?.(`Search goes by words alone: ${toKeyholeError(error).message}`);
    return undefined;
  }
}
