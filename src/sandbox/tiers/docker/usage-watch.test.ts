import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchContainer } from "./usage-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A container that uses so much of a core, and how often its folders were looked at. */
function watched(share: () => number) {
  let cpuMs = 0;
  let looks = 0;
  const cgroup = {
    usage: () => ({ cpuMs, anonBytes: 0, sharedBytes: 0 }),
    oomKills: () => 0,
    close() {},
  };
  const watch = watchContainer(
    {
      spec: { memoryBytes: 1e9, disk: { folders: ["workspace"], maxBytes: 1e9 } },
      cgroup: () => cgroup,
      isSentry: true,
      askDaemon: async () => undefined,
      look: async () => {
        looks++;
        // What the processes of a look take counts as the program's.
        cpuMs += 16;
        return { bytes: 0, entries: 0 };
      },
    },
    () => {},
  );
  return {
    async pass(ms: number) {
      const before = looks;
      for (let passed = 0; passed < ms; passed += 10) {
        cpuMs += share() * 10;
        await vi.advanceTimersByTimeAsync(10);
      }
      return looks - before;
    },
    stop: watch.stop,
  };
}

describe("the folders of a container", () => {
  it("are looked at ever more rarely while its program waits, and at once when it works again", async () => {
    let share = 0.002;
    const { pass, stop } = watched(() => share);
    expect(await pass(10_000)).toBeLessThan(8);
    expect(await pass(600_000)).toBeLessThan(30);
    share = 1;
    expect(await pass(1_000)).toBeGreaterThan(20);
    stop();
  });

  it("are looked at again and again while its program works, however little at a time", async () => {
    const { pass, stop } = watched(() => 0.05);
    expect(await pass(10_000)).toBeGreaterThan(100);
    stop();
  });
});
