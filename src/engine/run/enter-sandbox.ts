import type { ReadProgram } from "../../language/language.ts";
import { ALL_CLASSES } from "../../pii-classes.ts";
import { mentionsPii } from "../../privacy/mentions-pii.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { Folder, Host, Program } from "../../sandbox/sandbox.ts";
import { SKILLS_FOLDER } from "../../skills/skill-folder.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import { RESULTS_FOLDER } from "../../workspace/saved-results.ts";
import { noteFetch } from "../audit/privacy-events.ts";
import { createProgramCalls } from "../call/program-calls.ts";
import { replayOwn } from "../call/replay.ts";
import type { OpenLanguage } from "../open-languages.ts";
import { createRunCommand } from "../own-tools/commands/run-command.ts";
import { createOwnTools, toCallOwn } from "../own-tools/own-tools.ts";
import type { SearchFunction } from "../own-tools/program-search.ts";
import { SERVERS_FOLDER } from "../own-tools/servers-folder.ts";
import { openSkillsFolder } from "../own-tools/skills-folder.ts";
import { createStateTools } from "../own-tools/state/state-tools.ts";
import { createTakeText } from "../own-tools/take-text.ts";
import { leaveFolder, mentionsCommands, mentionsShared } from "../replay/run-folder.ts";
import { createSaveSkill } from "../skills/save-skill.ts";
import type { PlacedProgram } from "../tiers/place-run.ts";
import type { Slot } from "./fair-queue.ts";
import { toProgramServers } from "./program-servers.ts";
import type { Outcome, RunContext } from "./run.ts";
import { toSandboxLimits } from "./run-limits.ts";
import type { Run } from "./run-record.ts";
import { toScope } from "./session-keys.ts";
import { toSourcePlaces } from "./source-places.ts";
import { toRunFailure, withServerNames, withSyntax } from "./to-failure.ts";
import { openWayOut, refuseFetch } from "./way-out.ts";

/** Has a program run, with the one function that leads out of it. */
export async function enterSandbox(
  run: Run,
  { program: read, language, sandbox }: PlacedProgram,
  slot: Slot | undefined,
  context: RunContext,
): Promise<Outcome> {
  const { session, limits } = run.request;
  const wayOut = openWayOut(run, context.egress);
  const program = { ...(await toProgram(run, read, language, context)), ...wayOut.program };
  const host = { ...toHost(run, read, { language, sandbox }, context), ...withObstacle(run, wayOut.host) };
  const outcome = await run
    .phase("sandbox", async () => {
      const folders = await foldersOf(run, read, context);
      const { workspaces, results } = context;
      const options = {
        folders,
        onMeasured: workspaces.measured,
        countedDirs: results.dirs(session.principal),
        limits: toSandboxLimits(limits),
        wallClock: run.clock,
        signal: run.stopSignal,
        yieldsCpu: slot?.yieldsCpu ?? false,
      };
      const work = () => sandbox.run(program, host, options);
      return usesFiles(run, read) ? workspaces.use(folders, work) : work();
    })
    .finally(wayOut.close);
  // What was there may be gone: the next run asks.
  if (!outcome.ok && outcome.error.kind === "sandbox" && run.tier) context.tiers.forget(run.tier.name);
  const { stopped } = run;
  if (stopped?.kind === "waiting") {
    const { durable } = run.gate ?? {};
    if (durable) await leaveFolder({ id: run.id, workspace: session.workspace }, durable, context);
    return { ok: false, approval: stopped.approval };
  }
  if (stopped?.kind === "failed") return { ok: false, error: stopped.error };
  if (outcome.ok) {
    const { hint } = read;
    return { ok: true, value: outcome.value, ...(hint === undefined ? {} : { hint }) };
  }
  const ran = { ...read, skillFile: language.skillFile };
  const failure = withSyntax(toRunFailure(outcome.error, ran), run.request.code);
  return { ok: false, error: withServerNames(failure, read.renamed) };
}

/** Without these a program has no way to a file. */
function usesFiles({ request }: Run, { modules }: ReadProgram): boolean {
  return modules.includes("fs") || modules.includes("fs/promises") || mentionsCommands(request.code);
}

/** Its principal's own, and those that are shared with it where it names any: most programs do not, and each takes a look. */
async function foldersOf(
  { request }: Run,
  read: ReadProgram,
  { workspaces }: Pick<RunContext, "workspaces">,
): Promise<readonly Folder[]> {
  const own = await workspaces.folder(request.session.workspace);
  if (!mentionsShared(request.code, read)) return [own];
  return [own, ...(await workspaces.sharedWith(request.session.principal))];
}

