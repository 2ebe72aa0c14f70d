import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorMessage, KeyholeError } from "../../../errors.ts";
import { runInGuest } from "../../host/bridge.ts";
import { DEFAULT_LIMITS, type Limits } from "../../limits.ts";
import { createFolderStates } from "../../machine/folder-state.ts";
import type { GuestProcess } from "../../machine/guest-process.ts";
import { createPool } from "../../pool.ts";
import { probeLimits } from "../../probe.ts";
import type { Folder, Program, RunOptions, RunOutcome, Sandbox } from "../../sandbox.ts";
import { blockedImports } from "./blocked-imports.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createCgroups } from "./cgroup.ts";
import { findDeno } from "./find-deno.ts";
import { guestFiles, guestFilesByDescriptor } from "./guest-files.ts";
import { launch } from "./launch.ts";
import { toOwnLimits } from "./own-limits.ts";
import { seccompFilter } from "./seccomp.ts";
import { worksHere } from "./try-command.ts";

const DENO_FLAGS = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
  "--no-check",
];
const MISSING_WALL =
  process.platform === "linux"
    ? "Programs run without bubblewrap here: Deno's permissions alone hold them. Install bubblewrap 0.8 or later, and allow unprivileged user namespaces; `keyhole doctor` shows what holds"
    : "Programs are held by Deno's permissions alone here: the second wall, bubblewrap, is Linux's. `keyhole doctor` shows what holds";
const MAX_IDLE_MS = 5 * 60_000;

export type ProcessSandboxOptions = {
  readonly limits?: Partial<Limits>;
  /** Processes that wait for a run; 0 starts each one when it is needed. */
  readonly poolSize?: number;
  readonly maxIdleMs?: number;
  /** `auto`: around each process where it works. */
  readonly bubblewrap?: "auto" | "never" | "always";
  /** The runner's file, for a test that speaks the protocol wrong. */
  readonly runner?: string;
};

