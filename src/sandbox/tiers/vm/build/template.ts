import { once } from "node:events";
import { chmod, chown, open, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as rest } from "node:timers/promises";
import { KeyholeError } from "../../../../errors.ts";
import { signalGroup, spawnWatched } from "../../../../process/spawn-watched.ts";
import { withTimeLimit } from "../../../../process/time-limit.ts";
import { isRecord } from "../../../../text/is-record.ts";
import { toExcerpt } from "../../../../text/plain-text.ts";
import { channelOf } from "../channel.ts";
import { type Control, openControl } from "../control.ts";
import { bootArguments, FDS, type Hardware } from "../qemu.ts";
import { openQmp, type Qmp } from "../qmp.ts";
import { rehearse } from "../rehearse.ts";
import { CLONE_USER } from "../user.ts";
import { measureClockKhz } from "./clock-rate.ts";

/** A machine that was booted once, up to where its runner waits for a program. Others go on from there. */
export type Template = Hardware & {
  readonly ram: string;
  readonly state: string;
  /** What the runner said before. */
  readonly ready: Buffer;
  /** Whether the memory is as it was when it was made: a clone that was broken out of could have written to it. */
  isUntouched(): Promise<boolean>;
};

export type Boot = {
  readonly qemu: string;
  readonly hardware: Hardware;
  readonly vmlinux: string;
  readonly initramfs: Buffer;
  readonly root: string;
  readonly signal: AbortSignal;
};

/** Under KVM a boot takes half a second, else some four. What is no faster than this does not work. */
const BOOT_WITHIN_MS = { kvm: 10_000, tcg: 120_000 } as const;
const READY_BYTES = 9;
const MAX_READY = 4096;
/** The runner has time to prepare, and does most of it a second after its start. */
const PREPARES_MS = 1_500;
const LOOK_EVERY_MS = 100;
const REHEARSALS = 12;
const IDLE_LOOKS = 3;
const IDLE_MS = 10;

/** Boots a machine and writes down where it stands, into an empty folder. */
export async function makeTemplate(dir: string, boot: Boot): Promise<void> {
  const { hardware, signal } = boot;
  const ms = BOOT_WITHIN_MS[hardware.accelerator];
  const ram = join(dir, "ram");
  const initramfs = join(dir, "initramfs");
  await writeFile(ram, "");
  await truncate(ram, hardware.ramBytes);
  await writeFile(initramfs, boot.initramfs);
  await withTimeLimit(ms, [signal], (limited) => bootAndSave(dir, { ...boot, signal: limited }, initramfs));
  await chmod(ram, 0o600);
  if (CLONE_USER) await chown(ram, CLONE_USER.uid, CLONE_USER.gid);
  await writeFile(join(dir, "made"), await identify(ram));
}

async function bootAndSave(dir: string, boot: Boot, initramfs: string): Promise<void> {
  const { qemu, hardware, vmlinux, signal } = boot;
  const ram = join(dir, "ram");
  const root = await open(boot.root, "r");
  const clockKhz = hardware.accelerator === "tcg" ? await measureClockKhz(dir) : undefined;
  const args = bootArguments(hardware, { vmlinux, initramfs, ram, clockKhz });
  const handed = ["pipe", "pipe", "ignore", "ignore", root.fd] as const;
  const child = spawnWatched(qemu, args, { env: {}, cwd: "/", handed });
  const end = () => signalGroup(child, "SIGKILL");
  signal.addEventListener("abort", end);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-2000);
  });
  let fail = (_error: Error) => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const gone = once(child, "close").then(() =>
    fail(bootFailed(signal.aborted ? "it took too long" : stderr)),
  );
  try {
    const qmp = openQmp(channelOf(child, FDS.qmp));
    const control = openControl(channelOf(child, FDS.control), {
      onLine: ([word, , , , said = ""]) => {
        if (word === "ended") fail(bootFailed(`the runner ended: ${Buffer.from(said, "base64").toString()}`));
      },
    });
    const pid = child.pid ?? 0;
    const output = channelIn(child.stdout);
    const ready = await Promise.race([failed, untilReady(control, output)]);
    await rest(PREPARES_MS, undefined, { signal });
    await Promise.race([failed, untilIdle(pid, signal)]);
    if (child.stdin) await Promise.race([failed, rehearse(child.stdin, output, REHEARSALS)]);
    await Promise.race([failed, untilIdle(pid, signal)]);
    await Promise.race([failed, save(qmp, join(dir, "state"), signal)]);
    await writeFile(join(dir, "ready"), ready);
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await root.close();
    await gone;
  }
  await writeFile(join(dir, "hardware.json"), JSON.stringify(hardware));
}

