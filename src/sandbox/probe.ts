import type { GuestRuntime } from "./guest-spec.ts";
import type { Machine } from "./machine/machine.ts";
import { TRIALS, type Trial } from "./probe-trials.ts";
import type { LimitReport, RunOutcome, Sandbox } from "./sandbox.ts";

type Running = Pick<Sandbox, "run">;
type Limiting = Pick<Machine, "fix" | "isWalled" | "cores">;

/** For a trial whose program was too slow to get to its limit: where machines are emulated, all takes many times as long. */
const PATIENT = { wallMs: 90_000, cpuMs: 90_000 } as const;
/** Whether a limit is held is seen at a small one as well, with less work. */
const LOOP_CPU_MS = 300;
const MEMORY_BYTES = 256 * 1024 * 1024;

/** Lets programs go for each limit, and says how they ended. */
export async function probeLimits(
  sandbox: Running,
  machine: Limiting,
  runtime: GuestRuntime,
): Promise<LimitReport[]> {
  const { trials, cpuMs, busy, wall } = TRIALS[runtime];
  const reports: LimitReport[] = [];
  for (const trial of trials) {
    const isLoop = trial.kinds.includes("cpu");
    const usual = await attempt(sandbox, trial, { wallMs: 5_000, cpuMs: isLoop ? LOOP_CPU_MS : cpuMs });
    const report = usual.isUnknown ? await attempt(sandbox, trial, PATIENT) : usual;
    reports.push(report.isUnknown ? report : withFix(report, machine.fix));
  }
  reports.push(await probeCores(sandbox, machine, busy));
  const { isWalled, fix } = machine;
  const seen = isWalled ? "namespaces of its own" : "permissions alone";
  reports.push(withFix({ name: wall, holds: isWalled, seen }, fix));
  return reports;
}

/** A program that is ended by its time has not got to any other limit: what that one is worth is not seen. */
async function attempt(
  sandbox: Running,
  { name, code, kinds }: Trial,
  time: { readonly wallMs: number; readonly cpuMs: number },
): Promise<LimitReport> {
  const outcome = await sandbox.run({ code, servers: [] }, NO_HOST, {
    limits: { ...time, outputBytes: 1e6, ...(kinds.includes("memory") && { memoryBytes: MEMORY_BYTES }) },
  });
  const holds = outcome.ok ? outcome.value === true : kinds.includes(outcome.error.kind);
  if (holds || outcome.ok || !TIMES.includes(outcome.error.kind))
    return { name, holds, seen: describe(outcome) };
  return { name, holds, isUnknown: true, seen: `${describe(outcome)} before it got there` };
}

const TIMES: readonly string[] = ["timeout", "cpu"];

const CORES_FIX =
  "Run Keyhole where it can make cgroups (at the root of its hierarchy, as in a container), or install util-linux";

/** Gives a busy program half a core, where parts of one can be held. */
async function probeCores(sandbox: Running, { cores }: Limiting, busy: string): Promise<LimitReport> {
  const name = "cores";
  if (cores === "none") return { name, holds: false, seen: "all cores can be used", fix: CORES_FIX };
  if (cores === "whole") return { name, holds: true, seen: "whole cores are held, parts of one are not" };
  const outcome = await sandbox.run({ code: busy, servers: [] }, NO_HOST, { limits: { cores: HALF } });
  const { cpuMs, wallMs } = outcome.used;
  if (!outcome.ok || cpuMs === undefined)
    return { name, holds: false, seen: describe(outcome), fix: CORES_FIX };
  const share = cpuMs / wallMs;
  const seen = `half a core allowed, ${Math.round(share * 100)}% of one used`;
  return withFix({ name, holds: share < HALF * 1.5, seen }, CORES_FIX);
}

const HALF = 0.5;

const NO_HOST = { callTool: () => Promise.reject(new Error("There are no tools here")) };

function withFix(report: LimitReport, fix: string | undefined): LimitReport {
  return report.holds || fix === undefined ? report : { ...report, fix };
}

function describe(outcome: RunOutcome): string {
  return outcome.ok ? (outcome.value === true ? "refused" : "not refused") : `ended by ${outcome.error.kind}`;
}
