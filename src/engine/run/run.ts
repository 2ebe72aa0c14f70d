import type { Catalog } from "../../catalog/catalog.ts";
import type { TypesFailure } from "../../language/typescript/check/checker.ts";
import type { ProgramFailure } from "../../language/typescript/prepare/failure.ts";
import { placeOf } from "../../language/typescript/prepare/places.ts";
import type { ReadProgram } from "../../language/typescript/reading/answer.ts";
import type { Readers } from "../../language/typescript/reading/readers.ts";
import { type ModelText, toModelText } from "../../result/model-text.ts";
import type { Outbox } from "../../result/outbox/outbox.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { type Host, KEYHOLE, type Program, type RunOutcome, type Sandbox } from "../../sandbox/sandbox.ts";
import type { SearchAnswer, SearchRequest } from "../../search/answer.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { countCatalogTokens } from "../../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import { RESULTS_FOLDER, type ResultScope, type SavedResults } from "../../workspace/saved-results.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import { callTool } from "../call/call.ts";
import { createToolFinder } from "../call/find-tool.ts";
import type { RunRequest, RunResult } from "../engine.ts";
import { createOwnTools } from "../own-tools/own-tools.ts";
import { SERVERS_FOLDER, type ServersFolder } from "../own-tools/servers-folder.ts";
import { toProgramServers } from "./program-servers.ts";
import type { RefusedProgram, RunFailure, TypeMistake } from "./run-failure.ts";
import { toSandboxLimits } from "./run-limits.ts";
import { createRun, type LogEntry, type Run } from "./run-record.ts";
import { toSourcePlaces } from "./source-places.ts";

export type RunContext = {
  catalog: Catalog;
  readers: Readers;
  sandbox: Sandbox;
  workspaces: Workspaces;
  results: SavedResults;
  serversFolder: ServersFolder;
  checkTypes: boolean;
  outputTokens: number;
  /** Whether others come before this program, for CPU time too. */
  yieldsCpu: boolean;
  outbox: Outbox;
  search(request: SearchRequest, onWork?: (ms: number) => void): Promise<SearchAnswer>;
};

type Ending =
  | { ok: true; value: unknown; hint?: string }
  | { ok: false; error: RunFailure; renamed?: string };

/** Of definitions that were not counted beforehand: the run waits for these, less than 0.1 s. */
const COUNTED_CHARACTERS = 500_000;

/** A program from code to answer. The stages stand in the order in which a run passes them. */
export async function runProgram(request: RunRequest, context: RunContext): Promise<RunResult> {
  const counter = await loadTokenCounter();
  const records = context.catalog.entries().flatMap(({ record }) => record ?? []);
  const book = createReceiptBook(counter, await countCatalogTokens(records, COUNTED_CHARACTERS));
  const run = createRun(request, book);
  const ending = withServerNames(await execute(run, context));
  const shown = await run.phase("result", () => show(run, ending, context));
  // What is emitted is meant for the user, but most clients show it to the model too.
  const text = context.outbox.text(shown.text);
  const seen = [text, ...run.emitted.flatMap(textOf)].join("\n");
  const receipt = book.finish({ code: request.code, text: seen, phasesMs: run.phasesMs });
  const { id: runId, calls, emitted } = run;
  const logs = run.logs.map(({ level, text }) => ({ level, text }));
  const facts = { runId, logs, calls, receipt, text, emitted };
  return ending.ok
    ? { ...facts, ok: true, status: "done", result: ending.value }
    : { ...facts, ok: false, status: "failed", error: ending.error };
}

async function execute(run: Run, context: RunContext): Promise<Ending> {
  const { code, language = "typescript", signal } = run.request;
  if (signal?.aborted) return { ok: false, error: { kind: "cancelled", message: "The run was cancelled" } };
  if (language !== "typescript") return { ok: false, error: noPython() };
  const read = await run.phase("prepare", () =>
    context.readers.read(code, { types: context.checkTypes, turn: toTurn(run.request) }),
  );
  if (context.checkTypes) run.attribute("prepare", "check", read.checkMs);
  const { renamed } = read;
  if (!read.ok) return { ok: false, error: toReadFailure(read.error), renamed };
  tellChecked(run, read);
  const world = toProgramServers(read.uses, (name) => context.catalog.entry(name)?.record);
  const { code: body, modules, places } = read;
  const program = {
    code: body,
    ...world,
    modules,
    hostFolders: [SERVERS_FOLDER, RESULTS_FOLDER],
    hostFiles: await resultsNamedIn(run, context),
  };
  const log = (level: LogEntry["level"], text: string) =>
    run.log({ level, text: toSourcePlaces(text, places) });
  const outcome = await run.phase("sandbox", () => enterSandbox(run, program, log, context));
  if (outcome.ok) return { ok: true, value: outcome.value, hint: read.hint };
  const { line, column, source, ...error } = outcome.error;
  const location =
    source ?? (line === undefined || column === undefined ? undefined : placeOf(places, line, column));
  return { ok: false, error: { ...error, location }, renamed };
}

