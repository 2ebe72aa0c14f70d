import { realpathSync } from "node:fs";
import { errorMessage, KeyholeError } from "../errors.ts";
import type { GuestRuntime } from "./guest-spec.ts";
import { type BridgeOptions, runInGuest } from "./host/bridge.ts";
import { untilFirstWord } from "./host/first-word.ts";
import type { Limits } from "./limits.ts";
import { type Given, readFolder, writeFolder } from "./machine/copy-folder.ts";
import { createFolderStates, toBounds } from "./machine/folder-state.ts";
import type { Machine, MachineProcess } from "./machine/machine.ts";
import { createMachineCommands } from "./machine-commands.ts";
import { toOwnLimits } from "./own-limits.ts";
import { createPool } from "./pool.ts";
import { probeLimits } from "./probe.ts";
import type { Folder, Host, Program, RunError, RunOutcome, Sandbox, SandboxRunOptions } from "./sandbox.ts";

const MAX_IDLE_MS = 5 * 60_000;
/** For files to be handed back: so much, and more where there can be many. */
const TAKE_MS = 30_000;
const TAKEN_BYTES_A_MS = 20_000;

export type MachineSandboxOptions = {
  readonly limits: Limits;
  /** Processes that wait for a run; 0 starts each one when it is needed. */
  readonly poolSize?: number | undefined;
  readonly maxIdleMs?: number | undefined;
  /** Whether every program can get at its folders, whatever it says that it uses: nothing in the process keeps it from them. */
  readonly reachesFiles?: boolean;
  /** What its programs run in. */
  readonly runtime: GuestRuntime;
};

/** Runs programs in a machine, a process each. All that is the same in every tier is here. */
export function createMachineSandbox(machine: Machine, options: MachineSandboxOptions): Sandbox {
  const { limits } = options;
  const isShared = machine.files === "shared";
  /** A link leads nowhere: then folders can be handed over without a look, and are, so that processes that wait fit. */
  const isHeld = machine.isWalled || !isShared;
  const folderStates = createFolderStates(isHeld);
  const alive = new Set<Promise<unknown>>();
  let isClosed = false;
  let runs = 0;

  function start(folders: readonly Folder[], waits: boolean, own: Limits = limits): Promise<MachineProcess> {
    const spec = { folders, limits: own, waits, isAlone: () => runs <= 1 };
    const started = launch(() => machine.start(spec));
    const ended = started.then((process) => process.ended).catch(() => {});
    alive.add(ended);
    void ended.then(() => alive.delete(ended));
    return started;
  }

  const poolSize = options.poolSize ?? 1;
  const pool = createPool<readonly Folder[]>({
    size: poolSize,
    maxIdleMs: options.maxIdleMs ?? MAX_IDLE_MS,
    toText: (folders) =>
      JSON.stringify(folders.map(({ name, dir, access }) => [name, isShared ? dir : "", access])),
    launch: start,
  });

  /**
   * What waits for the next run. A process that sees folders is for programs of their owner alone; one without any is
   * for every program that uses no files, whosever it is. Where folders are copied, a process is nobody's until then.
   */
  function toWaiting(places: readonly Folder[]): (readonly Folder[])[] {
    return Array.from({ length: poolSize }, (_, at) => (isShared && at % 2 === 1 ? [] : places));
  }

  async function run(program: Program, host: Host, own: SandboxRunOptions): Promise<RunOutcome> {
    const { folders = [], countedDirs = [], wallClock, signal, onMeasured } = own;
    const { limits: held, needsProcess } = toOwnLimits(limits, own.limits);
    const hasFiles = options.reachesFiles === true || usesFiles(program);
    // Without a wall folders are looked through before each run, and some are refused: who uses none needs none.
    const places = isHeld || hasFiles ? folders.map(toReal) : [];
    const state =
      hasFiles && places.length > 0 ? await folderStates.before(places, countedDirs, held) : undefined;
    const writable = hasFiles ? places.filter(({ access }) => access === "write") : [];
    const isFull = state?.isFull === true;
    const hasRoom = writable.some(({ name }) => state?.told[name]?.full === undefined);
    // Where the guest itself writes nothing more into a full folder, there is nothing to count.
    const isCounted = writable.length > 0 && (hasRoom || options.reachesFiles === true);
    const bridge: Omit<BridgeOptions, "folders"> = {
      limits: withQuotas(held, writable),
      ...(isCounted
        ? {
            disk: {
              folders: writable.map(({ name }) => name),
              keptBytes: state?.keptBytes ?? 0,
              mayOnlyShrink: isFull,
            },
          }
        : {}),
      ...(wallClock ? { wallClock } : {}),
      ...(signal ? { signal } : {}),
    };

    /** In one process, with the folders in place. */
    async function runIn(starting: Promise<MachineProcess>) {
      const process = await starting;
      if (own.yieldsCpu) process.yieldCpu();
      const inside = process.folders.map(({ name, dir, access }) => {
        const { full, link } = state?.told[name] ?? {};
        // Links are not copied.
        return { name, dir, access, ...(full && { full }), ...(isShared && link && { link }) };
      });
      const inProcess = () => runInGuest(process, program, host, { ...bridge, folders: inside });
      return process.copies && hasFiles ? withCopies(process, places, held, inProcess) : inProcess();
    }

    const needed = hasFiles || !isShared ? places : [];
    const first = await runIn(needsProcess ? start(needed, false, held) : pool.take([needed, places]));
    // A process that died while it waited is no fault of this program, which has not begun.
    const isStillborn = !first.started && !first.outcome.ok && first.outcome.error.kind === "sandbox";
    const { outcome } = isStillborn ? await runIn(start(needed, false, held)) : first;
    if (!folders.some(({ isForOnce }) => isForOnce)) setImmediate(() => pool.refill(toWaiting(places)));
    if (writable.length === 0) return outcome;
    const before = { ...(state && { told: state.told }), onMeasured };
    const over = await folderStates.after(places, countedDirs, held, before);
    return over && outcome.ok ? failed(over, outcome) : outcome;
  }

  const commands = createMachineCommands(machine, { limits, folderStates, toReal });

  const sandbox: Sandbox = {
    tier: machine.tier,
    layers: machine.layers,
    commands: {
      missing: commands.missing,
      async run(command, options) {
        if (isClosed) throw new KeyholeError("cancelled", "Cannot run a command: the sandbox is closed");
        const ended = commands.run(command, options);
        const settled = ended.catch(() => {});
        alive.add(settled);
        void settled.then(() => alive.delete(settled));
        return ended;
      },
    },
    ...(machine.missingWall === undefined ? {} : { missingWall: machine.missingWall }),

    async run(program, host, own = {}) {
      if (isClosed)
        return refused(new KeyholeError("cancelled", "Cannot run a program: the sandbox is closed"));
      runs++;
      try {
        return await run(program, host, own);
      } catch (error) {
        return refused(error);
      } finally {
        runs--;
      }
    },

    async warm(folders = []) {
      const places = isHeld ? folders.map(toReal) : [];
      if (isShared && places.length > 0) await folderStates.before(places, [], limits);
      await Promise.all(
        pool.refill(toWaiting(places)).map(async (starting) => untilFirstWord(await starting)),
      );
    },

    async probe() {
      const { tier, layers } = machine;
      return { tier, layers, limits: await probeLimits(sandbox, machine, options.runtime) };
    },

    async close() {
      isClosed = true;
      pool.close();
      await Promise.all(alive);
      await folderStates.close();
      await machine.close();
    },
  };
  return sandbox;
}

