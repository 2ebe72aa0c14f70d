import type { MachineProcess } from "./machine/machine.ts";

export type Pool<Key> = {
  /** A process that waits already, or a new one. */
  take(key: Key): Promise<MachineProcess>;
  /** Has processes waiting for this key again: these. Call it when a run has ended: at its start it would slow it down. */
  refill(key: Key): readonly Promise<MachineProcess>[];
  close(): void;
};

export type PoolOptions<Key> = {
  /** How many processes wait, over all keys; the key used last has precedence. */
  readonly size: number;
  /** One that has waited longer than this is ended; the next run has it replaced. */
  readonly maxIdleMs: number;
  toText(key: Key): string;
  /** `waits`: it has time to prepare, since no program is there yet. */
  launch(key: Key, waits: boolean): Promise<MachineProcess>;
};

type Idle = {
  readonly key: string;
  readonly process: Promise<MachineProcess>;
  readonly timer: NodeJS.Timeout;
};

export function createPool<Key>({ size, maxIdleMs, toText, launch }: PoolOptions<Key>): Pool<Key> {
  let idle: Idle[] = [];
  let isClosed = false;

  function drop(process: Promise<MachineProcess>): void {
    const found = idle.find((entry) => entry.process === process);
    clearTimeout(found?.timer);
    idle = idle.filter((entry) => entry !== found);
    process.then(({ kill }) => kill()).catch(() => {});
  }

  function add(key: Key, text: string): Promise<MachineProcess> {
    const process = launch(key, true);
    const timer = setTimeout(() => drop(process), maxIdleMs);
    timer.unref();
    idle.push({ key: text, process, timer });
    // Where none can be started now, the next run starts its own, and says what is wrong.
    const dropThis = () => drop(process);
    void process.then(({ ended }) => ended).then(dropThis, dropThis);
    return process;
  }

  return {
    take(key) {
      const text = toText(key);
      const found = idle.find((entry) => entry.key === text);
      if (!found) return launch(key, false);
      clearTimeout(found.timer);
      idle = idle.filter((entry) => entry !== found);
      return found.process;
    },
    refill(key) {
      if (isClosed) return [];
      const text = toText(key);
      const missing = size - idle.filter((entry) => entry.key === text).length;
      const others = idle.filter((entry) => entry.key !== text);
      for (const { process } of others.slice(0, Math.max(0, idle.length + missing - size))) drop(process);
      for (let count = 0; count < missing; count++) add(key, text);
      return idle.filter((entry) => entry.key === text).map(({ process }) => process);
    },
    close() {
      isClosed = true;
      for (const { process } of idle) drop(process);
    },
  };
}
