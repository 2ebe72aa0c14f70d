import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type Limits, limitError } from "../limits.ts";
import type { Folder, RunError } from "../sandbox.ts";
import type { DiskUse } from "./machine.ts";
import { MAX_ENTRIES, type Survey, surveyFolders } from "./survey.ts";

export type FolderState = {
  /** What the program is told: `full` says why nothing more can be written, `link` names a link in one. */
  readonly told: { readonly full?: string; readonly link?: string };
  /** What the host keeps beside them. */
  readonly keptBytes: number;
};

export type FolderStates = {
  /** Before a run. Rejects where a folder must not be handed to a program as it is. */
  before(folders: readonly Folder[], counted: readonly string[], limits: Limits): Promise<FolderState>;
  /** After a run that could write: what it went over, if it did. */
  after(
    folders: readonly Folder[],
    counted: readonly string[],
    limits: Limits,
  ): Promise<RunError | undefined>;
};

const MAX_KNOWN = 1_000;

/**
 * Knows what is in the folders of runs.
 *
 * Deno's permissions follow links that stand in a granted folder. The guest's own file functions follow none; but they
 * are JavaScript in the same process as the program. Where no namespace stands behind them (`isWalled` is false) nothing
 * may be in a folder that leads out of it, and it is looked through before each run. In a namespace a link leads nowhere:
 * there a folder is looked through when it is not known, or was too full; else at the end of each run that could write.
 */
export function createFolderStates(isWalled: boolean): FolderStates {
  const known = new Map<string, FolderState>();

  function remember(key: string, state: FolderState): FolderState {
    known.delete(key);
    known.set(key, state);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return state;
  }

  return {
    async before(folders, counted, limits) {
      const key = toKey(folders, counted);
      const last = known.get(key);
      if (isWalled && last !== undefined && last.told.full === undefined) return last;
      const all = folders.map(({ dir }) => dir);
      // Where there is no wall all of it must be seen, however much it is.
      const survey = await surveyFolders(all, isWalled ? limits.diskBytes : Number.POSITIVE_INFINITY);
      if (!isWalled) assertNoWayOut(survey);
      const saved = await surveyFolders(counted, limits.diskBytes);
      const over = isWritable(folders) ? toDiskError(sum(survey, saved), limits) : undefined;
      return remember(key, { told: toTold(folders, survey, over), keptBytes: saved.bytes });
    },

    async after(folders, counted, limits) {
      const dirs = folders.map(({ dir }) => dir);
      const survey = await surveyFolders(dirs, limits.diskBytes);
      const saved = await surveyFolders(counted, limits.diskBytes);
      const over = toDiskError(sum(survey, saved), limits);
      const state = { told: toTold(folders, survey, over), keptBytes: saved.bytes };
      remember(toKey(folders, counted), state);
      return over;
    },
  };
}

/** Of a survey that ended early it is not known whether there are links. */
function toTold(
  folders: readonly Folder[],
  { link }: Survey,
  over: RunError | undefined,
): FolderState["told"] {
  if (over !== undefined)
    return { full: `${over.message}. ${over.hint}`, link: "(not all of it was looked through)" };
  const inside = folders.find(({ dir }) => link?.startsWith(`${dir}/`));
  return inside && link !== undefined ? { link: `./${inside.name}${link.slice(inside.dir.length)}` } : {};
}

/** What of it is over the limit. What can't be measured is. */
export function toDiskError({ bytes, entries, unmeasured }: DiskUse, limits: Limits): RunError | undefined {
  if (bytes > limits.diskBytes) return limitError("disk", limits.diskBytes, bytes);
  if (unmeasured === undefined) return undefined;
  const why =
    entries > MAX_ENTRIES
      ? `there are more than ${MAX_ENTRIES} files and folders in the workspace`
      : "there are folders in the workspace that are too deep to be measured, or closed to the host";
  return {
    ...limitError("disk", limits.diskBytes, limits.diskBytes + 1),
    message: `The program went over its limit of disk space: ${why}`,
    hint: "Delete files in ./workspace",
  };
}

const sum = (one: Survey, other: Survey): Survey => ({
  ...one,
  ...(one.unmeasured === undefined && other.unmeasured !== undefined ? { unmeasured: other.unmeasured } : {}),
  bytes: one.bytes + other.bytes,
  entries: one.entries + other.entries,
});

const isWritable = (folders: readonly Folder[]) => folders.some(({ access }) => access === "write");

const toKey = (folders: readonly Folder[], counted: readonly string[]) =>
  JSON.stringify([folders.map(({ dir, access }) => [dir, access]), counted]);

function assertNoWayOut({ wayOut, unmeasured }: Survey): void {
  if (wayOut === undefined && unmeasured === undefined) return;
  const why =
    wayOut === undefined
      ? `Cannot look through a program's folder: there is too much in it, or it is too deep, as at "${toExcerpt(unmeasured ?? "")}"`
      : `Cannot hand a folder to a program: "${toExcerpt(wayOut.path, 1000)}" in it is ${wayOut.what}, which may lead out of it`;
  throw new KeyholeError("file_conflict", why, {
    hint: "Remove it, or install bubblewrap, which keeps programs in even so",
  });
}
