import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { errorMessage, KeyholeError } from "../../../errors.ts";
import { signalGroup, spawnWatched } from "../../../process/spawn-watched.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { lowerPriority } from "../../machine/low-priority.ts";
import type { DiskUse, MachineEnd, MachineProcess, StartSpec } from "../../machine/machine.ts";
import { openProc } from "../../machine/proc-usage.ts";
import { renewFrame } from "../../renew-frame.ts";
import type { MadeTemplate } from "./build/templates.ts";
import { channelOf } from "./channel.ts";
import { openControl } from "./control.ts";
import {
  isSignal,
  SEED_BYTES,
  toAwakening,
  toDiskUse,
  toEnd,
  toMachineCount,
  toSettings,
} from "./machine-words.ts";
import { PATIENCE_MS, patiently } from "./patience.ts";
import { cloneArguments, FDS } from "./qemu.ts";
import { openQmp, type Qmp } from "./qmp.ts";
import { rehearse } from "./rehearse.ts";
import { CLONE_USER } from "./user.ts";
import { createVmCopies } from "./vm-copies.ts";

const MAX_STDERR = 4096;
const LOOK_EVERY_MS = 50;
const REHEARSALS = 4;

/** `ended` tells of the runner; the machine around it may be asked for files after that. */
export type Clone = MachineProcess & { readonly gone: Promise<unknown> };

