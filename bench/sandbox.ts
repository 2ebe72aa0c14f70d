import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getQuickJS } from "quickjs-emscripten";
import { createSandbox, type SandboxConfig } from "../src/sandbox/create-sandbox.ts";
import { findDeno } from "../src/sandbox/deno/find-deno.ts";
import type { Host, RunOutcome, Sandbox } from "../src/sandbox/sandbox.ts";
import { processTier } from "../test/fixtures/process-tier.ts";
import { answerReport, MILLION_ROWS, REPORT } from "./sandbox-programs.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "./suite.ts";

const RUNS = 60;
const COLD_RUNS = 25;
const SUSTAINED_RUNS = 400;
const DENO_FLAGS = [
  "run",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--no-check",
];

export const sandboxSuite: BenchSuite = {
  name: "sandbox",
  about: "the process sandbox: cold and pooled runs, the bridge, large results, throughput",
  run,
};

const host: Host = { callTool: answerReport };
const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

async function run({ progress }: BenchOptions): Promise<BenchReport> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    progress("cold starts");
    const bare = await measureBareDeno(dir);
    const cold = await withSandbox({ tiers: processTier({ bubblewrap: "never" }), poolSize: 0 }, measureCold);
    const coldWrapped = hasBubblewrap
      ? await withSandbox({ tiers: processTier({ bubblewrap: "always" }), poolSize: 0 }, measureCold)
      : [];
    progress("pooled runs");
    const pooled = await withSandbox({ poolSize: 1 }, measurePooled);
    const quickjs = await measureQuickJs();
    progress("the bridge");
    const bridge = await withSandbox({ poolSize: 0 }, measureBridge);
    const echoes = await measureEcho();
    progress("a million rows");
    const rows = await measureRows(dir);
    progress("runs one after another, a new process each");
    const sustained = await withSandbox({ poolSize: 2 }, measureSustained);

    const targets: [what: string, value: number, target: number, unit: string][] = [
      ["cold start → result, p50", quantile(cold, 0.5), 25, "ms"],
      ["cold start → result in bubblewrap, p50", quantile(coldWrapped, 0.5), 35, "ms"],
      ["55 lines, 6 calls, pooled, p50", quantile(pooled, 0.5), 5, "ms"],
      ["55 lines, 6 calls, pooled, p95", quantile(pooled, 0.95), 9, "ms"],
      ["1000 calls one after another", bridge.serialMs, 70, "ms"],
      ["1000 calls at once", bridge.parallelMs, 8, "ms"],
      ["a JSON result of 9 MB", bridge.largeMs, 160, "ms"],
      ["1M rows against bare Deno", rows.ratio, 1.1, "×"],
    ];
    const measured = targets.filter(([, value]) => !Number.isNaN(value));
    const misses = measured.filter(([, value, target]) => value > target).map(([what]) => what);
    if (sustained.perSecond < 35) misses.push("runs a second");
    return {
      tables: [
        {
          title: "Process sandbox",
          columns: ["what", "measured", "target"],
          rows: [
            ...measured.map(([what, value, target, unit]) => [
              what,
              `${round(value)} ${unit}`,
              `≤ ${target} ${unit}`,
            ]),
            ["runs a second, a new process each, 4 at once", round(sustained.perSecond), "≥ 35"],
            [
              `host RSS, after 50 and after ${SUSTAINED_RUNS} runs`,
              `${sustained.rssEarly} → ${sustained.rssLate} MB`,
              "flat",
            ],
          ],
        },
        {
          title: "Baselines in the same run (ms)",
          columns: ["what", "p50", "p95"],
          rows: [
            ["plain Deno, cold, the same 55 lines, calls answered inside", ...spread(bare)],
            ["QuickJS (emscripten), the same 55 lines, calls answered in the host", ...spread(quickjs)],
            [
              "a bare Deno that echoes lines, 1000 one after another: what the pipes alone cost",
              ...spread(echoes),
            ],
            ["bare Deno, 1M rows", round(rows.bareMs), ""],
            ["sandbox, 1M rows", round(rows.sandboxMs), ""],
          ],
        },
      ],
      notes: hasBubblewrap ? [] : ["bwrap is not installed: nothing was measured inside it"],
      misses,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function withSandbox<T>(options: SandboxConfig, measure: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = createSandbox(options);
  try {
    return await measure(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function measureCold(sandbox: Sandbox): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < COLD_RUNS; count++) {
    times.push(await time(async () => expectOk(await sandbox.run({ code: "return 1", servers: [] }, host))));
    await pause();
  }
  return times;
}

async function measurePooled(sandbox: Sandbox): Promise<number[]> {
  const times: number[] = [];
  await sandbox.warm();
  for (let count = 0; count < RUNS; count++) {
    // The pool refills between runs, as it does while a model thinks.
    await pause();
    const code = `// ${count}\n${REPORT}`;
    times.push(
      await time(async () => expectOk(await sandbox.run({ code, servers: ["github", "memory"] }, host))),
    );
  }
  return times;
}

async function measureBridge(sandbox: Sandbox) {
  const large = {
    rows: Array.from({ length: 60_000 }, (_, n) => ({
      id: n,
      name: `Row number ${n}`,
      value: n * 1.5,
      tags: ["a", "b"],
      note: "x".repeat(80),
    })),
  };
  const answers: Host = { callTool: async (_server, tool, args) => (tool === "large" ? large : args) };
  const insideMs = async (code: string) => {
    const times: number[] = [];
    for (let count = 0; count < 7; count++) {
      const outcome = await sandbox.run(
        {
          code: `await s.x({}); const begin = performance.now(); ${code}; return performance.now() - begin`,
          servers: ["s"],
        },
        answers,
      );
      times.push(Number(expectOk(outcome)));
    }
    return quantile(times, 0.5);
  };
  return {
    bytes: JSON.stringify(large).length,
    serialMs: await insideMs("for (let n = 0; n < 1000; n++) await s.x({ n })"),
    parallelMs: await insideMs("await Promise.all(Array.from({ length: 1000 }, (_, n) => s.x({ n })))"),
    largeMs: await insideMs("await s.large()"),
  };
}

async function measureRows(dir: string) {
  const file = join(dir, "rows.js");
  await writeFile(file, `${MILLION_ROWS}\nconsole.log(ms);`);
  const bareTimes: number[] = [];
  const times: number[] = [];
  await withSandbox({ poolSize: 0 }, async (sandbox) => {
    for (let count = 0; count < 7; count++) {
      bareTimes.push(Number((await runDeno(file)).stdout));
      times.push(
        Number(expectOk(await sandbox.run({ code: `${MILLION_ROWS}\nreturn ms`, servers: [] }, host))),
      );
    }
  });
  const [bareMs, sandboxMs] = [quantile(bareTimes, 0.5), quantile(times, 0.5)];
  return { bareMs, sandboxMs, ratio: sandboxMs / bareMs };
}

async function measureSustained(sandbox: Sandbox) {
  let done = 0;
  let rssEarly = 0;
  const begin = performance.now();
  const lane = async () => {
    while (done < SUSTAINED_RUNS) {
      if (++done === 50) rssEarly = rssMb();
      expectOk(await sandbox.run({ code: REPORT, servers: ["github", "memory"] }, host));
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return { perSecond: SUSTAINED_RUNS / ((performance.now() - begin) / 1000), rssEarly, rssLate: rssMb() };
}

async function measureBareDeno(dir: string): Promise<number[]> {
  const file = join(dir, "report.js");
  const servers = `const answer = ${answerReport.toString()};
const github = { listIssues: (args) => answer("github", "listIssues", args), createIssue: (args) => answer("github", "createIssue", args) };
const memory = { store: (args) => answer("memory", "store", args) };`;
  await writeFile(file, `${servers}\nconsole.log(JSON.stringify(await (async () => {${REPORT}\n})()));`);
  const times: number[] = [];
  for (let count = 0; count < COLD_RUNS; count++) times.push((await runDeno(file)).ms);
  return times;
}

function runDeno(file: string): Promise<{ ms: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const child = spawn(findDeno(), [...DENO_FLAGS, file], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { DENO_DIR: "/dev/null/x", NO_COLOR: "1" },
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.once("error", reject);
    child.once("close", () => resolve({ ms: performance.now() - begin, stdout }));
  });
}

/** What in-process peers do: a new context a run, calls answered as promises, jobs pumped until the end. */
async function measureQuickJs(): Promise<number[]> {
  const quickjs = await getQuickJS();
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    times.push(
      await time(async () => {
        const context = quickjs.newContext();
        const call = context.newFunction("call", (tool, args) => {
          const deferred = context.newPromise();
          void answerReport("", context.getString(tool), JSON.parse(context.getString(args))).then(
            (result) => {
              context.newString(JSON.stringify(result)).consume((text) => deferred.resolve(text));
              void deferred.settled.then(() => context.runtime.executePendingJobs());
            },
          );
          return deferred.handle;
        });
        context.setProp(context.global, "call", call);
        call.dispose();
        const servers = `const server = new Proxy({}, { get: (_, tool) => async (args) => JSON.parse(await call(tool, JSON.stringify(args))) });
const github = server, memory = server, console = { log() {} };`;
        const promise = context.unwrapResult(
          context.evalCode(`${servers}\n(async () => {// ${count}\n${REPORT}\n})().then(JSON.stringify)`),
        );
        const settled = context.resolvePromise(promise);
        promise.dispose();
        context.runtime.executePendingJobs();
        context.unwrapResult(await settled).consume((value) => JSON.parse(context.getString(value)));
        context.dispose();
      }),
    );
  }
  return times;
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 80));
const rssMb = () => Math.round(process.memoryUsage.rss() / 1024 / 1024);
const round = (value: number) => Math.round(value * 100) / 100;
const spread = (times: readonly number[]) => [round(quantile(times, 0.5)), round(quantile(times, 0.95))];

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function expectOk(outcome: RunOutcome): unknown {
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

/** The least that 1000 questions and answers cost between two processes of this kind: nothing is read or written but a line. */
async function measureEcho(): Promise<number[]> {
  const source =
    "const b = new Uint8Array(65536); for (let n; (n = await Deno.stdin.read(b)) !== null; ) Deno.stdout.writeSync(b.subarray(0, n));";
  const echo = spawn(findDeno(), ["eval", source], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { DENO_DIR: "/dev/null/x" },
  });
  const ask = () => {
    echo.stdin.write('{"id":1,"result":{"a":1}}\n');
    return once(echo.stdout, "data");
  };
  await ask();
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    for (let n = 0; n < 1000; n++) await ask();
    times.push(performance.now() - start);
  }
  echo.stdin.end();
  return times;
}
