import type { MachineProcess } from "./machine/machine.ts";

export type Pool<Key> = {
  /** A process that waits already for the first of these keys that has one, or a new one for the first. */
  take(keys: readonly [Key, ...Key[]]): Promise<MachineProcess>;
  /** Has a process waiting for each of these keys again: these. Call it when a run has ended: at its start it would slow it down. */
  refill(keys: readonly Key[]): readonly Promise<MachineProcess>[];
  close(): void;
};

export type PoolOptions<Key> = {
  /** How many processes wait, over all keys; those asked for last have precedence. */
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
    take(keys) {
      const found = keys.map(toText).flatMap((text) => idle.find(({ key }) => key === text) ?? [])[0];
      if (!found) return launch(keys[0], false);
      clearTimeout(found.timer);
      idle = idle.filter((entry) => entry !== found);
      return found.process;
    },
    refill(keys) {
      if (isClosed) return [];
      const others = [...idle];
      const missing = keys.slice(0, size).filter((key) => {
        const at = others.findIndex((entry) => entry.key === toText(key));
        if (at !== -1) others.splice(at, 1);
        return at === -1;
      });
      for (const { process } of others.slice(0, Math.max(0, idle.length + missing.length - size)))
        drop(process);
      for (const key of missing) add(key, toText(key));
      return idle.filter((entry) => !others.includes(entry)).map(({ process }) => process);
    },
    close() {
      isClosed = true;
      for (const { process } of idle) drop(process);
    },
  };
}