/** A machine of its own for one program, which goes on from where the template was. */
export async function startClone(
  made: MadeTemplate,
  { folders, limits, waits, isAlone }: StartSpec,
  patienceMs = PATIENCE_MS,
): Promise<Clone> {
  const { template, qemu } = made;
  const files = await Promise.all([open(template.state), open(template.ram, "r+"), open(made.root)]);
  const child = spawnWatched(qemu, cloneArguments(template), {
    env: {},
    cwd: "/",
    handed: ["pipe", "pipe", ...files.map(({ fd }) => fd)],
    ...(CLONE_USER ? { user: CLONE_USER } : {}),
  });
  await Promise.all(files.map((file) => file.close()));
  const { pid, stdin: input, stdout: output, stderr: errors } = child;
  if (!input || !output || !errors) throw new TypeError("A child with pipes has none");
  for (const stream of [input, output, errors]) stream.on("error", () => {});
  let stderr = "";
  errors.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR);
  });

  const qmp = openQmp(channelOf(child, FDS.qmp), patienceMs);
  let disk: DiskUse | undefined;
  let onDisk = (_use: DiskUse) => {};
  let peakBytes: number | undefined;
  let hasSaidEnd = false;
  let onRunnerEnd = (_end: MachineEnd) => {};
  const control = openControl(channelOf(child, FDS.control), {
    onLine(words) {
      if (words[0] === "disk") {
        disk = toDiskUse(words);
        if (disk) onDisk(disk);
      }
      if (words[0] === "ended" && !hasSaidEnd) {
        hasSaidEnd = true;
        const [, , , peak = ""] = words;
        peakBytes = toMachineCount(peak);
        onRunnerEnd(toEnd(words));
      }
    },
    onBroken: () => endMachine(),
    patienceMs,
  });
  const proc = pid === undefined ? undefined : openProc(pid);
  const gone = once(child, "close").then(
    ([code, signal]: unknown[]): MachineEnd => ({
      code: typeof code === "number" ? code : null,
      signal: isSignal(signal) ? signal : null,
      stderr,
    }),
    (error: unknown): MachineEnd => ({ code: null, signal: null, stderr: errorMessage(error) }),
  );
  // What it still says there is of no use, and nobody may be left to read it.
  child.once("exit", control.close);
  const endMachine = () => signalGroup(child, "SIGKILL");
  let timer: NodeJS.Timeout | undefined;
  let lastWait: NodeJS.Timeout | undefined;
  let tell = () => {};

  /** The runner's own end, or that of the machine around it. */
  const ended = Promise.race([
    gone,
    new Promise<MachineEnd>((resolve) => {
      onRunnerEnd = (end) => {
        patiently(untilRead(qmp, output), patienceMs)
          .catch(() => {})
          .then(() => {
            tell();
            resolve(end);
          });
      };
    }),
  ]);
  void ended.then(() => {
    clearInterval(timer);
    clearTimeout(lastWait);
    if (!copies.isWanted) endMachine();
  });
  void gone.then(() => {
    clearInterval(timer);
    proc?.close();
  });
  const copies = createVmCopies(control, folders, limits.diskBytes, async () => {
    endMachine();
    await gone;
  });

  async function awaken(): Promise<void> {
    await qmp.run("qmp_capabilities");
    await qmp.run("migrate-set-capabilities", {
      capabilities: [{ capability: "x-ignore-shared", state: true }],
    });
    const resumed = qmp.event("RESUME");
    resumed.catch(() => {});
    await qmp.run("migrate-incoming", { uri: `fd:${FDS.state}` });
    await resumed;
    const awake = control.line("awake");
    awake.catch(() => {});
    await control.write(toAwakening());
    const [, code] = await awake;
    if (code !== "0") throw new Error("Cannot give a virtual machine its own randomness and clock");
    const settings = toSettings({ limits, folders }, template);
    if (settings === "") return;
    const set = control.line("set");
    set.catch(() => {});
    await control.write(`${settings}set\n`);
    await set;
  }

  try {
    await awaken();
    if (waits) await patiently(rehearse(input, output, REHEARSALS), patienceMs);
    else input.write(renewFrame(randomBytes(SEED_BYTES), false));
  } catch (error) {
    // Where it cannot be told apart from the others it must not run a program.
    endMachine();
    await gone;
    const why = stderr.trim() === "" ? errorMessage(error) : stderr.trim();
    throw new KeyholeError("internal", `Cannot start a virtual machine: ${toExcerpt(why, 400)}`, {
      cause: error,
    });
  }
  output.unshift(template.ready);

  return {
    input,
    output,
    prepared: Promise.resolve(),
    ended,
    gone,
    folders,
    copies,
    watch(spec, onUsage) {
      const base = proc?.usage()?.memoryBytes ?? 0;
      tell = () => {
        const usage = proc?.usage();
        if (!usage) return;
        // More than that is the machine's own: its kernel holds the program to the limit.
        const memoryBytes = peakBytes ?? Math.max(0, usage.memoryBytes - base);
        onUsage({
          cpuMs: usage.cpuMs,
          memoryBytes: Math.min(memoryBytes, spec.memoryBytes),
          ...(disk ? { disk } : {}),
        });
      };
      if (spec.disk) {
        onDisk = (use) => onUsage({ disk: use });
        // What files take is not the program's memory.
        control.write(`memory ${limits.memoryBytes + limits.diskBytes}\nwatch\n`).catch(() => {});
      }
      tell();
      timer = setInterval(tell, LOOK_EVERY_MS);
      timer.unref();
    },
    yieldCpu() {
      if (pid !== undefined && !isAlone()) void lowerPriority(pid);
    },
    kill() {
      tell();
      clearInterval(timer);
      if (!copies.isWanted) return endMachine();
      control.write("end\n").catch(endMachine);
      // One that does not even do that has no files to give.
      lastWait ??= setTimeout(endMachine, patienceMs);
    },
  };
}

/** All that was said has been read: two answers of QEMU's without anything in between. */
async function untilRead(
  qmp: Qmp,
  output: NodeJS.ReadableStream & { bytesRead?: number; readableLength?: number; destroyed?: boolean },
): Promise<void> {
  for (let quiet = 0; quiet < 2 && output.destroyed !== true; ) {
    const before = output.bytesRead;
    await qmp.run("query-status");
    await new Promise((resolve) => setImmediate(resolve));
    quiet = output.bytesRead === before && output.readableLength === 0 ? quiet + 1 : 0;
  }
}
