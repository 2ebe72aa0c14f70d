import { KeyholeError } from "../../errors.ts";
import type { SearchAnswer, SearchRequest } from "../../search/answer.ts";
import type { SearchTurns } from "./search-turns.ts";

const MAX_SEARCHES = 200;
/** What all searches of a run may take of the host's own time. */
const MAX_SEARCH_MS = 3_000;
const MAX_KNOWN = 20;

/** `onWork` is told what the search takes of our own time; what an endpoint for embeddings takes is not our work. */
export type SearchFunction = (request: SearchRequest, onWork?: (ms: number) => void) => Promise<SearchAnswer>;

/** `searchTools` in a program answers with data. One at a time, so many in all, and the same one once. */
export function createProgramSearch(
  search: SearchFunction,
  turns: SearchTurns,
): (request: SearchRequest) => Promise<unknown> {
  const known = new Map<string, Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  let spentMs = 0;

  async function searchNext(request: SearchRequest): Promise<unknown> {
    await turns.next();
    if (spentMs > MAX_SEARCH_MS) throw overLimit(`for ${MAX_SEARCH_MS / 1000} s`);
    const { text: _text, ...found } = await search(request, (ms) => {
      spentMs += ms;
    });
    return found;
  }

  return (request) => {
    const key = JSON.stringify([request.query, request.detail, request.limit, request.language]);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (++count > MAX_SEARCHES) throw overLimit(`${MAX_SEARCHES} times`);
    const answer = last.then(() => searchNext(request));
    last = answer.catch(() => {});
    const [oldest] = known.keys();
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(key, answer);
    return answer;
  };
}

function overLimit(much: string): KeyholeError {
  return new KeyholeError(
    "too_large",
    `One program can search ${much}: search for what the task needs, or list a server's functions`,
  );
}
