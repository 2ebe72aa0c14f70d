import type { Duplex } from "node:stream";
import { KeyholeError } from "../../../errors.ts";
import { sendArchive } from "../../archive/send-archive.ts";
import { readTar } from "../../archive/tar-reader.ts";
import { type ArchiveOwner, toArchive } from "../../archive/to-archive.ts";
import { withSame } from "../../archive/with-same.ts";
import type { FolderCopies } from "../../machine/folder-copies.ts";
import type { DiskUse } from "../../machine/machine.ts";
import { ENTRY_BYTES } from "../../machine/survey.ts";
import { createByteReader } from "./byte-reader.ts";
import { demux } from "./demux.ts";

/** The shell has no rights to make them anybody else's than its own. */
const OWNER: ArchiveOwner = { uid: 0, fileMode: 0o600, folderMode: 0o700 };
const LINE_BYTES = 200;
/** Without a byte for so long, nothing more is expected of it. */
const SILENCE_MS = 30_000;
/** However little comes at a time. */
const WHOLE_MS = 10 * 60_000;

export type FolderChannel = Pick<FolderCopies, "put" | "take"> & {
  /** Ends all processes of the container but its first one. Rejects where nobody is there to do it. */
  killOthers(): Promise<void>;
  /** `enough`: from how many bytes on nothing else matters. */
  look(folders: readonly string[], enough: number): Promise<DiskUse>;
  close(): void;
};

/**
 * Speaks with the shell in a container that has its folders (`FILES` of scripts.ts). All that it says is hostile.
 * @param maxBytes more than this no file can be
 */
export function createFolderChannel(socket: Duplex, maxBytes: number): FolderChannel {
  const reader = createByteReader((isPaused) => {
    if (isPaused) socket.pause();
    else socket.resume();
  });
  /** What each file was when it was put there, by its folder. */
  const given = new Map<string, Map<string, string>>();
  let last: Promise<void> = Promise.resolve();
  let silence: NodeJS.Timeout | undefined;
  socket.on("error", () => {});
  demux(socket, {
    onStdout(piece) {
      silence?.refresh();
      reader.push(piece);
    },
    onStderr() {},
    onEnd: reader.end,
  });

  /** One thing at a time: the turn is over when what it gives is called. */
  async function turn(): Promise<() => void> {
    const before = last;
    let leave = () => {};
    last = new Promise<void>((resolve) => {
      leave = resolve;
    });
    await before;
    silence = setTimeout(() => socket.destroy(), SILENCE_MS);
    const late = setTimeout(() => socket.destroy(), WHOLE_MS);
    return () => {
      clearTimeout(silence);
      clearTimeout(late);
      leave();
    };
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await turn();
    return work().finally(leave);
  }

  async function write(bytes: Uint8Array | string): Promise<void> {
    silence?.refresh();
    if (socket.write(bytes) || socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off("drain", done).off("close", done);
        resolve();
      };
      socket.once("drain", done).once("close", done);
    });
  }

  async function answer(word: string): Promise<string[]> {
    const [said, ...rest] = (await reader.readLine(LINE_BYTES)).split(" ");
    if (said !== word) throw new Error("The container's shell answers something else");
    return rest;
  }

  async function countEntries(folder: string, enough: number): Promise<number> {
    await write(`count ${folder} ${Math.ceil(enough / ENTRY_BYTES) + 2}\n`);
    const [count] = await answer("count");
    return Math.max(0, Number(count) - 1) || 0;
  }

  return {
    put: (folder, parts) =>
      inTurn(async () => {
        const hashes = new Map<string, string>();
        given.set(folder, hashes);
        const onFile = (path: string, hash: string) => void hashes.set(path, hash);
        const isSent = await sendArchive(toArchive(parts, { owner: OWNER, onFile }), {
          begin: () => write(`put ${folder}\n`),
          write,
        });
        if (!isSent) return;
        const [status] = await answer("put");
        if (status !== "0") throw noRoom(folder);
      }),

    async *take(folder) {
      const leave = await turn();
      let isWhole = false;
      try {
        await write(`take ${folder}\n`);
        yield* withSame(readTar(reader.read, maxBytes), (path) => given.get(folder)?.get(path));
        const [status] = await answer("take");
        isWhole = true;
        if (status !== "0") yield { kind: "unread", path: "what tar can't read" };
      } finally {
        // What is left of it must not be taken for another answer.
        if (!isWhole) socket.destroy();
        leave();
      }
    },

    killOthers: () =>
      inTurn(async () => {
        await write("kill\n");
        await answer("kill");
      }),

    look: (folders, enough) =>
      inTurn(async () => {
        let [bytes, entries] = [0, 0];
        for (const folder of folders) {
          await write(`look ${folder}\n`);
          const [unit = 0, blocks = 0, free = 0, inodes = 0, freeInodes = 0] = (await answer("look")).map(
            Number,
          );
          // gVisor does not tell how many there are.
          const used = inodes > 0 ? inodes - freeInodes - 1 : await countEntries(folder, enough);
          entries += used;
          bytes += Math.max((blocks - free) * unit, used * ENTRY_BYTES);
        }
        return { bytes, entries };
      }),

    close() {
      socket.destroy();
    },
  };
}

const noRoom = (folder: string) =>
  new KeyholeError("too_large", `Cannot hand "./${folder}" to a container: it does not fit`, {
    hint: "Delete files in it, or raise resourceLimits.disk",
  });
