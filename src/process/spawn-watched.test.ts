import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { signalGroup, spawnWatched } from "./spawn-watched.ts";
import { canWatch } from "./watchdog.ts";

const outputOf = (child: ChildProcess) => text(child.stdout ?? Readable.from([]));
const env = { PATH: process.env["PATH"] };

describe.runIf(canWatch)("a watched process", () => {
  it("takes what it started with it when it ends by itself", async () => {
    const child = spawnWatched("/bin/sh", ["-c", "sleep 600 & echo $!"], { env });
    // The sleeping one holds the pipe too: it ends when both are gone.
    const pid = Number(await outputOf(child));
    expect(pid).toBeGreaterThan(0);
  });

  it("is ended with its group by a signal, once, and not after that", async () => {
    const child = spawnWatched("/bin/sh", ["-c", "sleep 600 & sleep 600"], { env });
    await once(child, "spawn");
    signalGroup(child, "SIGKILL");
    const [code, signal] = await once(child, "close");
    expect([code, signal]).toEqual([null, "SIGKILL"]);
    signalGroup(child, "SIGKILL");
  });

  it("runs its setup first, and finds what it is handed", async () => {
    const child = spawnWatched("a word", ["/bin/sh", "-c", 'cat <&4; echo "$0"', "b"], {
      env,
      setup: "echo $1; shift",
      handed: ["pipe"],
      stderr: "ignore",
    });
    const handed = child.stdio[4];
    if (handed && "end" in handed) handed.end("handed\n");
    expect(await outputOf(child)).toBe("a word\nhanded\nb\n");
  });

  it("reports a command that is not there as the shell does", async () => {
    const child = spawnWatched("/no/such/command", [], { env });
    expect((await once(child, "close"))[0]).toBe(127);
  });
});
