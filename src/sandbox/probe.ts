import type { LimitReport, RunOutcome, Sandbox } from "./sandbox.ts";

type Trial = {
  readonly name: string;
  /** Ends with one of `kinds`, or returns `true` when what it tried was refused. */
  readonly code: string;
  readonly kinds: readonly string[];
};

const BUBBLEWRAP = "Install bubblewrap (on Debian: apt install bubblewrap)";

const TRIALS: readonly Trial[] = [
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

/** Lets programs go for each limit, and says how they ended. */
export async function probeLimits(sandbox: Sandbox, isWrapped: boolean): Promise<LimitReport[]> {
  const reports: LimitReport[] = [];
  for (const { name, code, kinds } of TRIALS) {
    const outcome = await sandbox.run({ code, servers: [] }, NO_HOST, {
      limits: { wallMs: 5_000, cpuMs: 1_000, outputBytes: 1e6 },
    });
    const holds = outcome.ok ? outcome.value === true : kinds.includes(outcome.error.kind);
    reports.push({ name, holds, seen: describe(outcome), ...(holds ? {} : { fix: BUBBLEWRAP }) });
  }
  reports.push({
    name: "a wall behind Deno's permissions",
    holds: isWrapped,
    seen: isWrapped ? "namespaces of its own" : "permissions alone",
    ...(isWrapped ? {} : { fix: process.platform === "linux" ? BUBBLEWRAP : "Use the docker or vm tier" }),
  });
  return reports;
}

const NO_HOST = { callTool: () => Promise.reject(new Error("There are no tools here")) };

function describe(outcome: RunOutcome): string {
  return outcome.ok ? (outcome.value === true ? "refused" : "not refused") : `ended by ${outcome.error.kind}`;
}
