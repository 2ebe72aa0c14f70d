import { KeyholeError } from "../../errors.ts";
import type { SearchAnswer, SearchRequest } from "../../search/answer.ts";
import { isRecord } from "../../text/is-record.ts";
import { RESULTS_FOLDER, type ResultScope, type SavedResults } from "../../workspace/saved-results.ts";
import { toSearchRequest } from "./search-request.ts";
import { type SearchTurns, turnsOfAll } from "./search-turns.ts";
import type { ServersFolder } from "./servers-folder.ts";

const MAX_SEARCHES = 200;
/** What all searches of a run may take of the host's own time. */
const MAX_SEARCH_MS = 3_000;
const MAX_KNOWN = 20;

export type OwnTools = (tool: string, args: unknown, signal: AbortSignal) => Promise<unknown>;

export type OwnToolsContext = {
  readonly serversFolder: ServersFolder;
  readonly results: SavedResults;
  /** `onWork` is told what the search takes; an endpoint for embeddings, for one, is not our work. */
  search(request: SearchRequest, onWork?: (ms: number) => void): Promise<SearchAnswer>;
  /** `runs.result`. */
  runResult(args: unknown, signal: AbortSignal): Promise<unknown>;
};

/** What one program asks of Keyhole itself: these are no calls of tools, and not written down as such. */
export function createOwnTools(
  { serversFolder, results, search, runResult }: OwnToolsContext,
  scope: ResultScope,
  turns = turnsOfAll,
): OwnTools {
  const readServers = serversFolder.open();
  const readResults = results.open(scope);
  const isResult = (args: unknown) => isRecord(args) && args["folder"] === RESULTS_FOLDER;
  const searchInTurn = createProgramSearch(search, turns);
  return async (tool, args, signal) => {
    if (tool === "searchTools") return searchInTurn(toSearchRequest(args));
    if (tool === "readFolder") return isResult(args) ? readResults(args) : readServers(args);
    if (tool === "runResult") return runResult(args, signal);
    throw new KeyholeError("tool_unknown", `Keyhole has no tool "${tool}"`);
  };
}

/** `searchTools` in a program answers with data. One at a time, so many in all, and the same one once. */
function createProgramSearch(
  search: OwnToolsContext["search"],
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
