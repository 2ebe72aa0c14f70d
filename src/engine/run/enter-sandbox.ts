import type { ReadProgram } from "../../language/language.ts";
import type { Host, Program } from "../../sandbox/sandbox.ts";
import { RESULTS_FOLDER } from "../../workspace/saved-results.ts";
import { createProgramCalls } from "../call/program-calls.ts";
import type { OpenLanguage } from "../open-languages.ts";
import { createOwnTools, toCallOwn } from "../own-tools/own-tools.ts";
import type { SearchFunction } from "../own-tools/program-search.ts";
import { SERVERS_FOLDER } from "../own-tools/servers-folder.ts";
import type { Slot } from "./fair-queue.ts";
import { toProgramServers } from "./program-servers.ts";
import type { Outcome, PreparedProgram, RunContext } from "./run.ts";
import { toSandboxLimits } from "./run-limits.ts";
import type { Run } from "./run-record.ts";
import { toScope } from "./session-keys.ts";
import { toSourcePlaces } from "./source-places.ts";
import { toRunFailure, withServerNames } from "./to-failure.ts";

/** Has a program run, with the one function that leads out of it. */
export async function enterSandbox(
  run: Run,
  { program: read, language }: PreparedProgram,
  slot: Slot | undefined,
  context: RunContext,
): Promise<Outcome> {
  const { session, limits } = run.request;
  const program = await toProgram(run, read, language, context);
  const outcome = await run.phase("sandbox", async () =>
    language.sandbox.run(program, toHost(run, read, language, context), {
      folders: [await context.workspaces.folder(session.workspace)],
      countedDirs: context.results.dirs(session.principal),
      limits: toSandboxLimits(limits),
      wallClock: run.clock,
      signal: run.signal,
      yieldsCpu: slot?.yieldsCpu ?? false,
    }),
  );
  if (outcome.ok) {
    const { hint } = read;
    return { ok: true, value: outcome.value, ...(hint === undefined ? {} : { hint }) };
  }
  return { ok: false, error: withServerNames(toRunFailure(outcome.error, read.places), read.renamed) };
}

function toHost(
  run: Run,
  { places }: ReadProgram,
  { serversFolder }: OpenLanguage,
  { calls, reports, results, search }: RunContext,
): Host {
  const { session } = run.request;
  const runResult = (args: unknown, signal: AbortSignal) => reports.result(run, args, signal);
  const searchOwn: SearchFunction = (request, onWork) => search(request, session.principal, onWork);
  const own = createOwnTools({ serversFolder, results, search: searchOwn, runResult }, toScope(session));
  return {
    ...createProgramCalls(calls, run, session),
    callOwn: toCallOwn(own, run.id, calls.recorder),
    onLog: (level, text) => run.log({ level, text: toSourcePlaces(text, places) }),
    onEmit: (block) => run.emit(block),
  };
}

async function toProgram(
  run: Run,
  read: ReadProgram,
  { printer }: OpenLanguage,
  { catalog, results }: RunContext,
): Promise<Program> {
  const { code, modules, uses } = read;
  const { request } = run;
  // Most programs use no files, and it takes a look at the disk.
  const saved = request.code.includes("workspace") ? await results.list(toScope(request.session)) : undefined;
  return {
    code,
    ...toProgramServers(uses, (name) => catalog.entry(name)?.record, printer.naming),
    modules,
    hostFolders: [SERVERS_FOLDER, RESULTS_FOLDER],
    hostFiles: saved === undefined ? {} : { [RESULTS_FOLDER]: saved },
  };
}
