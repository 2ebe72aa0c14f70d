import type { LanguageNaming } from "../../catalog/names.ts";
import { KeyholeError } from "../../errors.ts";
import { SKILLS_FOLDER } from "../../skills/skill-folder.ts";
import { isRecord } from "../../text/is-record.ts";
import { RESULTS_FOLDER, type ResultScope, type SavedResults } from "../../workspace/saved-results.ts";
import { type CallRecorder, recordOwn } from "../call/record.ts";
import type { OwnCall } from "../call/replay.ts";
import { createProgramSearch, type SearchFunction } from "./program-search.ts";
import { toSearchRequest } from "./search-request.ts";
import { turnsOfAll } from "./search-turns.ts";
import type { ServersFolder } from "./servers-folder.ts";
import type { SkillsFolder } from "./skills-folder.ts";

/** What a program asks of Keyhole itself. */
export type OwnTool = {
  /**
   * Whether each use is written down like a call of a server. What has an effect, or tells a program what it could not find
   * out by reading its own world, is.
   */
  readonly isRecorded: boolean;
  /** The arguments are the program's word. */
  call(args: unknown, signal: AbortSignal, own: OwnCall): unknown;
};

export type OwnToolsContext = {
  /** The program's. */
  readonly naming?: LanguageNaming;
  readonly serversFolder: ServersFolder;
  /** Of this run. */
  readonly readSkills: SkillsFolder;
  readonly results: SavedResults;
  readonly search: SearchFunction;
  /** `runs.result`. */
  runResult(args: unknown, signal: AbortSignal): Promise<unknown>;
  /** `runCommand`. */
  runCommand(args: unknown, signal: AbortSignal, own: OwnCall): Promise<unknown>;
  /** `fetch` of a program that has no network. */
  refuseFetch(args: unknown): void;
  /** What `fetch` is about to send, where that is looked at for personal values. */
  noteFetch(args: unknown): void;
  /** `saveSkill`. */
  readonly saveSkill: OwnTool;
  /** `state`. */
  readonly state: readonly (readonly [string, OwnTool])[];
  /** Where programs see tokens. */
  readonly takeText?: OwnTool["call"] | undefined;
};

/** Keyhole's own tools for one program, by name. They call no server, so of a call's stages they pass at most the record. */
export function createOwnTools(
  {
    naming,
    serversFolder,
    readSkills,
    results,
    search,
    runResult,
    runCommand,
    refuseFetch,
    noteFetch,
    saveSkill,
    state,
    takeText,
  }: OwnToolsContext,
  scope: ResultScope,
  turns = turnsOfAll,
): ReadonlyMap<string, OwnTool> {
  const readServers = serversFolder.open();
  const readResults = results.open(scope);
  const searchInTurn = createProgramSearch(search, turns);
  const readers = new Map<unknown, (request: unknown) => unknown>([
    [RESULTS_FOLDER, readResults],
    [SKILLS_FOLDER, readSkills],
  ]);
  const readFolder = (args: unknown) => {
    const folder = isRecord(args) ? args["folder"] : undefined;
    return (readers.get(folder) ?? readServers)(args);
  };
  return new Map<string, OwnTool>([
    ["searchTools", { isRecorded: false, call: (args) => searchInTurn(toSearchRequest(args, naming)) }],
    ["runResult", { isRecorded: true, call: runResult }],
    // One that is only planned is no use of it, so it writes down the others itself.
    ["runCommand", { isRecorded: false, call: runCommand }],
    ["refuseFetch", { isRecorded: false, call: refuseFetch }],
    ["noteFetch", { isRecorded: false, call: noteFetch }],
    ["saveSkill", saveSkill],
    ...state,
    ...(takeText ? [["takeText", { isRecorded: false, call: takeText }] as const] : []),
    ["readFolder", { isRecorded: false, call: readFolder }],
  ]);
}

export function toCallOwn(
  tools: ReadonlyMap<string, OwnTool>,
  runId: string,
  recorder: CallRecorder | undefined,
): (name: string, args: unknown, signal: AbortSignal, own: OwnCall) => Promise<unknown> {
  return async (name, args, signal, own) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new KeyholeError("tool_unknown", `Keyhole has no tool "${name}"`);
    const call = () => tool.call(args, signal, own);
    return tool.isRecorded && recorder ? recordOwn(recorder, { runId, tool: name, args }, call) : call();
  };
}
