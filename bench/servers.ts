import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { openProject } from "../src/engine/project.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "./suite.ts";

const HEALTHY = 60;
const BROKEN = 5;
const TOOLS_PER_SERVER = 8;
const SLOWEST_START_MS = 2_000;
const WARM_RUNS = 15;
const WARM_TARGET_MS = 300;

export const serversSuite: BenchSuite = {
  name: "servers",
  about: "many servers at once, some dead and some silent; a start from the cache",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  options.progress(`${HEALTHY} healthy servers alone`);
  const alone = await measureCold(healthyServers());
  options.progress(`the same with ${BROKEN} dead and ${BROKEN} silent ones`);
  const mixed = await measureCold({ ...brokenServers(), ...healthyServers() });
  options.progress("keyhole tools from the cache");
  const warm = await measureWarm({ ...brokenServers(), ...healthyServers() });
  const misses: string[] = [];
  if (mixed.ready !== HEALTHY) misses.push(`${mixed.ready} of ${HEALTHY} healthy servers ready`);
  if (mixed.lastReadyMs > alone.lastReadyMs * 1.25) misses.push("dead and silent servers delay healthy ones");
  if (warm.tools > WARM_TARGET_MS)
    misses.push(`keyhole tools takes ${warm.tools} ms from the cache, target ${WARM_TARGET_MS}`);
  return {
    tables: [
      {
        title: `Connecting for the first time, the slowest server takes ${SLOWEST_START_MS} ms to start (ms)`,
        columns: ["servers", "healthy ones ready", "first ready", "last ready"],
        rows: [
          [`${HEALTHY} healthy`, alone.ready, alone.firstReadyMs, alone.lastReadyMs],
          [
            `${HEALTHY} healthy, ${BROKEN} dead, ${BROKEN} silent`,
            mixed.ready,
            mixed.firstReadyMs,
            mixed.lastReadyMs,
          ],
        ],
      },
      {
        title: `The same ${HEALTHY + 2 * BROKEN} servers from the cache, whole process, median of ${WARM_RUNS} (ms)`,
        columns: ["command", "median", "slowest"],
        rows: [
          ["node -e 0 (the least a process costs)", warm.node, warm.nodeSlowest],
          [`keyhole tools, ${warm.listed} tools`, warm.tools, warm.toolsSlowest],
        ],
      },
    ],
    notes: [],
    misses,
  };
}

type Servers = Record<string, { command: string; args?: string[] }>;

function fixture(name: string, ...args: string[]) {
  return { command: process.execPath, args: [resolve("test/fixtures/servers", `${name}.js`), ...args] };
}

function healthyServers(): Servers {
  const names = Array.from({ length: HEALTHY }, (_, index) => `healthy${index}`);
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      fixture("good", name, String(TOOLS_PER_SERVER), index === 0 ? String(SLOWEST_START_MS) : "0"),
    ]),
  );
}

function brokenServers(): Servers {
  const servers: Servers = {};
  for (let index = 0; index < BROKEN; index++) {
    servers[`dead${index}`] =
      index % 2 === 0 ? { command: "no-such-command-anywhere" } : fixture("dies-at-once");
    servers[`silent${index}`] = fixture("hang");
  }
  return servers;
}

async function withProject<T>(servers: Servers, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function measureCold(servers: Servers) {
  return withProject(servers, async (dir) => {
    const project = await openProject({ dir, homeDir: homedir(), trust: true });
    const readyAt: number[] = [];
    const start = performance.now();
    const allReady = new Promise<void>((resolveReady) => {
      project.catalog.onUpdate(({ status }) => {
        if (status !== "ready") return;
        readyAt.push(Math.round(performance.now() - start));
        if (readyAt.length === HEALTHY) resolveReady();
      });
    });
    const read = project.catalog.read();
    await Promise.race([allReady, read]);
    await project.close();
    await read;
    return { ready: readyAt.length, firstReadyMs: readyAt[0] ?? -1, lastReadyMs: readyAt.at(-1) ?? -1 };
  });
}

function measureWarm(servers: Servers) {
  return withProject(servers, async (dir) => {
    const bin = resolve("dist/cli/main.js");
    const first = JSON.parse((await time([bin, "tools", "--trust", "--json"], dir)).stdout) as {
      tools: unknown[];
    };
    const node: number[] = [];
    const tools: number[] = [];
    for (let run = 0; run < WARM_RUNS; run++) {
      node.push((await time(["-e", "0"], dir)).ms);
      tools.push((await time([bin, "tools", "--trust"], dir)).ms);
    }
    return {
      listed: first.tools.length,
      node: median(node),
      nodeSlowest: Math.max(...node),
      tools: median(tools),
      toolsSlowest: Math.max(...tools),
    };
  });
}

function time(args: string[], cwd: string): Promise<{ ms: number; stdout: string }> {
  return new Promise((resolveRun, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.once("error", reject);
    child.once("close", () => resolveRun({ ms: Math.round(performance.now() - start), stdout }));
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
