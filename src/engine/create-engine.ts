import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { ServerRecord } from "../catalog/tool.ts";
import { KeyholeError } from "../errors.ts";
import { startReaderEarly } from "../language/typescript/reading/reader-process.ts";
import { createReaders } from "../language/typescript/reading/readers.ts";
import { DEFAULT_LIMITS } from "../sandbox/limits.ts";
import { createProcessSandbox } from "../sandbox/tiers/process/process.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { countCatalogTokens } from "../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../tokens/tokens.ts";
import { createSavedResults } from "../workspace/saved-results.ts";
import { createWorkspaces } from "../workspace/workspace.ts";
import { assertTool } from "./call/find-tool.ts";
import type { Engine } from "./engine.ts";
import { createEvents } from "./events/events.ts";
import { createFileRecorder } from "./file-recorder.ts";
import { createJournal } from "./journal.ts";
import { createSearchOf } from "./own-tools/search-of.ts";
import { toSearchRequest } from "./own-tools/search-request.ts";
import { createSearchQueue } from "./own-tools/search-turns.ts";
import { createServersFolder } from "./own-tools/servers-folder.ts";
import { createPopularity } from "./popularity.ts";
import type { Project } from "./project.ts";
import { createFairQueue } from "./run/fair-queue.ts";
import { toTurn } from "./run/run-session.ts";
import { createRunner, unlessAborted } from "./run/runner.ts";
import { createActiveRuns } from "./runs/active-runs.ts";
import { watchCancelMarks } from "./runs/cancel-marks.ts";
import { createRunReports } from "./runs/run-reports.ts";
import { createRuns } from "./runs/runs.ts";
import { toStats } from "./stats.ts";
import { tellOnce } from "./tell-once.ts";
import { toUnavailable } from "./unavailable.ts";

/** Each wins over the same in `keyhole.config`. */
export type EngineOptions = {
  /** Whether programs are checked against the types of the tools they call before they run. */
  checkTypes?: boolean;
  /** Programs that run at the same time; others wait, in turns by principal and session. */
  maxConcurrentTasks?: number;
  /** Tokens that the answer of one run may take. */
  outputTokens?: number;
  /** A run that takes longer is answered with what there is, and goes on (`output.answerAfterMs`). */
  answerAfterMs?: number;
  /** The catalogue being read; the first answers wait for it. */
  ready?: Promise<unknown>;
  /** Processes kept warm. */
  poolSize?: number;
  /** What a person should know while it goes on. */
  onNotice?: (text: string) => void;
};

const DEFAULT_OUTPUT_TOKENS = 2_000;
/** Clients give up on a request after a minute. */
const DEFAULT_ANSWER_AFTER_MS = 50_000;

