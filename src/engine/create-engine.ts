import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { ServerRecord } from "../catalog/tool.ts";
import type { Language } from "../language/language.ts";
import { LANGUAGES } from "../language/languages.ts";
import { createEgress } from "../network/egress.ts";
import { toNetworkSettings } from "../network/settings.ts";
import { createCommandRules } from "../policy/commands/command-rules.ts";
import { maxChildren } from "../process/open-files.ts";
import type { OutgoingFilter } from "../result/outbox/outbox.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { SANDBOX_LIMITS } from "../sandbox/limits.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createTierStates } from "../sandbox/tier-states.ts";
import type { Tiers } from "../sandbox/tiers/tiers.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { countCatalogTokens } from "../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../tokens/tokens.ts";
import { createKeptFolders } from "../workspace/kept-folders.ts";
import { createSavedResults } from "../workspace/saved-results.ts";
import { approve } from "./approvals/approve.ts";
import { createInputFit } from "./approvals/input-fit.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import { openEngineTrail } from "./audit/engine-trail.ts";
import { openTelemetry } from "./audit/open-telemetry.ts";
import { tellIfPossible } from "./audit/open-trail.ts";
import { openWatch } from "./audit/open-watch.ts";
import { createShownApprovals } from "./audit/shown-approvals.ts";
import { createSkillTrail } from "./audit/skill-events.ts";
import { tellAuditOff } from "./audit/tell-audit-off.ts";
import { openCache } from "./cache/open-cache.ts";
import { createCalls } from "./call/create-calls.ts";
import { assertTool } from "./call/find-tool.ts";
import { toCleanEvent } from "./clean/clean-events.ts";
import { createCleaner } from "./clean/cleaner.ts";
import type { Engine } from "./engine.ts";
import { createEvents } from "./events/events.ts";
import { MAX_KEPT_BYTES, openJournal } from "./journal/journal.ts";
import { toJournalOptions } from "./journal/journal-options.ts";
import { openMemory } from "./memory/open-memory.ts";
import { openLanguages } from "./open-languages.ts";
import { createCommandPermission } from "./own-tools/commands/command-permission.ts";
import { createSearchOf } from "./own-tools/search-of.ts";
import { toSearchRequest } from "./own-tools/search-request.ts";
import { createSearchQueue } from "./own-tools/search-turns.ts";
import { createJudge, createToolOf } from "./policy/judge-program.ts";
import { openPolicy } from "./policy/open-policy.ts";
import { toSecurityLevel } from "./policy/security-level.ts";
import { createOutboxes } from "./privacy/outboxes.ts";
import { openPrivacy } from "./privacy/privacy.ts";
import { createPublicNames } from "./privacy/public-names.ts";
import type { Project } from "./project.ts";
import { openReplayLog } from "./replay/replay-log.ts";
import { dropUnused } from "./replay/run-folder.ts";
import { createFairQueue } from "./run/fair-queue.ts";
import { createLastLanguages } from "./run/last-languages.ts";
import { createRunner, unlessAborted } from "./run/runner.ts";
import { toTurn } from "./run/session-keys.ts";
import { createActiveRuns } from "./runs/active-runs.ts";
import { watchCancelMarks } from "./runs/cancel-marks.ts";
import { countTasks } from "./runs/count-tasks.ts";
import { createRunReports } from "./runs/run-reports.ts";
import { createRuns } from "./runs/runs.ts";
import { hasSkills } from "./skills/has-skills.ts";
import { openEngineSkills } from "./skills/open-engine-skills.ts";
import { tellOnce } from "./tell-once.ts";
import { toTiers } from "./tiers/configured-tiers.ts";
import { createEngineTiers } from "./tiers/engine-tiers.ts";
import { toUnavailable } from "./unavailable.ts";
import { openWorkspaces } from "./workspaces/open-workspaces.ts";
import { toWorkspacesByName } from "./workspaces/to-workspaces-by-name.ts";
import { toldWorkspaces } from "./workspaces/told-workspaces.ts";

