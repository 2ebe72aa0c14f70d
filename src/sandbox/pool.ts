import type { GuestProcess } from "./machine/guest-process.ts";

export type Pool<Key> = {
  /** A process that waits already, or a new one. */
  take(key: Key): GuestProcess;
  /** Has processes waiting for this key again. Call it when a run has ended: at its start it would slow it down. */
  refill(key: Key): void;
  close(): void;
};

export type PoolOptions<Key> = {
  /** How many processes wait, over all keys; the key used last has precedence. */
  readonly size: number;
  /** One that has waited longer than this is ended; the next run has it replaced. */
  readonly maxIdleMs: number;
  toText(key: Key): string;
  /** `waits`: it has time to prepare, since no program is there yet. */
  launch(key: Key, waits: boolean): GuestProcess;
};

export function createPool<Key>({ size, maxIdleMs, toText, launch }: PoolOptions<Key>): Pool<Key> {
  let idle: { key: string; guest: GuestProcess; timer: NodeJS.Timeout }[] = [];
  let isClosed = false;

  function drop(guest: GuestProcess): void {
    const found = idle.find((entry) => entry.guest === guest);
    clearTimeout(found?.timer);
    idle = idle.filter((entry) => entry !== found);
    guest.kill();
  }

  function add(key: Key, text: string): void {
    const guest = launch(key, true);
    const timer = setTimeout(() => drop(guest), maxIdleMs);
    timer.unref();
    idle.push({ key: text, guest, timer });
    void guest.ended.then(() => drop(guest));
  }

  return {
    take(key) {
      const text = toText(key);
      const found = idle.find((entry) => entry.key === text);
      if (!found) return launch(key, false);
      clearTimeout(found.timer);
      idle = idle.filter((entry) => entry !== found);
      return found.guest;
    },
    refill(key) {
      if (isClosed) return;
      const text = toText(key);
      const missing = size - idle.filter((entry) => entry.key === text).length;
      const others = idle.filter((entry) => entry.key !== text);
      for (const { guest } of others.slice(0, Math.max(0, idle.length + missing - size))) drop(guest);
      for (let count = 0; count < missing; count++) add(key, text);
    },
    close() {
      isClosed = true;
      for (const { guest } of idle) drop(guest);
    },
  };
}
