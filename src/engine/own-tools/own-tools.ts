import { KeyholeError } from "../../errors.ts";
import type { Host } from "../../sandbox/sandbox.ts";
import { isRecord } from "../../text/is-record.ts";
import { RESULTS_FOLDER, type ResultScope, type SavedResults } from "../../workspace/saved-results.ts";
import { createProgramSearch, type SearchFunction } from "./program-search.ts";
import { toSearchRequest } from "./search-request.ts";
import { turnsOfAll } from "./search-turns.ts";
import type { ServersFolder } from "./servers-folder.ts";

/** What a program asks of Keyhole itself. The arguments are the program's word. */
export type OwnTool = (args: unknown, signal: AbortSignal) => unknown;

export type OwnToolsContext = {
  readonly serversFolder: ServersFolder;
  readonly results: SavedResults;
  readonly search: SearchFunction;
  /** `runs.result`. */
  runResult(args: unknown, signal: AbortSignal): Promise<unknown>;
};

/** Keyhole's own tools for one program, by name. They call no server, so they pass none of a call's stages. */
export function createOwnTools(
  { serversFolder, results, search, runResult }: OwnToolsContext,
  scope: ResultScope,
  turns = turnsOfAll,
): ReadonlyMap<string, OwnTool> {
  const readServers = serversFolder.open();
  const readResults = results.open(scope);
  const searchInTurn = createProgramSearch(search, turns);
  return new Map<string, OwnTool>([
    ["searchTools", (args) => searchInTurn(toSearchRequest(args))],
    ["runResult", runResult],
    ["readFolder", (args) => (isOfResults(args) ? readResults(args) : readServers(args))],
  ]);
}

export function toCallOwn(tools: ReadonlyMap<string, OwnTool>): NonNullable<Host["callOwn"]> {
  return async (name, args, signal) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new KeyholeError("tool_unknown", `Keyhole has no tool "${name}"`);
    return tool(args, signal);
  };
}

function isOfResults(args: unknown): boolean {
  return isRecord(args) && args["folder"] === RESULTS_FOLDER;
}
