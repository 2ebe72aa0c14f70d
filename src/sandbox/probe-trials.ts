import { fileURLToPath } from "node:url";
import type { GuestRuntime } from "./guest-spec.ts";

/** A program that goes for one limit. */
export type Trial = {
  readonly name: string;
  /** Ends with one of `kinds`, or returns `true` when what it tried was refused. */
  readonly code: string;
  readonly kinds: readonly string[];
};

export type Trials = {
  readonly trials: readonly Trial[];
  /** Enough for filling the memory. */
  readonly cpuMs: number;
  /** Busy for half a second. */
  readonly busy: string;
  /** How the wall around the process is called. */
  readonly wall: string;
};

/** It is on this machine, and nothing to a program. */
const OWN_FILE = JSON.stringify(fileURLToPath(import.meta.url));

const JAVASCRIPT: readonly Trial[] = [
  {
    name: "heap",
    code: "const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length));",
    kinds: ["memory"],
  },
  {
    name: "array buffers",
    code: "const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1));",
    kinds: ["memory"],
  },
  {
    name: "wasm memory",
    code: `const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
for (;;) { const before = memory.grow(160); new Uint8Array(memory.buffer, before * 65536).fill(1); }`,
    kinds: ["memory"],
  },
  { name: "endless loop", code: "for (;;);", kinds: ["timeout", "cpu"] },
  { name: "output", code: 'for (;;) console.log("x".repeat(65536));', kinds: ["output"] },
  {
    name: "processes and threads",
    code: 'return typeof Worker + typeof Deno + typeof process === "undefinedundefinedundefined" && await import("node:child_process").then(() => false, () => true);',
    kinds: [],
  },
  {
    name: "files",
    code: 'return await import("/etc/passwd", { with: { type: "text" } }).then(() => false, () => true);',
    kinds: [],
  },
  {
    name: "network",
    code: 'return typeof WebSocket === "undefined" && await fetch("http://127.0.0.1:1").then(() => false, () => true) && await import("http://127.0.0.1:1/x.js").then(() => false, () => true);',
    kinds: [],
  },
];

/** By a datagram socket nothing is sent when it connects; without a network there is no way to that address. Emscripten's lead nowhere. */
const PYTHON_NETWORK = `import importlib, sys
try:
    await fetch("http://127.0.0.1:1")
    return False
except OSError: pass
if sys.platform == "emscripten":
    import js
    return not hasattr(js, "fetch") and not hasattr(js, "WebSocket")
try:
    socket = importlib.import_module("socket")
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9))
    return False
except OSError: return True`;

/** None, or not as many as one likes: where a program has a system of its own it may start some. */
const PYTHON_PROCESSES = `import os
waits, _ = os.pipe()
children = []
try:
    for _ in range(256):
        child = os.fork()
        if child == 0: os._exit(len(os.read(waits, 1)))
        children.append(child)
    return False
except (OSError, AttributeError): return True
finally:
    for child in children: os.kill(child, 9)`;

const PYTHON: readonly Trial[] = [
  { name: "objects", code: "kept = []\nwhile True: kept.append([0] * 100_000)", kinds: ["memory"] },
  { name: "bytes", code: "kept = []\nwhile True: kept.append(b'x' * 10_000_000)", kinds: ["memory"] },
  {
    name: "mapped memory",
    code: "import mmap\nkept = []\nwhile True:\n    kept.append(mmap.mmap(-1, 10_000_000))\n    kept[-1].write(b'x' * 10_000_000)",
    kinds: ["memory"],
  },
  { name: "endless loop", code: "while True: pass", kinds: ["timeout", "cpu"] },
  { name: "output", code: "while True: print('x' * 65536)", kinds: ["output"] },
  { name: "processes", code: PYTHON_PROCESSES, kinds: [] },
  {
    name: "files",
    code: `refused = 0\nfor path, mode in [(${OWN_FILE}, "r"), ("/keyhole-trial", "w")]:\n    try: open(path, mode)\n    except OSError: refused += 1\nreturn refused == 2`,
    kinds: [],
  },
  { name: "network", code: PYTHON_NETWORK, kinds: [] },
];

export const TRIALS: Readonly<Record<GuestRuntime, Trials>> = {
  deno: {
    trials: JAVASCRIPT,
    cpuMs: 1_000,
    busy: "const end = performance.now() + 500; while (performance.now() < end); return true",
    wall: "a wall behind Deno's permissions",
  },
  python: {
    trials: PYTHON,
    cpuMs: 2_000,
    busy: "import time\nend = time.perf_counter() + 0.5\nwhile time.perf_counter() < end: pass\nreturn True",
    wall: "a wall around Python",
  },
};
