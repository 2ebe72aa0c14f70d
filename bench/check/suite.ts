import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import {
  type Checker,
  type CheckResult,
  createChecker,
} from "../../src/language/typescript/check/checker.ts";
import { toDeclarations } from "../../src/language/typescript/check/declarations.ts";
import { toReferences } from "../../src/language/typescript/check/references.ts";
import type { Prepared } from "../../src/language/typescript/prepare/prepare.ts";
import { TYPESCRIPT_LANGUAGE } from "../../src/language/typescript/typescript.ts";
import { loadDeclarations } from "../../src/world/declarations.ts";
import { loadEvalServers } from "../eval-tools.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { type Collection, loadCollection, loadOwnServers, refusalOf } from "./corpus.ts";
import { createPrograms } from "./generated.ts";

const TARGET_CHECK_MS = 10;
const TARGET_PREPARE_MS = 1;
const WARM_UP = 50;
const RUNS = 300;
/** Of programs with one mistake, so many must be found before a call is made. */
const TARGET_FOUND = 0.9;

export const checkSuite: BenchSuite = {
  name: "check",
  about:
    "types stripped and checked, for programs never seen before, against every tool of the evaluation data",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  const { servers } = await loadEvalServers(options.dataDir);
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  const programs = createPrograms(servers);
  const checker = createChecker({ servers: () => servers, timeoutMs: 30_000 });
  const rows: (readonly (string | number)[])[] = [];
  const add = (name: string, times: readonly number[]) => rows.push([name, ...spread(times), times.length]);

  options.progress("cold starts");
  const cold = await timesOf(10, async (index) => {
    const mine = createChecker({ servers: () => servers, timeoutMs: 30_000 });
    await check(mine, programs.right(10_000 + index));
    mine.close();
  });
  options.progress("warm checks");
  let refused = 0;
  for (let index = 0; index < WARM_UP; index++) await check(checker, programs.right(index));
  const prepareTimes: number[] = [];
  const warm = await timesOf(RUNS, async (index) => {
    const source = programs.right(1000 + index);
    const start = performance.now();
    const prepared = checker.prepare(source);
    prepareTimes.push(performance.now() - start);
    if (!prepared.ok) throw new Error(prepared.error.message);
    if (!(await checkAsRun(checker, source, prepared)).ok) refused++;
  });
  const checks = warm.map((time, index) => time - (prepareTimes[index] ?? 0));
  const wrong = await timesOf(RUNS, (index) => check(checker, programs.wrong(2000 + index)));
  const again = await timesOf(RUNS, () => check(checker, programs.right(1)));
  const together = await timesOf(10, async (index) => {
    const sources = Array.from({ length: 20 }, (_, one) => programs.right(3000 + index * 20 + one));
    await Promise.all(sources.map((source) => check(checker, source)));
  });
  options.progress("as the engine has it done: in a process of its own");
  const readers = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => servers, stays: true });
  await readers.warm();
  const readTimes = await timesOf(WARM_UP + RUNS, async (index) => {
    const read = await readers.read(programs.right(1000 + index), { types: true });
    if (!read.ok) throw new Error(JSON.stringify(read.error));
  });
  const readerMemory = await residentMegabytes(readers.pids[0]);
  readers.close();
  const memory = await residentMegabytes(checker.pid);
  options.progress("tsc as a process");
  const plain = await measurePlain(checker, programs.right(1), servers);
  checker.close();
  options.progress("programs as models write them");
  const right = await judge("right", options.dataDir);
  const wrongOnes = await judge("wrong", options.dataDir);

  add("prepare", prepareTimes);
  add("type check, and the code that runs, never seen before", checks);
  add("both, in the process that reads programs", readTimes.slice(WARM_UP));
  add("prepare and type check, a wrong program", wrong);
  add("prepare and type check, the same program again", again);
  add(
    "20 at once, each",
    together.map((time) => time / 20),
  );
  add("first check of a new process", cold);
  add("tsc as a process, the same declarations", plain);
  const misses: string[] = [];
  const [checkMs] = spread(checks);
  const [prepareMs] = spread(prepareTimes);
  if (checkMs > TARGET_CHECK_MS) misses.push(`type check ${checkMs} ms, target ${TARGET_CHECK_MS}`);
  if (prepareMs > TARGET_PREPARE_MS) misses.push(`prepare ${prepareMs} ms, target ${TARGET_PREPARE_MS}`);
  if (right.refused.length > 0) misses.push(`${right.refused.length} right programs refused`);
  const found = wrongOnes.refused.length / wrongOnes.total;
  if (found < TARGET_FOUND) misses.push(`${wrongOnes.refused.length} of ${wrongOnes.total} mistakes found`);
  const lines = programs.right(1).split("\n").length;
  return {
    tables: [
      { title: "Milliseconds", columns: ["what", "p50", "p95", "runs"], rows },
      {
        title: "Programs as models write them",
        columns: ["programs", "all", "refused"],
        rows: [
          ["right", right.total, right.refused.length],
          ["with one mistake", wrongOnes.total, wrongOnes.refused.length],
        ],
      },
    ],
    notes: [
      `${tools} tools of ${servers.length} servers; each program: ${lines} lines, 6 calls of other tools of other servers`,
      `${refused} of ${RUNS} right programs made by rule refused`,
      ...right.refused.slice(0, 10).map((text) => `refused though right: ${text}`),
      `the compiler's process after ${WARM_UP + 3 * RUNS + 200} checks: ${memory} MB resident; the process that reads programs: ${readerMemory} MB`,
    ],
    misses,
  };
}

