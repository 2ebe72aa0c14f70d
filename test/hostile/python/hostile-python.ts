import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuestSpec, PYTHON_GUEST } from "../../../src/sandbox/guest-spec.ts";
import type { Limits } from "../../../src/sandbox/limits.ts";
import type { Folder, Host, RunOutcome, Sandbox } from "../../../src/sandbox/sandbox.ts";
import { until } from "../../fixtures/processes.ts";
import { type Listeners, startListeners } from "./listeners.ts";
import { isAllAsked, SLOW } from "./selections.ts";

type HostileProgram = {
  readonly id: string;
  readonly goal: string;
  readonly code: string;
  /** What must not be: in what comes back, as a file, and in words. */
  readonly forbidden: { readonly files: string[]; readonly text: string[]; readonly effect: string };
};

export type HostileOptions = {
  /** Why Python can't run there; then all is skipped, loudly. */
  readonly missing?: string | undefined;
  /** Which are tried; all but the slow ones, where nothing is said. */
  readonly only?: ReadonlySet<string>;
  /** Whether a program has a machine of its own, which it can take down with its files. */
  readonly hasMachine?: boolean;
  /** Limits that differ where a tier is slower. */
  readonly limits?: Partial<Limits>;
};

export type CreateHostile = (options: {
  limits: Partial<Limits>;
  guest: GuestSpec;
  poolSize: number;
}) => Sandbox;

const MIB = 1024 * 1024;
const LIMITS: Partial<Limits> = {
  wallMs: 1_500,
  cpuMs: 1_500,
  sleepMs: 1_000,
  runMs: 4_000,
  memoryBytes: 128 * MIB,
  diskBytes: 64 * MIB,
  outputBytes: 4 * MIB,
  calls: 300,
};
const SECRET = "the-secret-of-the-host";
const CANARY = "canary-of-the-host-7391";
/**
 * Imports that are refused by words are let through: what lies behind them is what is tried. The library that `ctypes` needs is
 * not there, so a program that means it brings its own: whoever can write a file can load it.
 */
const ARMED = `__builtins__["__import__"] = __import__("importlib").__import__
def _load_native():
    import importlib.machinery, importlib.util, os
    path = os.path.abspath("workspace/libffi.so")
    loader = importlib.machinery.ExtensionFileLoader("ffi", path)
    try: importlib.util.module_from_spec(importlib.util.spec_from_file_location("ffi", path, loader=loader))
    except (ImportError, OSError): pass
_load_native()
`;
/** Where files of a program that broke out would lie. */
const OUTSIDE = ["/", "/tmp", "/etc", "/root", "/var/tmp", "/dev/shm", tmpdir()];

