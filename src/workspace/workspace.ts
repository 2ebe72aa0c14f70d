import { lstat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { Folder } from "../sandbox/sandbox.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { type HeldFolder, inHeldFolder } from "../store/held-folder.ts";
import type { StateDir } from "../store/state-dir.ts";
import { toFolderName } from "./principal-folder.ts";

/** The folders that programs read and write, one for each principal. */
export type Workspaces = {
  /** Made if it is not there. A link in its place, or a folder of another user's, is refused. */
  folder(principal?: string): Promise<Folder>;
};

const NAME = "workspace";
const OTHERS = "workspaces";

export function createWorkspaces(projectDir: string, state: Pick<StateDir, "path" | "inFolder">): Workspaces {
  return {
    async folder(principal = LOCAL_PRINCIPAL) {
      const isLocal = principal === LOCAL_PRINCIPAL;
      const steps = isLocal ? [NAME] : [OTHERS, toFolderName(principal)];
      const dir = isLocal ? join(projectDir, NAME) : join(state.path, ...steps);
      const isNew = await isMissing(dir);
      const opened = await (isLocal
        ? inHeldFolder(projectDir, steps, { make: true }, (held) => prepare(held, isNew))
        : state.inFolder(steps, { make: true }, (held) => prepare(held, isNew)));
      if (!opened) throw noFolder(dir);
      return { name: NAME, dir, access: "write" };
    },
  };
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
