import { lstat, realpath, writeFile } from "node:fs/promises";
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
import type { WorkspaceUses } from "./workspace-uses.ts";

/** The folders that programs read and write: one for each principal, and those that are shared. */
export type Workspaces = {
  /** Made if it is not there. A link in its place, or a folder of another user's, is refused. */
  folder(principal?: string): Promise<Folder>;
  /** Those that are shared with a principal, `shared/NAME` to its programs. */
  sharedWith(principal: string): Promise<readonly Folder[]>;
  /** What lies in one of these folders, as far as that is known. */
  measured(folder: Folder, use: FolderUse): Promise<void>;
};

export type WorkspacesOptions = {
  readonly uses?: WorkspaceUses;
  readonly shared?: SharedWorkspaces;
  quotaOf?(id: WorkspaceId): FolderQuota | undefined;
};

const NAME = "workspace";
const OTHERS = "workspaces";

export function createWorkspaces(
  projectDir: string,
  state: Pick<StateDir, "path" | "inFolder">,
  { uses, shared = createSharedWorkspaces(), quotaOf }: WorkspacesOptions = {},
): Workspaces {
  const ids = new Map<string, WorkspaceId>();

  async function open(id: WorkspaceId, name: string, access: Folder["access"]): Promise<Folder> {
    const dir = await openWorkspace(projectDir, state, id, { make: true });
    if (dir === undefined) throw noFolder(toWorkspaceDir(projectDir, state, id));
    // As a sandbox knows it.
    ids.set(await realpath(dir), id);
    const quota = quotaOf?.(id);
    const known = await uses?.read(id);
    return { name, dir, access, ...(quota && { quota }), ...(known && { known }) };
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
  const isNew = make && (await isMissing(dir));
  const steps = toSteps(id);
  const opened = await (isLocal(id)
    ? inHeldFolder(projectDir, steps, { make }, (held) => prepare(held, isNew))
    : state.inFolder(steps, { make }, (held) => prepare(held, isNew)));
  return opened ? dir : undefined;
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
async function prepare({ path }: HeldFolder, isNew: boolean): Promise<true> {
  if (isNew) await writeFile(join(path, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 }).catch(() => {});
  return true;
}

async function isMissing(dir: string): Promise<boolean> {
  return lstat(dir).then(
    () => false,
    () => true,
  );
}

function noFolder(dir: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot make the folder "${dir}"`, {
    hint: "Programs keep their files there: move away what is in its place, or let it be written to",
  });
}