function loadHostile(): HostileProgram[] {
  const text = readFileSync(new URL("programs.jsonl", import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as HostileProgram);
}

/** Python programs written to break out of any sandbox, by somebody who had not seen this one: the same for every tier. */
export function testHostilePython(name: string, create: CreateHostile, options: HostileOptions = {}): void {
  const { missing, only, limits, hasMachine = false } = options;
  const suite = missing === undefined ? describe : describe.skip;
  const isTried = (id: string) => isAllAsked || (only ? only.has(id) : !SLOW.has(id));
  const programs = loadHostile().filter(({ id }) => isTried(id));

  // All are tried at once, in machines that may be emulated.
  suite(`hostile Python, ${name}${missing === undefined ? "" : ` (${missing})`}`, {
    timeout: 300_000,
  }, () => {
    const mark = randomBytes(6).toString("hex");
    const canary = join("/tmp", `keyhole-host-canary-${mark}`);
    const native = missing === undefined ? findNative() : undefined;
    let listeners: Listeners;
    let sandbox: Sandbox | undefined;
    let dir: string;

    beforeAll(async () => {
      process.env["KEYHOLE_SECRET"] = SECRET;
      listeners = await startListeners();
      dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-hostile-")));
      await writeFile(canary, CANARY);
      // One that waits for the next program would look like one that was left.
      sandbox = create({ limits: { ...LIMITS, ...limits }, guest: PYTHON_GUEST, poolSize: 0 });
    });
    afterAll(async () => {
      delete process.env["KEYHOLE_SECRET"];
      await sandbox?.close();
      await listeners.close();
      await rm(canary, { force: true });
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    });

    const opened = () => sandbox ?? expect.unreachable("The sandbox could not be made");

    /** A project of its own for each, so that none finds the disk full of another's files. */
    async function attack({ id, code }: HostileProgram) {
      const project = join(dir, id);
      const workspace: Folder = { name: "workspace", dir: join(project, "workspace"), access: "write" };
      await mkdir(workspace.dir, { recursive: true });
      const own = [".mcp.json", "keyhole.config.json", ".env"].map((file) => join(project, file));
      for (const file of own) await writeFile(file, `{"key":"${SECRET}"}`);
      if (native !== undefined) await copyFile(native, join(workspace.dir, "libffi.so"));
      const logs: string[] = [];
      let isOver = false;
      let lateCalls = 0;
      const host: Host = {
        callTool: async () => {
          if (isOver) lateCalls++;
          return "Contents";
        },
        callOwn: async () => ({ kind: "missing", message: "" }),
        onLog: (_level, text) => void logs.push(text),
        onEmit: (block) => void logs.push(JSON.stringify(block)),
      };
      const source = code
        .replaceAll("keyhole-host-canary", `keyhole-host-canary-${mark}`)
        .replaceAll("keyhole-pwned", `keyhole-pwned-${mark}`)
        .replaceAll("47391", String(listeners.port));
      const outcome = await opened().run(
        {
          code: ARMED + source,
          servers: ["fetch", "filesystem"],
          modules: ["fs"],
          hostFolders: ["servers"],
        },
        host,
        { folders: [workspace] },
      );
      isOver = true;
      const changed = own.filter((file) => readFileSync(file, "utf8") !== `{"key":"${SECRET}"}`);
      const seen = shownOf(outcome, logs);
      return { outcome, seen, changed, workspace, lateCalls: () => lateCalls };
    }

    it.concurrent.for(programs.map((program) => [program.id, program.goal, program] as const))(
      "%s: %s",
      async ([, , program], { expect }) => {
        const { outcome, seen, changed, workspace, lateCalls } = await attack(program);
        for (const text of [...program.forbidden.text.map(asHere), SECRET, CANARY])
          expect(seen).not.toContain(text);
        if (!outcome.ok && !hasMachine) expect(outcome.error.kind, outcome.error.message).not.toBe("sandbox");
        expect(changed).toEqual([]);
        expect(filesOutside(`keyhole-pwned-${mark}`)).toEqual([]);
        await until(() => leftIn(workspace.dir).length === 0, `the end of what ${program.id} left`);
        expect(lateCalls()).toBe(0);
        expect(Reflect.get({}, "polluted")).toBeUndefined();
        // Node can't remove what is too deep for a path.
        spawnSync("rm", ["-rf", workspace.dir]);
        expect(existsSync(workspace.dir)).toBe(false);
      },
    );

    it("the host answers, nobody was reached, and the next program finds nothing of theirs", async () => {
      const code = 'import asyncio, json, sys\nreturn [json.dumps([1]), "persisted" in str(sys.modules)]';
      const logs: string[] = [];
      const outcome = await opened().run(
        { code, servers: [] },
        { callTool: async () => null, onLog: (_level, text) => void logs.push(text) },
      );
      expect(outcome).toMatchObject({ ok: true, value: ["[1]", false] });
      expect(logs).toEqual([]);
      expect(listeners.seen()).toEqual([]);
      expect(hostname()).not.toBe("pwned");
      expect(Date.now()).toBeGreaterThan(Date.UTC(2020, 0));
    });
  });
}

/** The library behind `ctypes`, where this machine has it. */
function findNative(): string | undefined {
  const code = 'import _ctypes\nprint(next(l.split()[-1] for l in open("/proc/self/maps") if "libffi" in l))';
  const { status, stdout } = spawnSync("python3", ["-c", code], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** A place of its own may have a user "root", too: this machine's is meant. */
function asHere(text: string): string {
  if (text !== "root:x:0:0") return text;
  return (
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.startsWith("root:")) ?? text
  );
}

function shownOf(outcome: RunOutcome, logs: readonly string[]): string {
  const { used: _used, ...told } = outcome;
  return `${logs.join("\n")}\n${JSON.stringify(told)}`;
}

function filesOutside(beginning: string): string[] {
  return OUTSIDE.flatMap((dir) => {
    const names = existsSync(dir) ? readdirSync(dir) : [];
    return names.filter((name) => name.startsWith(beginning)).map((name) => join(dir, name));
  });
}

/** Processes of this machine that have a folder of ours among their mounts or in their command. */
function leftIn(dir: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || name === String(process.pid)) return false;
    return ["mountinfo", "cmdline"].some((file) => {
      try {
        return readFileSync(`/proc/${name}/${file}`, "utf8").includes(dir);
      } catch {
        return false;
      }
    });
  });
}
