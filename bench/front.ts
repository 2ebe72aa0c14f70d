import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { BenchOptions, BenchReport, BenchSuite } from "./suite.ts";

const MANY = 1000;
const FEW = 6;

export const frontSuite: BenchSuite = {
  name: "front",
  about:
    "calls through keyhole serve and a program, beside the same calls made directly by a bare SDK client",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  const server = { command: process.execPath, args: [resolve("test/fixtures/servers/good.js"), "good", "6"] };
  await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: { good: server } }));
  const direct = await connect(server);
  const front = await connect({
    command: process.execPath,
    args: [resolve("dist/cli/main.js"), "serve", "--trust", "--project", dir],
  });
  try {
    options.progress("warming up");
    for (let n = 0; n < 5; n++) {
      await viaFront(front, sixCalls(-n));
      await callDirectly(direct, FEW);
    }
    options.progress(`${FEW} calls, one after another`);
    const few = await compare(
      30,
      () => callDirectly(direct, FEW),
      (n) => viaFront(front, sixCalls(n)),
    );
    options.progress(`${MANY} calls`);
    const row = await compare(
      5,
      () => callDirectly(direct, MANY),
      (n) => viaFront(front, inARow(n)),
    );
    const atOnce = await compare(
      5,
      () => callAtOnce(direct),
      (n) => viaFront(front, together(n)),
    );
    return report([
      { what: `${FEW} calls, program checked and never seen before`, ...few, target: 8 },
      { what: `${MANY} calls one after another`, ...row, target: 1.5 },
      { what: `${MANY} calls at once`, ...atOnce, target: 1 },
    ]);
  } finally {
    await Promise.all([direct.close(), front.close()]);
    await rm(dir, { recursive: true, force: true });
  }
}

type Row = { what: string; direct: number; keyhole: number; target: number };

function report(rows: readonly Row[]): BenchReport {
  const ratio = ({ direct, keyhole }: Row) => Math.round((keyhole / direct) * 100) / 100;
  return {
    tables: [
      {
        title: "Through a real stdio server and the MCP front, medians (ms)",
        columns: ["what", "bare SDK client", "keyhole serve", "times", "target"],
        rows: rows.map((row) => [row.what, row.direct, row.keyhole, ratio(row), row.target]),
      },
    ],
    notes: [],
    misses: rows
      .filter((row) => ratio(row) > row.target)
      .map((row) => `${row.what}: ${ratio(row)}x, target ${row.target}x`),
  };
}

async function connect(server: { command: string; args: string[] }): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  return client;
}

/** In turns, so that both meet the same noise. */
async function compare(rounds: number, direct: () => Promise<void>, keyhole: (n: number) => Promise<void>) {
  const times: { direct: number[]; keyhole: number[] } = { direct: [], keyhole: [] };
  for (let n = 0; n < rounds; n++) {
    // A run leaves its place in the pool empty; agents think longer than it takes to fill it.
    await new Promise((resolve) => setTimeout(resolve, 150));
    times.direct.push(await time(direct));
    times.keyhole.push(await time(() => keyhole(n)));
  }
  return { direct: median(times.direct), keyhole: median(times.keyhole) };
}

async function callDirectly(client: Client, calls: number): Promise<void> {
  for (let n = 0; n < calls; n++) await client.callTool({ name: "good_0", arguments: { value: String(n) } });
}

async function callAtOnce(client: Client): Promise<void> {
  await Promise.all(
    Array.from({ length: MANY }, (_, n) =>
      client.callTool({ name: "good_0", arguments: { value: String(n) } }),
    ),
  );
}

async function viaFront(client: Client, code: string): Promise<void> {
  const result = await client.callTool({ name: "execute_code", arguments: { code } }, { timeout: 120_000 });
  if (result.isError) throw new Error(JSON.stringify(result.content));
}

/** 55 lines, six calls; the number makes it a program that was never seen. */
function sixCalls(n: number): string {
  const steps = Array.from(
    { length: FEW },
    (_, step) => `
const answer${step} = await good.good${step}({ value: "${n}-${step}" });
if (answer${step} === undefined) {
  throw new Error("no answer to ${step}");
}
const text${step} = JSON.stringify(answer${step});
const words${step}: string[] = text${step}.split(/\\W+/).filter((word) => word !== "");
console.log("step", ${step}, words${step}.length);
`,
  );
  return `const marker${n < 0 ? "Warm" : ""}${Math.abs(n)} = ${n};${steps.join("")}return [${steps.map((_, step) => `words${step}.length`).join(", ")}];`;
}

function inARow(n: number): string {
  return `let last; for (let i = 0; i < ${MANY}; i++) last = await good.good0({ value: String(i + ${n}) }); return last;`;
}

function together(n: number): string {
  return `const all = await Promise.all(Array.from({ length: ${MANY} }, (_, i) => good.good0({ value: String(i + ${n}) }))); return all.length;`;
}

async function time(task: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return Math.round(middle * 100) / 100;
}