type Judged = { readonly total: number; readonly refused: readonly string[] };

async function judge(name: Collection, dataDir: string): Promise<Judged> {
  const servers = await loadOwnServers(dataDir);
  const checker = createChecker({ servers: () => servers, timeoutMs: 30_000 });
  const programs = await loadCollection(name);
  const refused: string[] = [];
  for (const { file, title, source } of programs) {
    const why = await refusalOf(checker, source);
    if (why !== undefined) refused.push(`${file} ${title}: ${why}`);
  }
  checker.close();
  return { total: programs.length, refused };
}

async function check(checker: Checker, source: string): Promise<void> {
  const prepared = checker.prepare(source);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const result = await checkAsRun(checker, source, prepared);
  if (result.ok && result.skipped !== undefined) throw new Error(result.skipped);
}

/** As the engine does it: the code that runs is made while the compiler looks at the types. */
async function checkAsRun(checker: Checker, source: string, prepared: Prepared): Promise<CheckResult> {
  const checked = await checker.check(source, prepared);
  const finished = prepared.finish();
  if (!finished.ok) throw new Error(finished.error.message);
  return checked;
}

/** What a check costs without a process that is kept: the usual way. */
async function measurePlain(checker: Checker, source: string, servers: Parameters<typeof toReferences>[1]) {
  const prepared = checker.prepare(source);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    await writeFile(join(dir, "program.ts"), prepared.checked.text);
    await writeFile(join(dir, "tools.d.ts"), toDeclarations(toReferences(source, servers).references));
    await writeFile(join(dir, "world.d.ts"), loadDeclarations());
    const compilerOptions = { strict: false, target: "esnext", module: "esnext", lib: ["esnext"], types: [] };
    await writeFile(
      join(dir, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true, skipLibCheck: true } }),
    );
    return await timesOf(
      5,
      () =>
        new Promise<void>((done) => execFile(resolve("node_modules/.bin/tsc"), ["-p", dir], () => done())),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return times;
}

function spread(times: readonly number[]): [p50: number, p95: number] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100;
  return [at(0.5), at(0.95)];
}

async function residentMegabytes(pid: number | undefined): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return kilobytes === undefined ? "?" : String(Math.round(Number(kilobytes) / 1024));
}
