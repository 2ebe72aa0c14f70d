import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { createFrames } from "./frames.ts";

/** A running TypeScript compiler that answers requests and reads its files from us. */
export type CompilerProcess = {
  readonly pid: number | undefined;
  /** Rejects when the process ends before it answers. */
  request(method: string, params: object | readonly unknown[]): Promise<unknown>;
  isRunning(): boolean;
  kill(): void;
};

export type VirtualFiles = ReadonlyMap<string, string>;

/** Files are virtual, in this folder; nothing of the machine's own is ever read. */
export const ROOT = "/keyhole";

const CALLBACKS = "readFile,fileExists,directoryExists,getAccessibleEntries,realpath";
const ARGUMENTS = ["--api", "--async", "--cwd", "/", `--callbacks=${CALLBACKS}`];
/** A program can make the compiler use any amount of memory. Kilobytes; it starts with 60 MB of this kind. */
const MAX_DATA_KB = 1024 * 1024;

export function startCompilerProcess(command: string, files: VirtualFiles): CompilerProcess {
  const child = spawnLimited(command);
  const waiting = new Map<number, { done(result: unknown): void; fail(error: Error): void }>();
  let nextId = 1;
  let isRunning = true;
  const frames =
    child.stdout && child.stdin
      ? createFrames(child.stdout, child.stdin, (message) => {
          const { id, method, params, result, error } = message;
          if (typeof method === "string") {
            frames?.send({ jsonrpc: "2.0", id, result: answerFor(method, params, files) });
            return;
          }
          const request = typeof id === "number" ? waiting.get(id) : undefined;
          if (request === undefined || typeof id !== "number") return;
          waiting.delete(id);
          if (waiting.size === 0) holdHost(child, false);
          if (error === undefined) request.done(result);
          else request.fail(new Error(JSON.stringify(error)));
        })
      : undefined;
  const end = () => {
    isRunning = false;
    for (const request of waiting.values()) request.fail(new Error("The type checker ended"));
    waiting.clear();
  };
  child.once("exit", end);
  child.once("error", end);
  child.stdin?.on("error", () => {});
  return {
    pid: child.pid,
    request: (method, params) =>
      new Promise((done, fail) => {
        if (!isRunning) return fail(new Error("The type checker ended"));
        const id = nextId++;
        waiting.set(id, { done, fail });
        holdHost(child, true);
        frames?.send({ jsonrpc: "2.0", id, method, params });
      }),
    isRunning: () => isRunning,
    kill() {
      isRunning = false;
      child.kill("SIGKILL");
    },
  };
}

/** In our own process group, which is ended as a whole. */
function spawnLimited(command: string): ChildProcess {
  const env = { GOMEMLIMIT: "512MiB" };
  const limited = ["-c", `ulimit -d ${MAX_DATA_KB} 2>/dev/null; exec "$@"`, "sh", command, ...ARGUMENTS];
  const child =
    process.platform === "win32"
      ? spawn(command, ARGUMENTS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      : spawn("/bin/sh", limited, { stdio: ["pipe", "pipe", "ignore"], env });
  child.unref();
  holdHost(child, false);
  return child;
}

/** While it owes us an answer it keeps us from ending, and only then. */
function holdHost(child: ChildProcess, isBusy: boolean): void {
  for (const stream of [child.stdin, child.stdout]) {
    if (!(stream instanceof Socket)) continue;
    if (isBusy) stream.ref();
    else stream.unref();
  }
}

/** The compiler asks for files. JSON has no `undefined`, so a text is wrapped; `null` would send it to the real disk. */
function answerFor(method: string, params: unknown, files: VirtualFiles): unknown {
  const path = String(params);
  switch (method) {
    case "readFile":
      return { content: files.get(path) ?? null };
    case "fileExists":
      return files.has(path);
    case "directoryExists":
      return path === ROOT || path === "/";
    case "getAccessibleEntries":
      return { files: [], directories: [] };
    default:
      return path;
  }
}
