import { performance } from "node:perf_hooks";
import type { ServerRecord } from "../../src/catalog/tool.ts";
import { toPythonFacts } from "../../src/language/python/facts/facts.ts";
import { parsePython } from "../../src/language/python/parse-python.ts";
import { toTypeScriptFacts } from "../../src/language/typescript/facts/facts.ts";
import { parse } from "../../src/language/typescript/prepare/oxc.ts";
import type { ProgramFacts } from "../../src/policy/program-facts.ts";
import { assessImpact } from "../../src/policy/risk/impact.ts";
import { assessRisk } from "../../src/policy/risk/risk.ts";
import { validate } from "../../src/policy/validate/validate.ts";
import { loadOwnServers } from "../check/corpus.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { createPython, createTypeScript } from "./programs.ts";

const SIZES = [20, 200, 500, 2_000];
const TARGET_LINES = 500;
const TARGET_MS = 10;
const LIMIT_MS = 50;
const WARM_UP = 30;
const RUNS = 100;

type Read = { readonly tree: () => void; readonly facts: () => ProgramFacts };

/** Validation and risk beside the parse that is there anyway. */
export async function measureValidation({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  const servers = await loadOwnServers(dataDir);
  const tool = createToolOf(servers);
  const typescript = await createTypeScript();
  const languages: readonly [string, (lines: number, variant: number) => Read][] = [
    [
      "TypeScript",
      (lines, variant) => {
        const source = typescript(lines, variant);
        const parsed = parse(source);
        const problem = parsed.problems.find(({ message }) => !message.includes("return"));
        if (problem) throw new Error(problem.message);
        return { tree: () => parse(source).tree(), facts: () => toTypeScriptFacts(source, parsed, servers) };
      },
    ],
    [
      "Python",
      (lines, variant) => {
        const source = createPython(lines, variant);
        const parsed = parsePython(source);
        return { tree: () => parsePython(source), facts: () => toPythonFacts(source, parsed, servers) };
      },
    ],
  ];
  const judge = (facts: ProgramFacts) => {
    const findings = validate(facts, "moderate");
    assessRisk(facts, { tool, findings });
    assessImpact(facts, { tool });
  };
  const rows: (readonly (string | number)[])[] = [];
  const misses: string[] = [];
  for (const [name, create] of languages) {
    for (const lines of SIZES) {
      progress(`${name}, ${lines} lines`);
      const parses: number[] = [];
      const judged: number[] = [];
      let cpuMs = 0;
      for (let index = 0; index < WARM_UP + RUNS; index++) {
        const { tree, facts } = create(lines, index % 40);
        const start = performance.now();
        tree();
        const middle = performance.now();
        const before = process.cpuUsage();
        judge(facts());
        const { user, system } = process.cpuUsage(before);
        const end = performance.now();
        if (index < WARM_UP) continue;
        cpuMs += (user + system) / 1000;
        parses.push(middle - start);
        judged.push(end - middle);
      }
      const [p50, p95] = spread(judged);
      rows.push([
        `${name}, ${lines} lines`,
        ...spread(parses),
        p50,
        p95,
        Math.round((cpuMs / RUNS) * 100) / 100,
      ]);
      if (lines === TARGET_LINES && p50 > TARGET_MS)
        misses.push(`${name}: ${p50} ms at ${lines} lines, target ${TARGET_MS}`);
      if (lines <= TARGET_LINES && p95 > LIMIT_MS) misses.push(`${name}: p95 ${p95} ms, limit ${LIMIT_MS}`);
    }
  }
  return {
    tables: [
      {
        title: "Milliseconds: the parse alone, then validation, risk and impact",
        columns: ["program", "parse p50", "parse p95", "judged p50", "judged p95", "of it CPU, mean"],
        rows,
      },
    ],
    notes: [],
    misses,
  };
}

export function createToolOf(servers: readonly ServerRecord[]) {
  const byName = new Map(servers.map((server) => [server.name, server]));
  return (server: string, name: string) => byName.get(server)?.tools.find((tool) => tool.name === name);
}

function spread(times: readonly number[]): [p50: number, p95: number] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100;
  return [at(0.5), at(0.95)];
}
