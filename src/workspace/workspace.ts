import { chmod, lstat, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { Folder, FolderQuota, FolderUse } from "../sandbox/sandbox.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { type HeldFolder, inHeldFolder } from "../store/held-folder.ts";
import { SHARED_FOLDER } from "../store/own-tree.ts";
import type { StateDir } from "../store/state-dir.ts";
import { toFolderName } from "./principal-folder.ts";
import { createSharedWorkspaces, type SharedWorkspaces } from "./shared-workspaces.ts";
import type { WorkspaceId } from "./workspace-id.ts";
import type { WorkspaceLocks } from "./workspace-locks.ts";
import type { WorkspaceUses } from "./workspace-uses.ts";

/** The folders that programs read and write: one for each principal, and those that are shared. */
export type Workspaces = {
  /** Made if it is not there. A link in its place, or a folder of another user's, is refused. */
  folder(principal?: string): Promise<Folder>;
  /** Those that are shared with a principal, `shared/NAME` to its programs. */
  sharedWith(principal: string): Promise<readonly Folder[]>;
  /** What lies in one of these folders, as far as that is known. */
  measured(folder: Folder, use: FolderUse): Promise<void>;
  /** While a program works in them nobody changes one as a whole. */
  use<T>(folders: readonly Folder[], work: () => Promise<T>): Promise<T>;
};

export type WorkspacesOptions = {
  readonly uses?: WorkspaceUses;
  readonly locks?: WorkspaceLocks;
  /** What a process was killed in the midst of is finished before anybody sees it. */
  finish?(id: WorkspaceId): Promise<void>;
  readonly shared?: SharedWorkspaces;
  quotaOf?(id: WorkspaceId): FolderQuota | undefined;
};

const NAME = "workspace";
const OTHERS = "workspaces";
const OWNERS = 0o700;
export const IGNORE_FILE = ".gitignore";

export function createWorkspaces(
  projectDir: string,
  state: Pick<StateDir, "path" | "inFolder">,
  { uses, locks, finish, shared = createSharedWorkspaces(), quotaOf }: WorkspacesOptions = {},
): Workspaces {
  const ids = new Map<string, WorkspaceId>();

  async function open(id: WorkspaceId, name: string, access: Folder["access"]): Promise<Folder> {
    await finish?.(id);
    const dir = await openWorkspace(projectDir, state, id, { make: true });
    if (dir === undefined) throw noFolder(toWorkspaceDir(projectDir, state, id));
    // As a sandbox knows it.
    ids.set(await realpath(dir), id);
    const quota = quotaOf?.(id);
    const known = (await uses?.read(id))?.measured;
    return { name, dir, access, ...(quota && { quota }), ...(known && { known }) };
  }

  /** Noted before: a program may go on for long, and be killed with its host. */
  async function entered<T>(id: WorkspaceId, work: () => Promise<T>): Promise<T> {
    await uses?.touch(id);
    return work();
  }

  return {
    folder: (principal = LOCAL_PRINCIPAL) => open({ kind: "own", name: principal }, NAME, "write"),
    sharedWith: (principal) =>
      Promise.all(
        shared
          .of(principal)
          .map(({ name, access }) => open({ kind: "shared", name }, `${SHARED_FOLDER}/${name}`, access)),
      ),
    async measured({ dir }, use) {
      const id = ids.get(dir);
      if (id !== undefined) await uses?.note(id, use);
    },
    async use(folders, work) {
      const found = await Promise.all(folders.map(async ({ dir }) => ids.get(await realpath(dir)) ?? []));
      const leased = found
        .flat()
        .reduceRight<() => ReturnType<typeof work>>(
          (inner, id) => (locks === undefined ? inner : () => locks.shared(id, () => entered(id, inner))),
          work,
        );
      return leased();
    },
  };
}

/** Where it lies; nothing where there is none, unless it is made. */
export async function openWorkspace(
  projectDir: string,
  state: Pick<StateDir, "path" | "inFolder">,
  id: WorkspaceId,
  { make }: { readonly make: boolean },
): Promise<string | undefined> {
  const dir = toWorkspaceDir(projectDir, state, id);
  const stats = await lstat(dir).catch(() => undefined);
  const isNew = make && stats === undefined;
  // A program can close its own folder, and with a shared one everybody's.
  if (stats?.isDirectory() && (stats.mode & OWNERS) !== OWNERS) await chmod(dir, OWNERS).catch(() => {});
  const opened = await inWorkspace(projectDir, state, id, { make }, async (held) => {
    if (isNew) await ignoreInGit(held);
    return true;
  });
  return opened ? dir : undefined;
}

/** Held open, by whatever name it lies. */
export async function inWorkspace<T>(
  projectDir: string,
  state: Pick<StateDir, "inFolder">,
  id: WorkspaceId,
  options: { readonly make: boolean },
  work: (folder: HeldFolder) => Promise<T>,
): Promise<T | undefined> {
  const steps = toSteps(id);
  return isLocal(id) ? inHeldFolder(projectDir, steps, options, work) : state.inFolder(steps, options, work);
}

export function toWorkspaceDir(projectDir: string, state: Pick<StateDir, "path">, id: WorkspaceId): string {
  return join(isLocal(id) ? projectDir : state.path, ...toSteps(id));
}

function toSteps(id: WorkspaceId): string[] {
  if (id.kind === "shared") return [SHARED_FOLDER, id.name];
  return isLocal(id) ? [NAME] : [OTHERS, toFolderName(id.name)];
}

function isLocal({ kind, name }: WorkspaceId): boolean {
  return kind === "own" && name === LOCAL_PRINCIPAL;
}

/** What programs keep is data, often of others: it does not belong into a repository unless somebody puts it there. */
export async function ignoreInGit({ path }: HeldFolder): Promise<void> {
  await writeFile(join(path, IGNORE_FILE), "*\n", { flag: "wx", mode: 0o600 }).catch(() => {});
}

function noFolder(dir: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot make the folder "${dir}"`, {
    hint: "Programs keep their files there: move away what is in its place, or let it be written to",
  });
}