/** Most programs use no files, and it takes a look at the disk. */
async function resultsNamedIn(run: Run, { results }: RunContext): Promise<NonNullable<Program["hostFiles"]>> {
  if (!run.request.code.includes("workspace")) return {};
  return { [RESULTS_FOLDER]: await results.list(toScope(run)) };
}

function tellChecked(run: Run, { skipped, hints = [] }: ReadProgram): void {
  if (skipped !== undefined)
    run.log({ level: "warn", text: `(not type-checked: ${skipped})`, isNotice: true });
  for (const hint of hints) run.log({ level: "warn", text: `(types: ${hint})`, isNotice: true });
}

async function enterSandbox(
  run: Run,
  program: Program,
  log: NonNullable<Host["onLog"]>,
  context: RunContext,
): Promise<RunOutcome> {
  const { catalog, sandbox, workspaces, results, yieldsCpu } = context;
  const own = createOwnTools(context, toScope(run));
  const stages = { catalog, find: createToolFinder(catalog) };
  return sandbox.run(
    program,
    {
      callTool: (server, tool, args, signal, { timeoutMs }) =>
        server === KEYHOLE
          ? own(tool, args)
          : callTool(run, stages, { server, tool, args, timeoutMs }, signal),
      onLog: log,
      onEmit: (block) => run.emit(block),
    },
    {
      folders: [await workspaces.folder(run.request.principal)],
      countedDirs: results.dirs(run.request.principal),
      limits: toSandboxLimits(run.request.limits),
      signal: run.request.signal,
      yieldsCpu,
    },
  );
}

function toTurn({ principal = LOCAL_PRINCIPAL, session = "" }: RunRequest): string {
  return JSON.stringify([principal, session]);
}

function toScope({ request: { principal, resultScope } }: Run): ResultScope {
  return { principal, session: resultScope };
}

/** A failure may be about a server whose own name is something else in a program. */
function withServerNames(ending: Ending): Ending {
  if (ending.ok || ending.renamed === undefined) return ending;
  const { error, renamed } = ending;
  const { hint } = error;
  return { ok: false, error: { ...error, hint: hint === undefined ? renamed : `${hint}. ${renamed}` } };
}

async function show(run: Run, ending: Ending, { results, outputTokens }: RunContext): Promise<ModelText> {
  return toModelText(
    {
      runId: run.id,
      logs: run.logs,
      ...(ending.ok
        ? { result: ending.value, hint: ending.hint, calls: [] }
        : { error: ending.error, calls: run.callLog.calls, returned: run.callLog.returned }),
      code: run.request.code,
    },
    {
      budgetTokens: run.request.limits?.outputTokens ?? outputTokens,
      save: (name, content) => results.save(toScope(run), name, content),
    },
  );
}

function textOf(block: unknown): string[] {
  const isText =
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
  return isText ? [String(block.text)] : [];
}

function toReadFailure(error: ProgramFailure | TypesFailure): RunFailure {
  return error.kind === "types" ? toTypesFailure(error) : withLocation(error);
}

function withLocation({ line, column, ...error }: ProgramFailure): RefusedProgram {
  return line === undefined || column === undefined ? error : { ...error, location: { line, column } };
}

function toTypesFailure(error: { errors: readonly TypeMistake[]; more: number }): RunFailure {
  const lines = error.errors.map(({ line, column, message, hint, signature }) =>
    [`${line}:${column} ${message}`, hint, signature].filter((part) => part !== undefined).join("\n  "),
  );
  if (error.more > 0) lines.push(`and ${error.more} more`);
  return { kind: "types", message: lines.join("\n"), errors: error.errors };
}

function noPython(): RunFailure {
  return {
    kind: "language",
    message: "Python programs can't run in this version",
    hint: 'Write the program in TypeScript (language: "typescript")',
  };
}
