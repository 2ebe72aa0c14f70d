import type { Folder } from "../sandbox.ts";

/** What a tier runs beside programs: commands of its system, behind walls like theirs. */
export type CommandMachine = {
  /** Why it can't, where it can't, and how to get it. Really tried when it is first asked. */
  missing(): string | undefined;
  /** Rejects when it is cancelled or can't be started. However else it ends is an answer. */
  run(spec: CommandSpec, signal: AbortSignal): Promise<CommandEnd>;
};

export type CommandSpec = {
  readonly command: string;
  readonly args: readonly string[];
  /** Others that it starts: all that is there beside it. */
  readonly needs: readonly string[];
  readonly input: Uint8Array;
  /** The one folder it sees, in which it starts. */
  readonly folder: Folder;
  /** Where in it. */
  readonly cwd: string;
  /** Whether nothing can be added to the folder, as on a full disk: files can be read, moved and removed. */
  readonly isFull: boolean;
  readonly limits: CommandLimits;
};

export type CommandLimits = {
  readonly timeMs: number;
  /** Of all its processes together. */
  readonly memoryBytes: number;
  readonly processes: number;
  readonly cores: number | undefined;
  /** What the folder may hold in all. */
  readonly diskBytes: number;
  /** What is kept of each of its two outputs. */
  readonly keptBytes: number;
  /** What is read of both before it is ended. */
  readonly outputBytes: number;
};

export type CommandStop = "time" | "memory" | "processes" | "output" | "disk";

export type CommandEnd = {
  /** As shells tell it: 128 and the number of the signal that ended it. Nothing when it was stopped. */
  readonly code: number | null;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  /** The limit at which it was ended. */
  readonly stoppedBy?: CommandStop;
};

export type KeptOutput = {
  /** The beginning. */
  readonly bytes: Uint8Array;
  /** How much more there was, as far as it was read. */
  readonly cutBytes: number;
};
