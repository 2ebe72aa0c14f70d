import type { Readable, Writable } from "node:stream";

/** A started runner, wherever a tier has put it. Tiers differ in this alone; `bridge.ts` does the rest. */
export type GuestProcess = {
  readonly input: Writable;
  readonly output: Readable;
  /** Settles when the limits around it stand; no program is sent before. Never rejects. */
  readonly prepared: Promise<void>;
  /** Settles when the process is gone and its output has been read to the end; never rejects. */
  readonly ended: Promise<Ending>;
  /** What it has used so far; `undefined` where the platform does not tell. */
  usage(): Usage | undefined;
  /** How long it was ready to run while others had the CPU. */
  cpuWaitMs(): number;
  /** From now on, while other programs run, it gets the CPU time that nobody else wants. May be called again and again. */
  yieldCpu(): void;
  /** Holds it still for a moment, where the platform can. */
  setStopped(isStopped: boolean): void;
  kill(): void;
};

export type Ending = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What the kernel counted, where there is a cgroup: the sure sign of which limit it was. */
  readonly oomKills?: number;
  /** The end of what it wrote to stderr, for a person to read. */
  readonly stderr: string;
};

export type Usage = {
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** Bytes handed to the kernel by `write`, stdout included. */
  readonly writtenBytes?: number;
};
