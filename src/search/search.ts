import type { SearchAnswer, SearchableServer, SearchRequest } from "./answer.ts";
import { createToolIndex, type ToolIndex } from "./rank.ts";
import { toServersAnswer } from "./show-servers.ts";
import { toToolsAnswer } from "./show-tools.ts";

export type Search = (request?: SearchRequest) => SearchAnswer;

/** Search over what `servers` yields at the time; its index is built when a catalogue is first seen. */
export function createSearch(servers: () => readonly SearchableServer[]): Search {
  let seen: readonly SearchableServer[] = [];
  let index: ToolIndex = createToolIndex(seen);

  function currentIndex(current: readonly SearchableServer[]): ToolIndex {
    // Records are made anew when only a status changed; the lists of tools in them are not.
    const isSame = current.length === seen.length && current.every((server, at) => isAlike(server, seen[at]));
    if (!isSame) {
      index = createToolIndex(current);
      seen = current;
    }
    return index;
  }

  return ({ query = "", detail, limit, language = "typescript" } = {}) => {
    const current = servers();
    if (query.trim() === "") return toServersAnswer(current);
    const { rank, near } = currentIndex(current);
    const hits = rank(query);
    return toToolsAnswer({
      query,
      detail,
      limit,
      language,
      hits,
      near: hits.length > 0 ? [] : near(query, 5),
      servers: current,
    });
  };
}

function isAlike(one: SearchableServer, other: SearchableServer | undefined): boolean {
  return one.tools === other?.tools && one.name === other.name && one.identifier === other.identifier;
}
