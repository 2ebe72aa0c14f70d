import type { SearchAnswer, SearchableServer, SearchRequest } from "./answer.ts";
import type { Reranker } from "./embeddings/rerank.ts";
import { createToolIndex, type IndexOptions, type ToolIndex } from "./rank.ts";
import { toServersAnswer } from "./show-servers.ts";
import { toToolsAnswer } from "./show-tools.ts";

export type Search = {
  answer(request?: SearchRequest): Promise<SearchAnswer>;
  /** Does beforehand what the first answer would otherwise wait for, or do without. */
  prepare(signal?: AbortSignal): Promise<void>;
};

export type SearchOptions = {
  readonly reranker?: Reranker;
  readonly calls?: IndexOptions["calls"];
};

/** Search over what `servers` yields at the time; its index is built when a catalogue is first seen. */
export function createSearch(
  servers: () => readonly SearchableServer[],
  { reranker, calls }: SearchOptions = {},
): Search {
  let seen: readonly SearchableServer[] = [];
  let index: ToolIndex = createToolIndex(seen);

  function currentIndex(current: readonly SearchableServer[]): ToolIndex {
    // Records are made anew when only a status changed; the lists of tools in them are not.
    const isSame = current.length === seen.length && current.every((server, at) => isAlike(server, seen[at]));
    if (!isSame) {
      index = createToolIndex(current, { calls });
      seen = current;
    }
    return index;
  }

  return {
    async answer({ query = "", detail, limit, language = "typescript" } = {}) {
      const current = servers();
      if (query.trim() === "") return toServersAnswer(current);
      const { rank, near, excludes, notes } = currentIndex(current);
      const byWords = rank(query);
      const hits = reranker
        ? await reranker.rerank(
            query,
            byWords,
            current.filter(({ name }) => !excludes(query, name)),
          )
        : byWords;
      return toToolsAnswer({
        query,
        detail,
        limit,
        language,
        hits,
        near: hits.length > 0 ? [] : near(query, 5),
        servers: current,
        notes: notes(query, hits),
      });
    },
    async prepare(signal) {
      const current = servers();
      currentIndex(current);
      await reranker?.prepare(current, signal);
    },
  };
}

function isAlike(one: SearchableServer, other: SearchableServer | undefined): boolean {
  return (
    other !== undefined &&
    (one.tools === other.tools || (one.tools.length === 0 && other.tools.length === 0)) &&
    one.name === other.name &&
    one.identifiers.typescript === other.identifiers.typescript &&
    one.instructions === other.instructions
  );
}