/** What comes by the network is not kept: a program that has used it can't be had to do the same again. */
function withObstacle({ gate }: Run, { connect }: Pick<Host, "connect">): Pick<Host, "connect"> {
  if (connect === undefined) return {};
  return {
    connect(stream) {
      // Written before anything that the program does next.
      void gate?.durable
        ?.obstacle("it used the network, and what came from there is not kept")
        .catch(() => {});
      connect(stream);
    },
  };
}

function toHost(
  run: Run,
  read: ReadProgram,
  { language: { serversFolder, printer }, sandbox }: Pick<PlacedProgram, "language" | "sandbox">,
  { calls, reports, results, search, skills, workspaces, commands, state, shared }: RunContext,
): Host {
  const { session } = run.request;
  const runResult = async (args: unknown, signal: AbortSignal) =>
    takeBack(await reports.result(run, args, signal), run.privacy);
  const searchOwn: SearchFunction = (request, onWork) =>
    search({ ...request, language: request.language ?? printer.name }, session.principal, onWork);
  const runCommand = createRunCommand({
    ...commands,
    run,
    session,
    recorder: calls.recorder,
    sandbox: sandbox.commands,
    countedDirs: () => results.dirs(session.principal),
    folder: () => workspaces.folder(session.workspace),
    onMeasured: workspaces.measured,
  });
  const own = createOwnTools(
    {
      naming: printer.naming,
      serversFolder,
      readSkills: openSkillsFolder(() => skills.views.inFolder(session.principal), printer.naming),
      results,
      search: searchOwn,
      runResult,
      runCommand,
      refuseFetch: (args) => refuseFetch(run, args),
      noteFetch: (args) => noteFetch(run, args),
      saveSkill: createSaveSkill({ run, session, skills }),
      state: createStateTools({ run, session, state, shared }),
      takeText: createTakeText({ run, session }),
    },
    toScope(session),
  );
  const callOwn = toCallOwn(own, run.id, calls.recorder);
  return {
    ...createProgramCalls(calls, run, session, printer.naming),
    callOwn: (tool, args, signal, options) =>
      replayOwn(run.gate, { ...options, tool, args }, (own) => callOwn(tool, args, signal, own)),
    ...(run.gate?.durable && { onHappened: run.gate.durable.onHappened }),
    onLog: (level, text) => run.log({ level, text: toSourcePlaces(text, read.places, read.skills) }),
    onEmit: (block) => run.emit(block),
  };
}

/** What a run came to was shown already: on its way to a program it is of the program's world again. */
function takeBack(report: unknown, privacy: WorkspacePrivacy | undefined): unknown {
  if (privacy === undefined) return report;
  if (!(report instanceof UnparsedJson)) return mapTexts(report, privacy.takeBack);
  const text = new TextDecoder().decode(report.bytes);
  const taken = privacy.takeBack(text);
  return taken === text ? report : new UnparsedJson(Buffer.from(taken));
}

/** What `pii` is told of the values in the program itself. */
function toFacts({ privacy, request }: Run, { code, skills }: ReadProgram): Pick<Program, "facts"> {
  const texts = [request.code, ...skills.map(({ source }) => source)];
  if (privacy === undefined || !texts.some(mentionsPii)) return {};
  return { facts: privacy.tellsFacts ? privacy.factsIn(code) : "denied" };
}

async function toProgram(
  run: Run,
  read: ReadProgram,
  { printer }: OpenLanguage,
  { catalog, results }: RunContext,
): Promise<Program> {
  const { code, modules, skills, uses } = read;
  const { request } = run;
  // Most programs use no files, and it takes a look at the disk.
  const texts = [request.code, ...skills.map(({ source }) => source)];
  const saved = texts.some((text) => text.includes("workspace"))
    ? await results.list(toScope(request.session))
    : undefined;
  return {
    code,
    ...toProgramServers(uses, (name) => catalog.entry(name)?.record, printer.naming),
    modules,
    ...(skills.length > 0 && { skills }),
    ...(run.gate?.durable && { steady: run.gate.durable.steady }),
    ...toFacts(run, read),
    ...(run.privacy?.mode === "boundary" && { tokenClasses: ALL_CLASSES }),
    hostFolders: [SERVERS_FOLDER, SKILLS_FOLDER, RESULTS_FOLDER],
    hostFiles: saved === undefined ? {} : { [RESULTS_FOLDER]: saved },
  };
}
