import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { blockedImports } from "../../../src/sandbox/deno/blocked-imports.ts";
import { denoArguments } from "../../../src/sandbox/deno/deno-arguments.ts";
import { findDeno } from "../../../src/sandbox/deno/find-deno.ts";
import { watchDisk } from "../../../src/sandbox/machine/disk-watch.ts";
import type {
  Machine,
  MachineEnd,
  MachineProcess,
  MachineSpec,
  StartSpec,
} from "../../../src/sandbox/machine/machine.ts";
import { createCopies, removeTree } from "./copies.ts";

const LOOK_EVERY_MS = 50;

/**
 * The smallest machine there can be, as one on another host would be: a plain child that does not see the host's folders, is
 * started after a while, and of which nothing is known but how much lies in its own folders. No walls, no groups, no limits.
 */
export function createCopyingMachine({ guest: { runner } }: MachineSpec): Machine {
  const root = mkdtempSync(join(tmpdir(), "keyhole-elsewhere-"));
  const guestDir = join(root, "guest");
  cpSync(dirname(runner), guestDir, { recursive: true });

  return {
    tier: "copying",
    layers: ["deno"],
    isWalled: false,
    files: "copied",
    cores: "none",
    async start(spec) {
      await new Promise((resolve) => setImmediate(resolve));
      return startProcess(spec, join(guestDir, basename(runner)), join(root, randomUUID()));
    },
    close: () => removeTree(root),
  };
}

function startProcess({ folders, waits }: StartSpec, runner: string, dir: string): MachineProcess {
  const inside = folders.map((folder) => ({ ...folder, dir: join(dir, folder.name) }));
  const importMap = blockedImports(`${pathToFileURL(dirname(runner)).href}/`);
  const child = spawn(findDeno(), denoArguments({ runner, folders: inside, importMap, waits }), {
    stdio: ["pipe", "pipe", "ignore"],
    env: { DENO_DIR: "/dev/null/x", NO_COLOR: "1" },
  });
  const { stdin, stdout } = child;
  stdin.on("error", () => {});
  let timer: NodeJS.Timeout | undefined;
  const ended = untilEnded(child).finally(() => clearInterval(timer));
  return {
    input: stdin,
    output: stdout,
    prepared: Promise.resolve(),
    ended,
    folders: inside,
    copies: createCopies(dir, ended),
    watch({ disk }, onUsage) {
      if (!disk) return;
      const watch = watchDisk({
        dirs: disk.folders.map((name) => join(dir, name)),
        maxBytes: disk.maxBytes,
        setStopped: () => {},
        onLook: (use) => onUsage({ disk: use }),
      });
      timer = setInterval(() => watch.note(undefined), LOOK_EVERY_MS);
    },
    yieldCpu() {},
    kill: () => child.kill("SIGKILL"),
  };
}

function untilEnded(child: ChildProcess): Promise<MachineEnd> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ code: null, signal: null, stderr: message }));
    child.once("close", (code, signal) => resolve({ code, signal, stderr: "" }));
  });
}
