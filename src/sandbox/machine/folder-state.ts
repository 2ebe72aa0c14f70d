import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { Limits } from "../limits.ts";
import type { Folder, FolderUse, RunError } from "../sandbox.ts";
import { toDiskError } from "./disk-error.ts";
import { type Survey, surveyFolders } from "./survey.ts";

export type FolderState = {
  /** What the program is told of each folder, by its name. */
  readonly told: Readonly<Record<string, ToldOfFolder>>;
  /** Something is full. */
  readonly isFull: boolean;
  /** What the host keeps beside them. */
  readonly keptBytes: number;
};

/** `full` says why nothing more can be written; `link` names a link in it. */
export type ToldOfFolder = { readonly full?: string; readonly link?: string };

export type FolderStates = {
  /** Before a run. Rejects where a folder must not be handed to a program as it is. */
  before(folders: readonly Folder[], counted: readonly string[], limits: Limits): Promise<FolderState>;
  /**
   * After a run that could write: what it went over, if it did, of folders that were not full before. Of a large folder that is
   * known later, to the next run.
   */
  after(
    folders: readonly Folder[],
    counted: readonly string[],
    limits: Limits,
    before: { readonly told?: FolderState["told"]; readonly onMeasured?: OnMeasured | undefined },
  ): Promise<RunError | undefined>;
  /** Waits for what is still looked through. */
  close(): Promise<void>;
};

type OnMeasured = (folder: Folder, use: FolderUse) => Promise<void> | void;

const MAX_KNOWN = 1_000;
/** One with more in it is looked through while others run: it takes longer than most programs do. */
const LARGE_ENTRIES = 10_000;

/**
 * Knows what is in the folders of runs.
 *
 * Deno's permissions follow links that stand in a granted folder. The guest's own file functions follow none; but they
 * are JavaScript in the same process as the program. Where no namespace stands behind them (`isWalled` is false) nothing
 * may be in a folder that leads out of it, and it is looked through before each run. In a namespace a link leads nowhere:
 * there a folder is looked through when it is not known, or was too full; else at the end of each run that could write.
 */
export function createFolderStates(isWalled: boolean): FolderStates {
  const known = new Map<string, FolderUse>();
  /** Large folders that are looked through, and whether once more after that. */
  const looks = new Map<string, { isAgain: boolean; readonly done: Promise<void> }>();
  let isClosing = false;

  function remember(key: string, use: FolderUse): FolderUse {
    known.delete(key);
    known.set(key, use);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return use;
  }

  async function measure(folder: Folder, { diskBytes }: Limits): Promise<FolderUse> {
    const survey = await surveyFolders([folder.dir], diskBytes, () => isClosing);
    return remember(folder.dir, toUse(survey, folder));
  }

  async function measureKept(counted: readonly string[], limits: Limits): Promise<FolderUse> {
    const key = JSON.stringify(counted);
    return remember(key, toUse(await surveyFolders(counted, limits.diskBytes), undefined));
  }

  async function lookThrough(folder: Folder, limits: Limits): Promise<FolderUse> {
    if (isWalled) {
      const last = known.get(folder.dir) ?? folder.known;
      if (last !== undefined && toOver(last, folder, limits, 0) === undefined) return last;
      return measure(folder, toBounds(folder, limits));
    }
    // Where there is no wall all of it must be seen, however much it is.
    const survey = await surveyFolders([folder.dir], Number.POSITIVE_INFINITY);
    assertNoWayOut(survey);
    return remember(folder.dir, toUse(survey, folder));
  }

  /** The run does not wait for it; whoever ends meanwhile has it done once more. */
  function measureLater(folder: Folder, limits: Limits, onMeasured: OnMeasured): void {
    const look = looks.get(folder.dir);
    if (look !== undefined) {
      look.isAgain = true;
      return;
    }
    const work = async () => {
      do {
        const own = looks.get(folder.dir);
        if (own) own.isAgain = false;
        await onMeasured(folder, await measure(folder, limits));
      } while (looks.get(folder.dir)?.isAgain === true && !isClosing);
    };
    // What could not be looked through is not known: the next run looks.
    const done = Promise.resolve()
      .then(work)
      .catch(() => void known.delete(folder.dir))
      .finally(() => looks.delete(folder.dir));
    looks.set(folder.dir, { isAgain: false, done });
  }

  return {
    async before(folders, counted, limits) {
      const saved = known.get(JSON.stringify(counted)) ?? (await measureKept(counted, limits));
      const told: Record<string, ToldOfFolder> = {};
      let isFull = false;
      for (const [at, folder] of folders.entries()) {
        const use = await lookThrough(folder, limits);
        const over = isWritable(folder) ? toOver(use, folder, limits, at === 0 ? saved.bytes : 0) : undefined;
        isFull ||= over !== undefined;
        told[folder.name] = toTold(use, over);
      }
      return { told, isFull, keptBytes: saved.bytes };
    },

    async after(folders, counted, limits, { told = {}, onMeasured = () => {} }) {
      const saved = await measureKept(counted, limits);
      let first: RunError | undefined;
      for (const [at, folder] of folders.entries()) {
        if (!isWritable(folder)) continue;
        const bounds = toBounds(folder, limits);
        const last = known.get(folder.dir) ?? folder.known;
        if (isWalled && (last?.entries ?? 0) > LARGE_ENTRIES) {
          measureLater(folder, bounds, onMeasured);
          continue;
        }
        const use = await measure(folder, bounds);
        await onMeasured(folder, use);
        if (told[folder.name]?.full === undefined)
          first ??= toOver(use, folder, limits, at === 0 ? saved.bytes : 0);
      }
      return first;
    },

    async close() {
      isClosing = true;
      await Promise.all([...looks.values()].map(({ done }) => done));
    },
  };
}

/** The limits of a run, as far as they are of its files: its own quota, within what a run may have at all. */
export function toBounds({ quota }: Folder, limits: Limits): Limits {
  if (quota === undefined) return limits;
  return {
    ...limits,
    diskBytes: Math.min(quota.bytes, limits.diskBytes),
    diskEntries: Math.min(quota.entries, limits.diskEntries),
  };
}

function toOver(use: FolderUse, folder: Folder, limits: Limits, keptBytes: number): RunError | undefined {
  const where = folder.name === "workspace" ? undefined : `./${folder.name}`;
  return toDiskError({ ...use, bytes: use.bytes + keptBytes }, toBounds(folder, limits), where);
}

/** Of a survey that ended early it is not known whether there are links. */
function toTold({ link }: FolderUse, over: RunError | undefined): ToldOfFolder {
  if (over !== undefined)
    return { full: `${over.message}. ${over.hint}`, link: "(not all of it was looked through)" };
  return link === undefined ? {} : { link };
}

function toUse({ bytes, entries, unmeasured, link }: Survey, folder: Folder | undefined): FolderUse {
  return {
    bytes,
    entries,
    ...(unmeasured === undefined ? {} : { unmeasured }),
    ...(link === undefined || folder === undefined
      ? {}
      : { link: `./${folder.name}${link.slice(folder.dir.length)}` }),
  };
}

const isWritable = ({ access }: Folder) => access === "write";

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
