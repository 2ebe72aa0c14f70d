import type { Readable, Writable } from "node:stream";
import type { GuestSpec } from "../guest-spec.ts";
import type { Limits } from "../limits.ts";
import type { Folder } from "../sandbox.ts";
import type { CommandMachine } from "./commands.ts";
import type { FolderCopies } from "./folder-copies.ts";

/**
 * A place that can start runners: a tier is one of these, and nothing else of it is known outside its folder. The runner
 * may be a process here, in a container, in a VM or on another host.
 */
export type Machine = {
  readonly tier: string;
  /** What is around a program here: `deno`, `bubblewrap`, `cgroup pids`. */
  readonly layers: readonly string[];
  /** What this tier would have around a program and has not here, and how to get it. */
  readonly missingWall?: string;
  /** What to install or grant for limits that do not hold. */
  readonly fix?: string;
  /** Whether something behind the runtime's own permissions keeps programs in: then a link in a folder leads nowhere. */
  readonly isWalled: boolean;
  /** `copied`: it does not see this host's files. Its processes have `copies`. */
  readonly files: "shared" | "copied";
  /** How it holds `limits.cores`: to any part of one, to whole ones, or not at all. */
  readonly cores: "any" | "whole" | "none";
  /** Where it can also run commands. */
  readonly commands?: CommandMachine;
  start(spec: StartSpec): MachineProcess | Promise<MachineProcess>;
  /** Called once, when no process is left. */
  close(): Promise<void>;
};

/** How a tier makes its machine. */
export type CreateMachine = (spec: MachineSpec) => Machine;

export type MachineSpec = {
  /** Of all its processes; one can be started with lower ones. */
  readonly limits: Limits;
  /** What runs inside. */
  readonly guest: GuestSpec;
};

export type StartSpec = {
  /** Where they are copied, the names and the access alone count. */
  readonly folders: readonly Folder[];
  readonly limits: Limits;
  /** Whether it has time to prepare, since no program is there yet. */
  readonly waits: boolean;
  /** Whether no other program runs: then there is nobody to leave the CPU to. */
  readonly isAlone: () => boolean;
};

/** A started runner. Never a promise that rejects: whatever goes wrong is told by `ended`. */
export type MachineProcess = {
  readonly input: Writable;
  readonly output: Readable;
  /** Settles when the limits around it stand; no program is sent before. */
  readonly prepared: Promise<void>;
  /** Settles when the process is gone and its output has been read to the end. */
  readonly ended: Promise<MachineEnd>;
  /** The folders, where the program's process finds them. */
  readonly folders: readonly Folder[];
  readonly copies?: FolderCopies;
  /**
   * Tells again and again what it uses, at its own pace: oftener near a limit, at once if it can, and a last time when it is
   * killed. A machine that knows nothing of it never calls back.
   */
  watch(spec: WatchSpec, onUsage: (usage: Usage) => void): void;
  /** From now on, while other programs run, it gets the CPU time that nobody else wants. May be called again and again. */
  yieldCpu(): void;
  kill(): void;
};

export type WatchSpec = {
  readonly memoryBytes: number;
  /** Folders by name whose contents are measured, and from how many bytes on nothing else matters. */
  readonly disk?: { readonly folders: readonly string[]; readonly maxBytes: number };
};

/** Counted from the start of the process. What a machine can't tell is left out. */
export type Usage = {
  readonly cpuMs?: number;
  readonly memoryBytes?: number;
  /** How long it was ready to run while others had the CPU. */
  readonly cpuWaitMs?: number;
  /** By the last look at the folders. */
  readonly disk?: DiskUse;
};

export type DiskUse = {
  readonly bytes: number;
  readonly entries: number;
  /** What could not be looked at, or where it stopped because there was too much. */
  readonly unmeasured?: string;
};

export type MachineEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What the kernel counted, where there is a cgroup: the sure sign of which limit it was. */
  readonly oomKills?: number;
  /** The end of what it wrote to stderr, for a person to read. */
  readonly stderr: string;
};
