import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { ServerRecord } from "../catalog/tool.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { startReaderEarly } from "../language/typescript/reading/reader-process.ts";
import { createReaders } from "../language/typescript/reading/readers.ts";
import { createOutbox, type OutgoingFilter } from "../result/outbox/outbox.ts";
import { DEFAULT_LIMITS } from "../sandbox/limits.ts";
import { createProcessSandbox } from "../sandbox/tiers/process/process.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { countCatalogTokens } from "../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../tokens/tokens.ts";
import { createSavedResults } from "../workspace/saved-results.ts";
import { createWorkspaces } from "../workspace/workspace.ts";
import { assertTool } from "./call/find-tool.ts";
import type { Engine, RunRequest, RunResult } from "./engine.ts";
import { createJournal } from "./journal.ts";
import { createSearchOf } from "./own-tools/search-of.ts";
import { toSearchRequest } from "./own-tools/search-request.ts";
import { createSearchQueue } from "./own-tools/search-turns.ts";
import { createServersFolder } from "./own-tools/servers-folder.ts";
import { createPopularity } from "./popularity.ts";
import type { Project } from "./project.ts";
import { createFairQueue } from "./run/fair-queue.ts";
import { runProgram } from "./run/run.ts";
import { assertMemory } from "./run/run-limits.ts";
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
  /** The catalogue being read; the first answers wait for it. */
  ready?: Promise<unknown>;
  /** Processes kept warm. */
  poolSize?: number;
  /** Each text that leaves for a model or its client goes through them, in this order. */
  outgoingFilters?: readonly OutgoingFilter[];
  /** What a person should know while it goes on. */
  onNotice?: (text: string) => void;
};

const DEFAULT_OUTPUT_TOKENS = 2_000;

/** The rooms put together: from here on there is nothing to wire, only to ask. */
export function createEngine(project: Project, options: EngineOptions = {}): Engine {
  const { catalog, config } = project;
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
  const popularity = createPopularity(journal);
  const results = createSavedResults(project.state, resourceLimits.diskBytes);
  const outbox = createOutbox(options.outgoingFilters);
  const closing = new AbortController();
  // Every run that waits or goes on listens to it.
  setMaxListeners(0, closing.signal);
  const search = createSearchOf(project, {
    onNotice: options.onNotice,
    popularity,
    signal: closing.signal,
  });
  const context = {
    catalog,
    readers,
    sandbox,
    workspaces: createWorkspaces(project.dir, project.state),
    results,
    serversFolder: createServersFolder(catalog),
    checkTypes,
    outputTokens: options.outputTokens ?? output?.tokens ?? DEFAULT_OUTPUT_TOKENS,
    search: search.answer,
    outbox,
  };
  const searchInTurn = createSearchQueue();
  const ownSession = randomUUID();
  const underWay = new Set<Promise<unknown>>();
  const { onNotice } = options;
  let noted: Promise<void> =
    sandbox.missingWall === undefined || onNotice === undefined
      ? Promise.resolve()
      : tellOnce(project.state, sandbox.missingWall, onNotice);

  noted = noted.then(() => results.tidy()).catch(() => {});

  async function run(request: RunRequest): Promise<RunResult> {
    if (typeof request.code !== "string" || request.code.trim() === "") {
      throw new KeyholeError("usage", "There is no program to run", { hint: "Give its text as code" });
    }
    assertMemory(request.limits, resourceLimits.memoryBytes);
    await options.ready;
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    const task = (yieldsCpu: boolean) => runProgram({ ...request, signal }, { ...context, yieldsCpu });
    const { principal = LOCAL_PRINCIPAL, session = "", code } = request;
    // Cancelled while it waited for its turn, it ends as any other run does.
    const result = await queue
      .run({ principal, session, bytes: code.length }, task, signal)
      .catch((error) => {
        if (signal.aborted && toKeyholeError(error).code === "cancelled") return task(false);
        throw error;
      });
    // Written down while the answer is already on its way; closing waits for it.
    popularity.add(result.calls);
    note(request.session ?? ownSession, result);
    return result;
  }

  /** What waits to be written has no hold of the run's result and program. */
  function note(session: string, { runId, ok, error, calls, receipt }: RunResult): void {
    const facts = { runId, ok, error, calls, receipt };
    noted = noted.then(() => journal.add(session, facts));
  }

  return {
    async search(request, { principal = LOCAL_PRINCIPAL, session = "" } = {}) {
      const asked = toSearchRequest(request);
      await options.ready;
      const turn = JSON.stringify([principal, session]);
      const answer = await searchInTurn(turn, () => search.answer(asked));
      return { ...answer, text: outbox.text(answer.text) };
    },
    outbox,
    run(request) {
      const running = run(request).finally(() => underWay.delete(running));
      underWay.add(running);
      return running;
    },
    endResultScope: (scope) => results.forget(scope).catch(() => {}),
    assertTool: (name) => assertTool(catalog, name),
    async stats() {
      await noted;
      return toStats(await journal.read());
    },
    async warm() {
      await Promise.all([
        readers.warm(),
        loadTokenCounter(),
        countCatalogTokens(records()),
        search.prepare(closing.signal),
      ]);
    },
    async close() {
      closing.abort();
      readers.close();
      // Runs may wait for servers, which only now give up; what they leave behind is written before the folder goes.
      await Promise.all([sandbox.close(), catalog.close(), Promise.allSettled(underWay)]);
      await noted;
      await project.close();
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