/** Each wins over the same in `keyhole.config`. */
export type EngineOptions = {
  /** Whether programs are checked against the types of the tools they call before they run. */
  checkTypes?: boolean;
  /** Whether results of calls may be used again; what the config switches off stays off. */
  cache?: boolean;
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
  /** What programs can be written in; the first is warm from the start. */
  languages?: readonly [Language, ...Language[]];
  /** Where they can run, the weakest first. */
  tiers?: Tiers;
  /** Each text that leaves for a model or its client goes through them, in this order. */
  outgoingFilters?: readonly OutgoingFilter[];
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
  const level = toSecurityLevel(config.policies);
  const table = options.tiers ?? toTiers(config.config);
  const tiers = createEngineTiers(createTierStates(table), {
    level,
    mode: config.config.sandboxMode,
  });
  const warmed = options.poolSize ?? poolSize;
  const sandboxOptions = {
    tiers: table,
    limits: {
      wallMs: maxExecutionTime,
      sleepMs: maxSleepTime,
      runMs: Math.max(SANDBOX_LIMITS.runMs, maxExecutionTime + maxSleepTime),
      // The engine's own threads count too, and a call that is open stops the clock, but not the CPU.
      cpuMs: 2 * maxExecutionTime * Math.max(1, resourceLimits.cpuCores),
      memoryBytes: resourceLimits.memoryBytes,
      diskBytes: resourceLimits.diskBytes,
      cores: resourceLimits.cpuCores,
    },
  };
  const languages = openLanguages(options.languages ?? LANGUAGES, {
    catalog,
    world: {
      servers: records,
      unavailable: () => toUnavailable(catalog.entries()),
      types: checkTypes,
      stays: warmed > 0,
    },
    createSandbox(guest, tier, isFirst) {
      // What most programs do not need waits once it was needed, and then one of it.
      const size = isFirst && tier === tiers.least.name ? warmed : Math.min(warmed, 1);
      return createSandbox({ ...sandboxOptions, tier, guest, poolSize: size });
    },
  });
  const { readers } = languages.first;
  const judge = createJudge({ catalog, level });
  const slots = Math.min(
    options.maxConcurrentTasks ?? maxConcurrentTasks ?? 2 * availableParallelism(),
    maxChildren(),
  );
  const queue = createFairQueue({ slots, memoryBytes: resourceLimits.memoryBytes });
  const egress = createEgress(toNetworkSettings(config.config.network), {
    onAlert: ({ text }) => onNotice?.(text),
  });
  const telemetry = openTelemetry(project, onNotice);
  const journalOptions = toJournalOptions(config.config);
  const journal = openJournal(project.state, {
    ...journalOptions,
    onTidied: () => dropUnused({ kept, replays, journal }),
    onNotice,
  });
  project.closeLast(() => journal.close());
  const audit = openEngineTrail(project, {
    tier: tiers.least.name,
    privacyOf: (principal) => privacy.opened(principal),
    onNotice,
  });
  if (audit) project.closeLast(() => audit.log.close());
  const off = audit ? undefined : tellAuditOff(project, onNotice ?? (() => {}));
  if (off) project.closeLast(() => off);
  if (telemetry.isOn) audit?.log.onEvent(telemetry.observe);
  const { policy, allowed } = openPolicy(project);
  const tellShown = audit ? createShownApprovals(audit.log) : async () => {};
  const { approvals, desk, webhook, answerBy, command } = openApprovals(config.config, {
    database: journal.database,
    state: project.state,
    projectDir: project.dir,
    env: project.env,
    misfitOf: createInputFit(createToolOf(project.catalog)),
    listener: audit?.approvals,
    tellShown,
    onNotice,
  });
  const watch =
    audit &&
    openWatch(project, audit.log, {
      command,
      onNotice,
      onStop(sessionId) {
        for (const { session, cancel } of active.all())
          if (session.id === sessionId) cancel({ channel: "anomaly" });
      },
    });
  const replays = openReplayLog(journal.database, {
    maxBytes: journalOptions.maxKeptBytes ?? MAX_KEPT_BYTES,
    onWritten: journal.wrote,
  });
  const results = createSavedResults(project.state, resourceLimits.diskBytes);
  const memory = openMemory(project.state, onNotice);
  project.closeLast(() => memory.close());
  const { workspaces, shared, state, care } = openWorkspaces({
    dir: project.dir,
    state: project.state,
    config: config.config,
    memory,
  });
  const told = toldWorkspaces(care, { channel: "library" }, async (event, act) => {
    const result = await act();
    audit?.log.add(event);
    await audit?.log.commit();
    return result;
  });
  const kept = createKeptFolders(project.state, { ...SANDBOX_LIMITS, diskBytes: resourceLimits.diskBytes });
  const events = createEvents();
  const active = createActiveRuns(() => marks.look());
  const answerAfterMs = options.answerAfterMs ?? output?.answerAfterMs ?? DEFAULT_ANSWER_AFTER_MS;
  const reports = createRunReports(active, answerAfterMs, answerBy);
  const privacy = openPrivacy(project, {
    isPublic: createPublicNames(catalog),
    onNotice,
  });
  project.closeLast(() => privacy.close());
  const outboxOf = createOutboxes(privacy, options.outgoingFilters);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const skills = openEngineSkills({
    ...{
      project,
      projectDir: project.dir,
      state: project.state,
      memory,
      catalog,
      languages,
      judge,
      checkTypes,
    },
    settings: config.config.skills,
    isTrusted: project.isTrustedByOption,
    privacyOf: privacy.open,
    discovered: project.discovered,
    onChange: createSkillTrail(audit?.log),
    onNotice: (text) => onNotice?.(text),
  });
  const search = createSearchOf(project, {
    onNotice,
    popularity: journal.popularity,
    skillsOf: skills.views.searchable,
    signal: closing.signal,
  });
  const calls = createCalls({
    catalog,
    policy,
    recorder: journal,
    heed: watch?.heed,
    telemetry,
    cache: openCache(project, { isOn: options.cache, onNotice }),
    changesTold: audit?.changesTold,
  });
  const ready = async () => {
    if (options.ready !== undefined) await unlessAborted(options.ready, closing.signal);
    await unlessAborted(project.trust.look(), closing.signal);
  };
  const lastLanguages = createLastLanguages();
  const runner = createRunner({
    catalog,
    lastLanguages,
    queue,
    languages,
    tiers,
    policy,
    desk,
    approvals,
    answerBy,
    command,
    replays,
    calls,
    commands: {
      rules: createCommandRules(config.policies),
      permission: createCommandPermission(calls.policy, approve, watch?.heed),
    },
    workspaces,
    kept,
    results,
    state,
    shared,
    reports,
    journal,
    egress,
    checkTypes,
    planMode: config.config.approval.mode,
    judge,
    skills,
    outputTokens: options.outputTokens ?? output?.tokens ?? DEFAULT_OUTPUT_TOKENS,
    search: search.answer,
    outboxOf,
    privacy,
    telemetry,
    trailOf: audit?.trailOf,
    refused: audit?.refused,
    audited: audit?.ready ?? (() => off ?? Promise.resolve()),
    heed: watch?.heed,
    active,
    events,
    answerAfterMs,
    memoryBytes: resourceLimits.memoryBytes,
    ready,
  });
  const runs = createRuns(active, reports);
  const marks = watchCancelMarks(
    project.state,
    () => active.all().map(({ id }) => id),
    (runId, person) => runs.cancel(runId, { channel: "cli", ...(person !== undefined && { person }) }),
  );
  const place = { ...project, tiers: table, onNotice: onNotice ?? (() => {}) };
  const cleaner = createCleaner(place, (cleaned) => {
    if (audit) tellIfPossible(audit.log, toCleanEvent(cleaned, "gateway"));
  });
  const searchInTurn = createSearchQueue();
  const tidied = tidy();
  async function tidy(): Promise<void> {
    const { missingWall } = (await openLeast()) ?? {};
    if (missingWall !== undefined && onNotice !== undefined)
      await tellOnce(project.state, missingWall, onNotice);
    await results.tidy();
    await dropUnused({ kept, replays, journal });
  }
  // What is told and removed may be told and removed another time.
  tidied.catch(() => {});

  /** Where programs run that risk little. Where it can't be had, a run says so. */
  async function openLeast(): Promise<Sandbox | undefined> {
    try {
      const { name } = tiers.least;
      return (await tiers.missing(name)) === undefined ? languages.first.sandboxIn(name) : undefined;
    } catch {
      return undefined;
    }
  }

  /** With the folder of those who are not told apart. */
  async function warmSandbox(): Promise<void> {
    const folder = await workspaces.folder(LOCAL_PRINCIPAL).catch(() => undefined);
    if (folder) await (await openLeast())?.warm([folder]).catch(() => {});
  }

  return {
    ...runner,
    events,
    approvals,
    ...(webhook && { webhook }),
    answerBy,
    command,
    canAnswerByHttp: config.config.approval.channels.includes("http"),
    runs,
    skills: {
      ...skills,
      async save(draft, by, more) {
        await ready();
        return skills.save(draft, by, more);
      },
    },
    async search(request, session) {
      const wish = toSearchRequest(request);
      const asked = { ...wish, language: wish.language ?? lastLanguages.of(session) };
      audit?.sessionSeen(session);
      await ready();
      const answer = await searchInTurn(toTurn(session), () => search.answer(asked, session.principal));
      await privacy.open(session.principal).catch(() => {});
      return { ...answer, text: outboxOf(session.principal).text(answer.text) };
    },
    outboxOf,
    telemetry,
    trust: audit?.withTrust(project.trust) ?? project.trust,
    loginRefused: (login) => audit?.loginRefused(login),
    approvalsShown: tellShown,
    sessionSeen: (session) => audit?.sessionSeen(session),
    async endSession(session) {
      audit?.sessionEnded(session);
      reports.forget(session);
      lastLanguages.forget(session);
      if (session.savesFor === "session") await results.forget(session.id).catch(() => {});
      await state.endSession(session.id).catch(() => {});
    },
    assertTool: (name) => assertTool(catalog, name),
    workspaces: toWorkspacesByName(told),
    stats: journal.stats,
    tasks: () => countTasks(active, slots),
    async warm() {
      cleaner.begin();
      const catalogued = ready().then(() =>
        Promise.all([readers.warm(), countCatalogTokens(records()), search.prepare(closing.signal)]),
      );
      const opened = Promise.all([privacy.open(LOCAL_PRINCIPAL), privacy.warm()]).catch(() => {});
      // Records of thousands of skills take a while to read.
      const skillsRead = hasSkills(project.dir) ? skills.store.look([]).catch(() => {}) : undefined;
      await Promise.all([warmSandbox(), journal.warm(), loadTokenCounter(), catalogued, opened, skillsRead]);
    },
    async close() {
      // No new runs; those under way end, and are written down.
      closing.abort();
      desk.letGo();
      const ended = active.close();
      languages.closeReaders();
      const cleaned = cleaner.close();
      await ended;
      await skills.sharing.close();
      egress.close();
      webhook?.close();
      approvals.close();
      await replays.close();
      await marks.close();
      // Connections are the project's, and closed with it; the journal after them.
      await languages.closeSandboxes();
      await tidied.catch(() => {});
      await cleaned;
      await allowed.flush();
      await watch?.close();
      await audit?.stopped();
      await telemetry.close();
    },
  };
}

/** Begins with what takes longest, for whoever knows that a program will be run before there is an engine. */
export function startEarly(): void {
  LANGUAGES[0].startEarly?.();
}