/** The rooms put together: from here on there is nothing to wire, only to ask. */
export function createEngine(project: Project, options: EngineOptions = {}): Engine {
  const { catalog, config } = project;
  const { onNotice } = options;
  const { maxExecutionTime, maxSleepTime, resourceLimits, typeCheck, poolSize, maxConcurrentTasks, output } =
    config.config;
  assertTier(config.config.sandboxMode);
  // One list for each state of the catalogue: what is made of it can be kept.
  let known: readonly ServerRecord[] | undefined;
  catalog.onUpdate(() => {
    known = undefined;
  });
  const records = () => {
    known ??= catalog
      .entries()
      .flatMap(({ record, status }) => (record && status !== "disabled" ? [record] : []));
    return known;
  };
  const checkTypes = options.checkTypes ?? typeCheck;
  const readers = createReaders({
    servers: records,
    unavailable: () => toUnavailable(catalog.entries()),
    types: checkTypes,
  });
  const sandbox = createProcessSandbox({
    poolSize: options.poolSize ?? poolSize,
    limits: {
      wallMs: maxExecutionTime,
      sleepMs: maxSleepTime,
      runMs: Math.max(DEFAULT_LIMITS.runMs, maxExecutionTime + maxSleepTime),
      // The engine's own threads count too, and a call that is open stops the clock, but not the CPU.
      cpuMs: 2 * maxExecutionTime * Math.max(1, resourceLimits.cpuCores),
      memoryBytes: resourceLimits.memoryBytes,
      diskBytes: resourceLimits.diskBytes,
      // The connections keep to their own number; the sandbox must not stand below it.
      callsInFlightPerServer: Math.max(
        DEFAULT_LIMITS.callsInFlightPerServer,
        ...config.servers.map(({ settings }) => settings.maxConcurrency),
      ),
    },
  });
  const queue = createFairQueue({
    slots: options.maxConcurrentTasks ?? maxConcurrentTasks ?? 2 * availableParallelism(),
    memoryBytes: resourceLimits.memoryBytes,
  });
  const journal = createJournal(project.state);
  const recorder = createFileRecorder(journal);
  const popularity = createPopularity(journal);
  const results = createSavedResults(project.state, resourceLimits.diskBytes);
  const workspaces = createWorkspaces(project.dir, project.state);
  const events = createEvents();
  const active = createActiveRuns(() => marks.look());
  const answerAfterMs = options.answerAfterMs ?? output?.answerAfterMs ?? DEFAULT_ANSWER_AFTER_MS;
  const reports = createRunReports(active, answerAfterMs);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const search = createSearchOf(project, { onNotice, popularity, signal: closing.signal });
  const runner = createRunner({
    catalog,
    queue,
    readers,
    sandbox,
    workspaces,
    results,
    serversFolder: createServersFolder(catalog),
    reports,
    recorder,
    popularity,
    checkTypes,
    outputTokens: options.outputTokens ?? output?.tokens ?? DEFAULT_OUTPUT_TOKENS,
    search: search.answer,
    active,
    events,
    answerAfterMs,
    memoryBytes: resourceLimits.memoryBytes,
    ...(options.ready === undefined ? {} : { ready: options.ready }),
  });
  const runs = createRuns(active, reports);
  const marks = watchCancelMarks(
    project.state,
    () => active.all().map(({ id }) => id),
    (runId) => runs.cancel(runId),
  );
  const searchInTurn = createSearchQueue();
  const tidied = tidy();
  const ready = async () => {
    if (options.ready !== undefined) await unlessAborted(options.ready, closing.signal);
  };

  async function tidy(): Promise<void> {
    if (sandbox.missingWall !== undefined && onNotice !== undefined)
      await tellOnce(project.state, sandbox.missingWall, onNotice);
    await results.tidy();
  }
  // What is told and removed may be told and removed another time.
  tidied.catch(() => {});

  return {
    ...runner,
    events,
    runs,
    async search(request, session) {
      const asked = toSearchRequest(request);
      await ready();
      return searchInTurn(toTurn(session), () => search.answer(asked));
    },
    async endSession(session) {
      reports.forget(session);
      if (session.savesFor === "session") await results.forget(session.id).catch(() => {});
    },
    assertTool: (name) => assertTool(catalog, name),
    async stats() {
      await recorder.settled();
      return toStats(await journal.read());
    },
    async warm() {
      const pool = workspaces.folder(LOCAL_PRINCIPAL).then((folder) => sandbox.warm([folder]));
      const catalogued = ready().then(() =>
        Promise.all([readers.warm(), countCatalogTokens(records()), search.prepare(closing.signal)]),
      );
      await Promise.all([pool, loadTokenCounter(), catalogued]);
    },
    async close() {
      // No new runs; those under way end, and are written down.
      marks.close();
      closing.abort();
      const ended = active.close();
      readers.close();
      await ended;
      await recorder.settled();
      // What the engine itself has opened. Connections and store are the project's, and closed with it.
      await sandbox.close();
      await tidied.catch(() => {});
    },
  };
}

/** Begins with what takes longest, for whoever knows that a program will be run before there is an engine. */
export function startEarly(): void {
  startReaderEarly();
}

/** A tier that was asked for and is not there must not be replaced by a weaker one in silence. */
export function assertTier(tier: string): void {
  if (tier === "process" || tier === "auto") return;
  throw new KeyholeError("usage", `The tier "${tier}" is not part of this version`, {
    hint: 'Leave --tier out, and "sandboxMode" on "auto": programs run in the process tier',
  });
}
