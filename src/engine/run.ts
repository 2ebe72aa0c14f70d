import type { Catalog } from "../catalog/catalog.ts";
import type { ServerRecord } from "../catalog/tool.ts";
import type { Checker, CheckResult } from "../check/checker.ts";
import type { ProgramFailure } from "../check/failure.ts";
import { toRenamedHint } from "../check/renamed-servers.ts";
import { KeyholeError } from "../errors.ts";
import { type ModelText, toModelText } from "../result/budget.ts";
import { countCatalogTokens } from "../result/catalog-tokens.ts";
import { createReceiptBook } from "../result/receipt.ts";
import { loadTokenCounter } from "../result/tokens.ts";
import { type Host, KEYHOLE, type Program, type RunOutcome, type Sandbox } from "../sandbox/sandbox.ts";
import type { SearchAnswer, SearchRequest } from "../search/answer.ts";
import { callTool } from "./call.ts";
import type { RunRequest, RunResult } from "./engine.ts";
import { createToolFinder } from "./find-tool.ts";
import { toProgramServers } from "./program-servers.ts";
import type { RefusedProgram, RunFailure, TypeMistake } from "./run-failure.ts";
import { toSandboxLimits } from "./run-limits.ts";
import { createRun, type LogEntry, type Run } from "./run-record.ts";
import { toSearchRequest } from "./search-request.ts";
import { SERVERS_FOLDER, type ServersFolder } from "./servers-folder.ts";
import { toSourcePlaces } from "./source-places.ts";
import type { Workspace } from "./workspace.ts";

export type RunContext = {
  catalog: Catalog;
  checker: Checker;
  sandbox: Sandbox;
  workspace: Workspace;
  serversFolder: ServersFolder;
  checkTypes: boolean;
  outputTokens: number;
  /** Whether others come before this program, for CPU time too. */
  yieldsCpu: boolean;
  search(request: SearchRequest): Promise<SearchAnswer>;
};

type Ending = { ok: true; value: unknown; hint?: string } | { ok: false; error: RunFailure };

/** A program from code to answer. The stages stand in the order in which a run passes them. */
export async function runProgram(request: RunRequest, context: RunContext): Promise<RunResult> {
  const counter = await loadTokenCounter();
  const records = context.catalog.entries().flatMap(({ record }) => record ?? []);
  const book = createReceiptBook(counter, await countCatalogTokens(records));
  const run = createRun(request, book);
  const ending = withServerNames(await execute(run, context), request.code, records);
  const shown = await run.phase("result", () => show(run, ending, context));
  // What is emitted is meant for the user, but most clients show it to the model too.
  const seen = [shown.text, ...run.emitted.flatMap(textOf)].join("\n");
  const receipt = book.finish({ code: request.code, text: seen, phasesMs: run.phasesMs });
  const { id: runId, calls, emitted } = run;
  const logs = run.logs.map(({ level, text }) => ({ level, text }));
  const facts = { runId, logs, calls, receipt, text: shown.text, emitted };
  return ending.ok
    ? { ...facts, ok: true, status: "done", result: ending.value }
    : { ...facts, ok: false, status: "failed", error: ending.error };
}

async function execute(run: Run, context: RunContext): Promise<Ending> {
  const { code, language = "typescript", signal } = run.request;
  if (signal?.aborted) return { ok: false, error: { kind: "cancelled", message: "The run was cancelled" } };
  if (language !== "typescript") return { ok: false, error: noPython() };
  const prepared = await run.phase("prepare", () => context.checker.prepare(code));
  if (!prepared.ok) return { ok: false, error: withLocation(prepared.error) };
  const checked: CheckResult = context.checkTypes
    ? await run.phase("check", () => context.checker.check(code, prepared))
    : { ok: true };
  // The check has had it made already, while the compiler was at work.
  const finished = await run.phase("prepare", () => prepared.finish());
  if (!finished.ok) return { ok: false, error: withLocation(finished.error) };
  if (!checked.ok) return { ok: false, error: toTypesFailure(checked.error) };
  tellChecked(run, checked);
  const world = toProgramServers(finished.uses, (name) => context.catalog.entry(name)?.record);
  const { code: body, modules } = finished;
  const program = { code: body, ...world, modules, hostFolders: [SERVERS_FOLDER] };
  const log = (level: LogEntry["level"], text: string) =>
    run.log({ level, text: toSourcePlaces(text, finished.toSourcePosition) });
  const outcome = await run.phase("sandbox", () => enterSandbox(run, program, log, context));
  if (outcome.ok) return { ok: true, value: outcome.value, hint: finished.hint };
  const { line, column, source, ...error } = outcome.error;
  const location =
    source ??
    (line === undefined || column === undefined ? undefined : finished.toSourcePosition(line, column));
  return { ok: false, error: { ...error, location } };
}

function tellChecked(run: Run, checked: CheckResult & { ok: true }): void {
  if (checked.skipped !== undefined)
    run.log({ level: "warn", text: `(not type-checked: ${checked.skipped})`, isNotice: true });
  for (const hint of checked.hints ?? [])
    run.log({ level: "warn", text: `(types: ${hint})`, isNotice: true });
}

async function enterSandbox(
  run: Run,
  program: Program,
  log: NonNullable<Host["onLog"]>,
  context: RunContext,
): Promise<RunOutcome> {
  const { catalog, sandbox, workspace, yieldsCpu } = context;
  const own = createOwnTools(context);
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
      folders: [await workspace.folder()],
      limits: toSandboxLimits(run.request.limits),
      signal: run.request.signal,
      yieldsCpu,
    },
  );
}

/** What a program asks of Keyhole itself: these are no calls of tools, and not written down as such. */
function createOwnTools(context: RunContext): (tool: string, args: unknown) => Promise<unknown> {
  const readFolder = context.serversFolder.open();
  return async (tool, args) => {
    if (tool === "searchTools") return searchFrom(args, context);
    if (tool === "readFolder") return readFolder(args);
    throw new KeyholeError("tool_unknown", `Keyhole has no tool "${tool}"`);
  };
}

/** `searchTools` in a program answers with data. */
async function searchFrom(args: unknown, { search }: RunContext): Promise<unknown> {
  const { text: _text, ...found } = await search(toSearchRequest(args));
  return found;
}

/** A failure may be about a server whose own name is something else in a program. */
function withServerNames(ending: Ending, code: string, records: readonly ServerRecord[]): Ending {
  if (ending.ok) return ending;
  const renamed = toRenamedHint(code, records);
  if (renamed === undefined) return ending;
  const { hint } = ending.error;
  return {
    ok: false,
    error: { ...ending.error, hint: hint === undefined ? renamed : `${hint}. ${renamed}` },
  };
}

async function show(run: Run, ending: Ending, { workspace, outputTokens }: RunContext): Promise<ModelText> {
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
      save: (name, content) => workspace.save(name, content),
    },
  );
}

function textOf(block: unknown): string[] {
  const isText =
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
  return isText ? [String(block.text)] : [];
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