const bootFailed = (why: string) =>
  new KeyholeError("internal", `Cannot boot a virtual machine: ${toExcerpt(why.trim() || "it ended", 400)}`);

/** What the runner says when it is ready. */
async function untilReady(control: Control, output: Readable): Promise<Buffer> {
  let said = Buffer.alloc(0);
  let hear = (_chunk: Buffer) => {};
  const spoken = new Promise<void>((resolve, reject) => {
    hear = (chunk) => {
      said = Buffer.concat([said, chunk]);
      if (said.length > MAX_READY) reject(bootFailed("the runner said too much"));
      if (said.length >= READY_BYTES) resolve();
    };
  });
  output.on("data", hear);
  await Promise.all([control.line("booted"), spoken]);
  output.off("data", hear);
  output.pause();
  return said;
}

async function untilIdle(pid: number, signal: AbortSignal): Promise<void> {
  for (let [before, quiet] = [-IDLE_MS, 0]; quiet < IDLE_LOOKS; ) {
    const now = await readWantedMs(pid);
    quiet = now - before < IDLE_MS ? quiet + 1 : 0;
    before = now;
    await rest(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** How long its threads have run, or would have if others had not: on a busy host one that does little is not idle. */
async function readWantedMs(pid: number): Promise<number> {
  let ns = 0;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const said = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "latin1").catch(() => "");
    const [ran, waited] = said.split(" ").map(Number);
    ns += (ran ?? 0) + (waited ?? 0);
  }
  return ns / 1e6;
}

/** The memory is a file already, and is left where it is. */
async function save(qmp: Qmp, state: string, signal: AbortSignal): Promise<void> {
  await qmp.run("qmp_capabilities");
  await qmp.run("migrate-set-capabilities", {
    capabilities: [{ capability: "x-ignore-shared", state: true }],
  });
  await qmp.run("migrate", { uri: `exec:cat > '${state.replaceAll("'", `'\\''`)}'` });
  for (;;) {
    const said = await qmp.run("query-migrate");
    const status = isRecord(said) ? said["status"] : undefined;
    if (status === "completed") return;
    if (status === "failed") throw bootFailed("its state could not be saved");
    await rest(10, undefined, { signal });
  }
}

/** Of a folder that `makeTemplate` filled. */
export async function openTemplate(dir: string): Promise<Template> {
  const [ram, state] = [join(dir, "ram"), join(dir, "state")];
  const ready = await readFile(join(dir, "ready"));
  const said: unknown = JSON.parse(await readFile(join(dir, "hardware.json"), "utf8"));
  if (!isRecord(said) || typeof said["ramBytes"] !== "number")
    throw new TypeError("A template without its hardware");
  const made = await readFile(join(dir, "made"), "utf8");
  return {
    accelerator: said["accelerator"] === "kvm" ? "kvm" : "tcg",
    ramBytes: said["ramBytes"],
    diskBytes: Number(said["diskBytes"]),
    memoryBytes: Number(said["memoryBytes"]),
    processes: Number(said["processes"]),
    ram,
    state,
    ready,
    isUntouched: async () => (await identify(ram)) === made,
  };
}

/** Written down where machines can't write: the next process knows it, too. */
async function identify(file: string): Promise<string> {
  const { ino, ctimeNs } = await stat(file, { bigint: true });
  return `${ino} ${ctimeNs}`;
}

function channelIn(stream: Readable | null): Readable {
  if (stream) return stream;
  throw new TypeError("A child with pipes has none");
}
