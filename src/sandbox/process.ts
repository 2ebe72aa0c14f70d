import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { errorMessage, KeyholeError } from "../errors.ts";
import { blockedImports } from "./blocked-imports.ts";
import { runInGuest } from "./bridge.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createCgroups } from "./cgroup.ts";
import { findDeno } from "./find-deno.ts";
import type { GuestProcess } from "./guest-process.ts";
import { launch } from "./launch.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { assertNoOutsideLinks } from "./outside-links.ts";
import { toOwnLimits } from "./own-limits.ts";
import { createPool } from "./pool.ts";
import { probeLimits } from "./probe.ts";
import type { Folder, RunOptions, RunOutcome, Sandbox } from "./sandbox.ts";
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
  const runner = options.runner ?? fileURLToPath(new URL("./guest/runner.js", import.meta.url));
  const seccomp = seccompFilter();
  const wrap = wrapper(options.bubblewrap ?? "auto", deno, runner, seccomp !== undefined);
  const cgroups = createCgroups(limits);
  const importMap = blockedImports(loaderUrl(wrap?.runner ?? runner));
  const alive = new Set<Promise<unknown>>();
  let isClosed = false;
  let runs = 0;

  function start(folders: readonly Folder[], waits: boolean, own: Limits = limits): GuestProcess {
    const inside = wrap?.place(folders) ?? folders;
    const guest = launch({
      command: [
        ...(wrap?.command(folders) ?? []),
        wrap?.deno ?? deno,
        ...denoArguments(inside, own),
        wrap?.runner ?? runner,
        ...(waits ? ["wait"] : []),
      ],
      limits: own,
      cgroup: cgroups?.create(),
      seccomp: wrap ? seccomp : undefined,
      isWrapped: wrap !== undefined,
      isAlone: () => runs <= 1,
    });
    alive.add(guest.ended);
    void guest.ended.then(() => alive.delete(guest.ended));
    return guest;
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

  const sandbox: Sandbox = {
    tier: "process",
    ...(wrap === undefined ? { missingWall: MISSING_WALL } : {}),

    async run(
      program,
      host,
      { folders = [], limits: own, wallClock, signal, yieldsCpu }: RunOptions = {},
    ): Promise<RunOutcome> {
      if (isClosed)
        return refused(new KeyholeError("cancelled", "Cannot run a program: the sandbox is closed"));
      runs++;
      try {
        const places = folders.map((folder) => ({ ...folder, dir: realpathSync(folder.dir) }));
        if (!wrap) await assertNoOutsideLinks(places);
        const { limits: held, needsProcess } = toOwnLimits(limits, own);
        const bridge = {
          limits: held,
          folders: places,
          guestFolders: wrap?.place(places) ?? places,
          ...(wallClock ? { wallClock } : {}),
          ...(signal ? { signal } : {}),
        };
        const guest = needsProcess ? start(places, false, held) : pool.take(places);
        if (yieldsCpu) guest.yieldCpu();
        const first = await runInGuest(guest, program, host, bridge);
        // A process that died while it waited is no fault of this program, which has not begun.
        const isStillborn = !first.started && !first.outcome.ok && first.outcome.error.kind === "sandbox";
        const { outcome } = isStillborn
          ? await runInGuest(start(places, false, held), program, host, bridge)
          : first;
        setImmediate(() => pool.refill(places));
        return outcome;
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

/** The file beside the runner that may import Node's modules. */
function loaderUrl(runner: string): string {
  return pathToFileURL(join(dirname(runner), "built-in-loaders.js")).href;
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

function refused(error: unknown): RunOutcome {
  const hint = error instanceof KeyholeError ? error.hint : undefined;
  return {
    ok: false,
    error: { kind: "sandbox", message: errorMessage(error), ...(hint === undefined ? {} : { hint }) },
    used: { wallMs: 0, calls: 0, outputBytes: 0 },
  };
}
