import { chmod, stat } from "node:fs/promises";
import { KeyholeError } from "../errors.ts";
import type { Limits } from "./limits.ts";
import { type FolderStates, toBounds } from "./machine/folder-state.ts";
import type { Machine } from "./machine/machine.ts";
import type { Folder, SandboxCommands } from "./sandbox.ts";

const MIB = 1024 * 1024;
/** Of each output; what is longer belongs into a file. */
const KEPT_BYTES = MIB;
/** Of both, before the command is ended. */
const OUTPUT_BYTES = 16 * MIB;

export type MachineCommandsOptions = {
  readonly limits: Limits;
  readonly folderStates: FolderStates;
  toReal(folder: Folder): Folder;
};

/** Runs commands in a machine that can, with the limits of programs. */
export function createMachineCommands(
  { tier, commands }: Machine,
  { limits, folderStates, toReal }: MachineCommandsOptions,
): SandboxCommands {
  const missing = () => (commands ? commands.missing() : `the tier "${tier}" runs no commands`);
  return {
    missing,
    async run(command, { folder, countedDirs, timeMs, signal, onMeasured }) {
      const why = missing();
      if (!commands || why !== undefined)
        throw new KeyholeError("denied", `"${command.command}" is not run: ${why}`);
      const place = toReal(folder);
      const isWritable = place.access === "write";
      // Asked for as the program has it: what is known of it is known of both.
      const state = await folderStates.before([place], countedDirs, limits);
      const isFull = isWritable && state.isFull;
      const { memoryBytes, processes, cores } = limits;
      const diskBytes = Math.max(0, toBounds(place, limits).diskBytes - state.keptBytes);
      const { mode } = await stat(place.dir);
      const end = await commands
        .run(
          {
            ...command,
            folder: place,
            isFull,
            limits: {
              timeMs,
              memoryBytes,
              processes,
              cores,
              diskBytes,
              keptBytes: KEPT_BYTES,
              outputBytes: OUTPUT_BYTES,
            },
          },
          signal,
        )
        .finally(() => restoreMode(place.dir, mode));
      if (!isWritable) return end;
      const over = await folderStates.after([place], countedDirs, limits, { told: state.told, onMeasured });
      return over && end.stoppedBy === undefined ? { ...end, code: null, stoppedBy: "disk" } : end;
    },
  };
}

/** A command can lock its own folder, and then nobody could work in it again. */
async function restoreMode(dir: string, mode: number): Promise<void> {
  const now = await stat(dir).catch(() => undefined);
  if (now !== undefined && now.mode !== mode) await chmod(dir, mode & 0o7777).catch(() => {});
}