/** One Deno process a run, without permissions; on Linux with bubblewrap, in namespaces of its own. */
export function createProcessSandbox(options: ProcessSandboxOptions = {}): Sandbox {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const deno = realpathSync(findDeno());
  const runner =
    options.runner ?? fileURLToPath(new URL("../../guest/javascript/runner.js", import.meta.url));
  const seccomp = seccompFilter();
  const wrap = wrapper(options.bubblewrap ?? "auto", deno, runner, seccomp !== undefined);
  const cgroups = createCgroups(limits);
  const isByPath = wrap !== undefined || process.platform !== "linux";
  const guest = isByPath ? guestFiles(wrap?.runner ?? runner) : guestFilesByDescriptor(runner);
  const importMap = blockedImports(guest.dirUrl);
  const handed = wrap && seccomp ? [seccomp] : guest.handed;
  const folderStates = createFolderStates(wrap !== undefined);
  const alive = new Set<Promise<unknown>>();
  let isClosed = false;
  let runs = 0;

  function start(folders: readonly Folder[], waits: boolean, own: Limits = limits): GuestProcess {
    const inside = wrap?.place(folders) ?? folders;
    const started = launch({
      command: [
        ...(wrap?.command(folders) ?? []),
        wrap?.deno ?? deno,
        ...denoArguments(inside, own),
        guest.runner,
        ...(waits ? ["wait"] : []),
      ],
      limits: own,
      cgroup: cgroups?.create(),
      handed,
      isWrapped: wrap !== undefined,
      isAlone: () => runs <= 1,
    });
    alive.add(started.ended);
    void started.ended.then(() => alive.delete(started.ended));
    return started;
  }

  function denoArguments(folders: readonly Folder[], { memoryBytes }: Limits): string[] {
    const paths = (access: readonly string[]) =>
      folders.filter((folder) => access.includes(folder.access)).map(({ dir }) => toPermission(dir));
    const readable = paths(["read", "write"]);
    const writable = paths(["write"]);
    return [
      "run",
      ...DENO_FLAGS,
      `--import-map=${importMap}`,
      `--v8-flags=--max-old-space-size=${Math.ceil(memoryBytes / 1024 / 1024)}`,
      ...(readable.length > 0 ? [`--allow-read=${readable.join(",")}`] : []),
      ...(writable.length > 0 ? [`--allow-write=${writable.join(",")}`] : []),
    ];
  }

  const pool = createPool<readonly Folder[]>({
    size: options.poolSize ?? 1,
    maxIdleMs: options.maxIdleMs ?? MAX_IDLE_MS,
    toText: (folders) => JSON.stringify(folders.map(({ name, dir, access }) => [name, dir, access])),
    launch: start,
  });

  /** Where no process can be started now, the next run starts its own, and says what is wrong. */
  function refill(places: readonly Folder[]): void {
    try {
      pool.refill(places);
    } catch {}
  }

  const sandbox: Sandbox = {
    tier: "process",
    ...(wrap === undefined ? { missingWall: MISSING_WALL } : {}),

    async run(
      program,
      host,
      { folders = [], countedDirs = [], limits: own, wallClock, signal, yieldsCpu }: RunOptions = {},
    ): Promise<RunOutcome> {
      if (isClosed)
        return refused(new KeyholeError("cancelled", "Cannot run a program: the sandbox is closed"));
      runs++;
      try {
        // Without a wall folders are looked through before each run, and some are refused: who uses none needs none.
        const needed = wrap || usesFiles(program) ? folders : [];
        const places = needed.map((folder) => ({ ...folder, dir: realpathSync(folder.dir) }));
        const { limits: held, needsProcess } = toOwnLimits(limits, own);
        const state = places.length === 0 ? {} : await folderStates.before(places, countedDirs, held);
        const writable = usesFiles(program) ? places.filter(({ access }) => access === "write") : [];
        const isCounted = writable.length > 0 && state.full === undefined;
        const bridge = {
          limits: held,
          folders: isCounted ? [...writable, ...countedDirs.map(toCounted)] : [],
          guestFolders: (wrap?.place(places) ?? places).map((folder) => ({ ...folder, ...state })),
          ...(wallClock ? { wallClock } : {}),
          ...(signal ? { signal } : {}),
        };
        const taken = needsProcess ? start(places, false, held) : pool.take(places);
        if (yieldsCpu) taken.yieldCpu();
        const first = await runInGuest(taken, program, host, bridge);
        // A process that died while it waited is no fault of this program, which has not begun.
        const isStillborn = !first.started && !first.outcome.ok && first.outcome.error.kind === "sandbox";
        const { outcome } = isStillborn
          ? await runInGuest(start(places, false, held), program, host, bridge)
          : first;
        setImmediate(() => refill(places));
        if (writable.length === 0) return outcome;
        const over = await folderStates.after(places, countedDirs, held);
        return over && isCounted && outcome.ok ? { ok: false, error: over, used: outcome.used } : outcome;
      } catch (error) {
        return refused(error);
      } finally {
        runs--;
      }
    },

    async warm(folders = []) {
      pool.refill(folders.map((folder) => ({ ...folder, dir: realpathSync(folder.dir) })));
    },

    async probe() {
      const layers = [
        "deno",
        ...(wrap ? ["bubblewrap"] : []),
        ...(wrap && seccomp ? ["seccomp"] : []),
        ...(cgroups?.controllers.map((name) => `cgroup ${name}`) ?? []),
      ];
      return { tier: "process", layers, limits: await probeLimits(sandbox, wrap !== undefined) };
    },

    async close() {
      isClosed = true;
      pool.close();
      await Promise.all(alive);
      await cgroups?.close();
    },
  };
  return sandbox;
}

/** Deno reads a list with commas between the paths, and knows no way to write one within a path. */
function toPermission(dir: string): string {
  if (!dir.includes(",")) return dir;
  throw new KeyholeError(
    "file_conflict",
    `A folder with a comma in its path can't be handed to a program: "${dir}"`,
    {
      hint: "Move the project, or install bubblewrap",
    },
  );
}

function wrapper(wish: "auto" | "never" | "always", deno: string, runner: string, hasSeccomp: boolean) {
  if (wish === "never" || process.platform !== "linux") return undefined;
  const wrap = createBubblewrap(deno, runner, hasSeccomp);
  const [command = "", ...args] = createBubblewrap(deno, runner, false).command([]);
  if (worksHere(command, [...args, wrap.deno, "--version"])) return wrap;
  if (wish === "auto") return undefined;
  throw new KeyholeError("command_not_found", 'Cannot start a process in "bwrap"', {
    hint: "Install bubblewrap 0.8 or later, and allow unprivileged user namespaces",
  });
}

const toCounted = (dir: string): Folder => ({ name: "", dir, access: "write" });

/** Without the module a program has no way to a file. */
function usesFiles({ modules = [] }: Program): boolean {
  return modules.includes("fs") || modules.includes("fs/promises");
}

function refused(error: unknown): RunOutcome {
  const hint = error instanceof KeyholeError ? error.hint : undefined;
  return {
    ok: false,
    error: { kind: "sandbox", message: errorMessage(error), ...(hint === undefined ? {} : { hint }) },
    used: { wallMs: 0, calls: 0, outputBytes: 0 },
  };
}
