import { createListeners } from "./listeners.js";
import { createOutput } from "./output.js";

const VERSION = "v22.0.0";

/**
 * A `process` that knows nothing of the real one. Deno's own Node layer asks it too, where it looks for a global.
 * @param {import("../load-modules.js").Context} context
 */
export function create({ deno, log, onProcess, exit, builtIn, has }) {
  const Stream = /** @type {any} */ (builtIn["stream"]);
  const began = performance.now();
  /** @type {unknown} */
  let exitCode;
  const listeners = createListeners();
  const stdout = createOutput((text) => log("info", text), Stream, 1);
  const stderr = createOutput((text) => log("error", text), Stream, 2);
  const flush = () => {
    stdout.flush();
    stderr.flush();
  };
  onProcess({
    flush,
    exitCode() {
      const code = Number(exitCode ?? 0);
      return Number.isInteger(code) ? code : 1;
    },
    emit: listeners.emit,
  });

  /** @param {[number, number]} [since] */
  function hrtime(since) {
    const ms = performance.now();
    const [seconds, nanos] = [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1e6)];
    if (!since) return [seconds, nanos];
    const passed = (seconds - since[0]) * 1e9 + nanos - since[1];
    return [Math.floor(passed / 1e9), passed % 1e9];
  }
  hrtime.bigint = () => BigInt(Math.floor(performance.now() * 1e6));

  const process = {
    ...listeners.methods,
    argv: ["node", "/program.ts"],
    argv0: "node",
    execArgv: [],
    execPath: "/node",
    env: Object.create(null),
    get exitCode() {
      return exitCode;
    },
    set exitCode(code) {
      exitCode = code;
    },
    pid: 1,
    ppid: 0,
    title: "node",
    arch: "x64",
    platform: "linux",
    version: VERSION,
    versions: { node: VERSION.slice(1), v8: "0.0" },
    release: { name: "node" },
    features: {},
    stdout: stdout.stream,
    stderr: stderr.stream,
    get stdin() {
      if (!has("stream")) throw new Error("Cannot read process.stdin: programs have no standard input");
      return Stream.Readable.from([]);
    },
    hrtime,
    cwd: () => "/",
    /** @param {unknown} path */
    chdir(path) {
      throw Object.assign(
        new Error(`ENOENT: Cannot change to "${path}": paths are relative to the top, as in "./workspace"`),
        {
          code: "ENOENT",
        },
      );
    },
    /** @param {(...values: unknown[]) => void} callback @param {unknown[]} values */
    nextTick(callback, ...values) {
      if (typeof callback !== "function")
        throw new TypeError('The "callback" argument must be of type function');
      queueMicrotask(() => callback(...values));
    },
    /** @param {unknown} [code] */
    exit(code = exitCode) {
      listeners.emit("exit", Number(code ?? 0));
      return exit(Number(code ?? 0));
    },
    abort: () => exit(134),
    memoryUsage: Object.assign(() => ({ ...deno.memoryUsage(), arrayBuffers: 0 }), {
      rss: () => deno.memoryUsage().rss,
    }),
    cpuUsage: () => ({ user: Math.floor((performance.now() - began) * 1000), system: 0 }),
    resourceUsage: () => ({ userCPUTime: 0, systemCPUTime: 0, maxRSS: 0 }),
    uptime: () => (performance.now() - began) / 1000,
    umask: () => 0o22,
    getuid: () => 0,
    getgid: () => 0,
    geteuid: () => 0,
    getegid: () => 0,
    /** @param {unknown} warning @param {unknown} [type] */
    emitWarning(warning, type) {
      const kind = typeof type === "string" ? type : "Warning";
      log("warn", warning instanceof Error ? String(warning) : `${kind}: ${warning}`);
    },
  };
  return { process };
}
