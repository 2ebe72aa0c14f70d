import { sendArchive } from "../../archive/send-archive.ts";
import { readTar } from "../../archive/tar-reader.ts";
import { type ArchiveOwner, toArchive } from "../../archive/to-archive.ts";
import { withSame } from "../../archive/with-same.ts";
import type { FolderCopies } from "../../machine/folder-copies.ts";
import type { Folder } from "../../sandbox.ts";
import type { Control } from "./control.ts";

/** As whom programs run in there. */
const GUEST_UID = 65_534;

const OWN: ArchiveOwner = { uid: GUEST_UID, fileMode: 0o600, folderMode: 0o700 };
const READ_ONLY: ArchiveOwner = { uid: 0, fileMode: 0o644, folderMode: 0o755 };

export type VmCopies = FolderCopies & {
  /** Whether something was put there, and may be asked for. */
  readonly isWanted: boolean;
};

/** Folders as archives over the control port, unpacked and packed by the machine's first process. */
export function createVmCopies(
  control: Control,
  folders: readonly Folder[],
  maxBytes: number,
  drop: () => Promise<void>,
): VmCopies {
  const put = new Map<string, string>();
  let isWanted = false;

  return {
    get isWanted() {
      return isWanted;
    },
    async put(folder, parts) {
      isWanted = true;
      const owner = folders.find(({ name }) => name === folder)?.access === "write" ? OWN : READ_ONLY;
      const onFile = (path: string, hash: string) => void put.set(`${folder}/${path}`, hash);
      let unpacked: Promise<readonly string[]> | undefined;
      await sendArchive(toArchive(parts, { owner, onFile }), {
        async begin() {
          unpacked = control.line("put");
          unpacked.catch(() => {});
          await control.write(`put ${folder}\n`);
        },
        write: control.write,
      });
      if (!unpacked) return;
      const [, code] = await unpacked;
      if (code !== "0")
        throw new Error("Cannot hand a folder to a virtual machine: it does not fit into its disk");
    },
    async *take(folder) {
      const taking = control.line("taking");
      taking.catch(() => {});
      await control.write(`take ${folder}\n`);
      await taking;
      yield* withSame(readTar(control.bytes, maxBytes), (path) => put.get(`${folder}/${path}`));
      const took = control.line("took");
      took.catch(() => {});
      control.endBytes();
      const [, code] = await took;
      // It has said on its console what it could not read; that is nowhere to be found.
      if (code !== "0") yield { kind: "unread", path: "" };
    },
    drop,
  };
}