/** What a machine can't start is told like any other failure of starting. */
async function launch(work: () => MachineProcess | Promise<MachineProcess>): Promise<MachineProcess> {
  return work();
}

type InGuest = Awaited<ReturnType<typeof runInGuest>>;

/** The folders go there before the program and what it changed comes back after it, whatever became of it. */
async function withCopies(
  process: MachineProcess,
  folders: readonly Folder[],
  limits: Limits,
  run: () => Promise<InGuest>,
): Promise<InGuest> {
  const { copies } = process;
  if (!copies) return run();
  try {
    const given = new Map<string, Given>();
    for (const { name, dir } of folders) {
      const paths: Given = new Set();
      given.set(name, paths);
      await copies.put(name, readFolder(dir, paths));
    }
    const done = await run();
    if (!done.started) return done;
    let wrong: RunError | undefined;
    for (const folder of folders) {
      const { name, dir, access } = folder;
      if (access !== "write") continue;
      const written = withinTime(
        (late) => {
          const bounds = toBounds(folder, limits);
          return writeFolder(dir, copies.take(name), given.get(name) ?? new Set(), bounds, late);
        },
        TAKE_MS + limits.diskBytes / TAKEN_BYTES_A_MS,
      );
      wrong ??= await written.catch((error) => lostFiles(name, error));
    }
    // A program can take its machine down, and its files with it: then what it failed of is told.
    return wrong && done.outcome.ok ? { ...done, outcome: failed(wrong, done.outcome) } : done;
  } finally {
    process.kill();
    await copies.drop();
  }
}

function lostFiles(folder: string, error: unknown): RunError {
  return {
    kind: "sandbox",
    message: `The program came to its end, but what it wrote in "./${folder}" can't be had back from its sandbox: ${errorMessage(error)}`,
    hint: "What it called has happened. Look at what is in the folder before you run it again: some of the files may be new",
  };
}

/** What a program has broken out into can hand back files without end, or keep silent: it is not waited for. */
function withinTime<T>(begin: (late: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const ending = new AbortController();
  return new Promise((resolve, reject) => {
    const late = new KeyholeError("timeout", "they were not handed back in time");
    const timer = setTimeout(() => {
      ending.abort(late);
      reject(late);
    }, ms);
    void begin(ending.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** While it runs all that it can write to counts together; what is in each is held to after it. */
function withQuotas(limits: Limits, folders: readonly Folder[]): Limits {
  if (folders.length === 0) return limits;
  const bounds = folders.map((folder) => toBounds(folder, limits));
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  return {
    ...limits,
    diskBytes: sum(bounds.map(({ diskBytes }) => diskBytes)),
    diskEntries: sum(bounds.map(({ diskEntries }) => diskEntries)),
  };
}

/** Without the module a program has no way to a file. */
function usesFiles({ modules = [] }: Program): boolean {
  return modules.includes("fs") || modules.includes("fs/promises");
}

function toReal(folder: Folder): Folder {
  return { ...folder, dir: realpathSync(folder.dir) };
}

function failed(error: RunError, { used }: RunOutcome): RunOutcome {
  return { ok: false, error, used };
}

function refused(error: unknown): RunOutcome {
  const hint = error instanceof KeyholeError ? error.hint : undefined;
  return {
    ok: false,
    error: { kind: "sandbox", message: errorMessage(error), ...(hint === undefined ? {} : { hint }) },
    used: { wallMs: 0, calls: 0, outputBytes: 0 },
  };
}
