import type { Machine } from "./machine/machine.ts";
import type { LimitReport, RunOutcome, Sandbox } from "./sandbox.ts";

type Trial = {
  readonly name: string;
  /** Ends with one of `kinds`, or returns `true` when what it tried was refused. */
  readonly code: string;
  readonly kinds: readonly string[];
};

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
export async function probeLimits(sandbox: Sandbox, machine: Machine): Promise<LimitReport[]> {
  const reports: LimitReport[] = [];
  for (const { name, code, kinds } of TRIALS) {
    const outcome = await sandbox.run({ code, servers: [] }, NO_HOST, {
      limits: { wallMs: 5_000, cpuMs: 1_000, outputBytes: 1e6 },
    });
    const holds = outcome.ok ? outcome.value === true : kinds.includes(outcome.error.kind);
    reports.push(withFix({ name, holds, seen: describe(outcome) }, machine.fix));
  }
  reports.push(await probeCores(sandbox, machine));
  const { isWalled, fix } = machine;
  const seen = isWalled ? "namespaces of its own" : "permissions alone";
  reports.push(withFix({ name: "a wall behind Deno's permissions", holds: isWalled, seen }, fix));
  return reports;
}

const CORES_FIX =
  "Run Keyhole where it can make cgroups (at the root of its hierarchy, as in a container), or install util-linux";

/** Gives a busy program half a core, where parts of one can be held. */
async function probeCores(sandbox: Sandbox, { cores }: Machine): Promise<LimitReport> {
  const name = "cores";
  if (cores === "none") return { name, holds: false, seen: "all cores can be used", fix: CORES_FIX };
  if (cores === "whole") return { name, holds: true, seen: "whole cores are held, parts of one are not" };
  const outcome = await sandbox.run({ code: BUSY, servers: [] }, NO_HOST, { limits: { cores: HALF } });
  const { cpuMs, wallMs } = outcome.used;
  if (!outcome.ok || cpuMs === undefined)
    return { name, holds: false, seen: describe(outcome), fix: CORES_FIX };
  const share = cpuMs / wallMs;
  const seen = `half a core allowed, ${Math.round(share * 100)}% of one used`;
  return withFix({ name, holds: share < HALF * 1.5, seen }, CORES_FIX);
}

const HALF = 0.5;
const BUSY = "const end = performance.now() + 800; while (performance.now() < end); return true";

const NO_HOST = { callTool: () => Promise.reject(new Error("There are no tools here")) };

function withFix(report: LimitReport, fix: string | undefined): LimitReport {
  return report.holds || fix === undefined ? report : { ...report, fix };
}

function describe(outcome: RunOutcome): string {
  return outcome.ok ? (outcome.value === true ? "refused" : "not refused") : `ended by ${outcome.error.kind}`;
}
