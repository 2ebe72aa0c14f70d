import { KeyholeError, toKeyholeError } from "../../errors.ts";
import type { ReadProgram } from "../../language/language.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { SHARED_FOLDER } from "../../store/own-tree.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { KeptFolders } from "../../workspace/kept-folders.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import type { Journal } from "../journal/journal.ts";
import type { DurableRun } from "./durable-run.ts";
import type { ReplayLog } from "./replay-log.ts";

export type RunFolderContext = {
  readonly workspaces: Workspaces;
  readonly kept: KeptFolders;
  readonly journal: Pick<Journal, "listRuns">;
};

/** Whose folder: a run, and the name of its workspace. */
type Owner = { readonly id: string; readonly workspace: string };

/** Whether a program may touch files. What its text shows is no wall, so whatever is odd in it counts as yes. */
export function mayTouchFiles(code: string, facts: ProgramFacts | undefined): boolean {
  if (facts === undefined || facts.files.length > 0 || facts.hits.length > 0) return true;
  if (mayRunCommands(code, facts)) return true;
  return /\bfs\b|\bfs[/"'`]|workspace|\bDeno\b|getBuiltinModule|\bpathlib\b|\bshutil\b|\bsqlite3\b/.test(
    code,
  );
}

/** Whether it may touch files of a workspace that is shared. */
export function mentionsShared(
  code: string,
  { skills = [] }: Partial<Pick<ReadProgram, "skills">> = {},
): boolean {
  return [code, ...skills.map((skill) => skill.code)].some((text) => text.includes(SHARED_FOLDER));
}

/** The same for commands, which touch files too. */
export function mayRunCommands(code: string, { commands }: ProgramFacts): boolean {
  return commands.length > 0 || mentionsCommands(code);
}

export function mentionsCommands(code: string): boolean {
  return /\brunCommand\b|\brun_command\b/.test(code);
}

/** Has the workspace as it is, should the program start over: what that takes. Otherwise says why it could not. */
export async function keepFolder(
  { id, workspace }: Owner,
  { workspaces, kept }: RunFolderContext,
  maxBytes?: number,
): Promise<{ readonly bytes: number; readonly obstacle?: string }> {
  const { dir } = await workspaces.folder(workspace);
  try {
    return { bytes: await kept.keep(id, dir, maxBytes) };
  } catch (error) {
    return { bytes: 0, obstacle: toExcerpt(toKeyholeError(error).message, 200) };
  }
}

/** Where others have changed the workspace before the program began: should it start over, it starts from there. */
export async function keepAnew(
  owner: Owner,
  durable: DurableRun | undefined,
  context: RunFolderContext,
): Promise<void> {
  const { dir } = await context.workspaces.folder(owner.workspace);
  const state = await context.kept.compare(owner.id, dir);
  if (state === undefined || state.changes.length === 0) return;
  await context.kept.drop(owner.id);
  const { obstacle } = await keepFolder(owner, context);
  if (obstacle !== undefined) await durable?.obstacle(obstacle);
}

/** Before the run is told of as waiting: how it leaves the workspace. */
export async function leaveFolder(
  owner: Owner,
  durable: DurableRun,
  context: RunFolderContext,
): Promise<void> {
  const { dir } = await context.workspaces.folder(owner.workspace);
  try {
    const left = await context.kept.leave(owner.id, dir);
    if (left === undefined || left.changes.length === 0) return;
    const others = await findOthers(owner, left.since, context);
    if (others.length > 0) await durable.obstacle(`${describeOthers(others)} while it ran`);
  } catch (error) {
    await durable.obstacle(toExcerpt(toKeyholeError(error).message, 200));
  }
}

/** Fails where the workspace is not as the run left it: then nothing of it is touched, and the run stays as it is. */
export async function assertFolder(owner: Owner, context: RunFolderContext): Promise<void> {
  const { dir } = await context.workspaces.folder(owner.workspace);
  const state = await context.kept.compare(owner.id, dir);
  if (state === undefined || state.changes.length === 0) return;
  if (state.isLeft)
    throw refusal(
      owner.id,
      `files in ./workspace have changed since: ${toNames(state.changes)}`,
      "Put them back as they were, or cancel the run and send the program anew",
    );
  const others = await findOthers(owner, state.since, context);
  if (others.length === 0) return;
  throw refusal(
    owner.id,
    `it was interrupted, and ${describeOthers(others)} since. Not as they were before it: ${toNames(state.changes)}`,
    "Look at what it did, and run the rest as another program",
  );
}

/** As it was before the run, which then does the same to it again. */
export async function restoreFolder(
  { id, workspace }: Owner,
  { workspaces, kept }: RunFolderContext,
): Promise<void> {
  const { dir } = await workspaces.folder(workspace);
  if ((await kept.compare(id, dir)) === undefined)
    throw refusal(
      id,
      "what was kept of ./workspace is gone",
      "Look at what it did, and run the rest as another program",
    );
  await kept.restore(id, dir);
}

/** Copying a workspace takes no longer. */
const BEGINNING_MS = 60 * 60 * 1000;

export type KeptForRuns = {
  readonly kept: Pick<KeptFolders, "list" | "drop">;
  readonly replays: Pick<ReplayLog, "has">;
  readonly journal: Pick<Journal, "getRun">;
};

/** Removes what was kept for runs of which nothing else is: they were killed before their program began, or are gone by now. */
export async function dropUnused({ kept, ...context }: KeptForRuns): Promise<void> {
  for (const one of await kept.list()) if (await isUnused(one, context)) await kept.drop(one.run);
}

export async function isUnused(
  { run: id, since }: { readonly run: string; readonly since: number },
  { replays, journal }: Pick<KeptForRuns, "replays" | "journal">,
): Promise<boolean> {
  if (await replays.has(id)) return false;
  const run = await journal.getRun(id);
  // A run that is about to begin has its copy first; where it can't be written down, only that.
  const isAboutToBegin =
    run === undefined
      ? Math.abs(Date.now() - since) < BEGINNING_MS
      : run.endedAt === undefined && run.status !== "lost";
  return !isAboutToBegin;
}

const MOST_LOOKED_AT = 500;

/** Runs that had the same workspace at some time since then: what changed in it may be theirs. */
async function findOthers(
  { id, workspace }: Owner,
  since: number,
  { journal }: RunFolderContext,
): Promise<string[]> {
  const runs = await journal.listRuns({ limit: MOST_LOOKED_AT });
  const own = runs.findIndex((run) => run.id === id);
  const isSince = (at: number | undefined) => at !== undefined && at >= since;
  /** It was taken after this one, and says that it began before it: then the clock was set back, and times tell nothing. */
  const isOutOfOrder = (startedAt: number, place: number) =>
    place < own && startedAt < (runs[own]?.startedAt ?? 0);
  return runs
    .filter(
      ({ startedAt, endedAt, status }, place) =>
        isSince(startedAt) ||
        isSince(endedAt) ||
        isOutOfOrder(startedAt, place) ||
        (endedAt === undefined && status !== "lost"),
    )
    .filter((run) => run.id !== id && run.workspace === workspace)
    .map((run) => run.id);
}

const SHOWN = 10;

function describeOthers(runs: readonly string[]): string {
  return `other programs ran in the same workspace (${toNames(runs)})`;
}

function toNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => toExcerpt(name, 100));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function refusal(run: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("usage", `The run ${JSON.stringify(run)} can't go on: ${why}`, { hint });
}
