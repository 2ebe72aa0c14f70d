import { performance } from "node:perf_hooks";
import type { Language, ReadProgram, SkillSource } from "../../src/language/language.ts";
import { PYTHON_LANGUAGE } from "../../src/language/python/python.ts";
import { TYPESCRIPT_LANGUAGE } from "../../src/language/typescript/typescript.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

const READS = 600;
const RUNS = 100;
const TARGET_MS = 1;

type Case = {
  readonly language: Language;
  readonly skill: SkillSource;
  readonly imports: string;
  /** In the place of the import: a function that does nothing. */
  readonly instead: string;
  readonly use: string;
};

const PYTHON_SKILL = `"""Sums of rows."""
import json
from collections import defaultdict


async def totals(rows: list[dict], key: str = "n") -> dict[str, int]:
    """What there is of each name."""
    found = defaultdict(int)
    for row in rows:
        if row.get(key) is not None:
            found[row["name"].strip().lower()] += row[key]
    return dict(sorted(found.items(), key=lambda pair: pair[1], reverse=True))


async def of_board(tool: str, board: str, limit: int = 20) -> dict[str, int]:
    """The same of a board of a server."""
    try:
        answer = await call_mcp_tool(tool, {"board": board, "limit": limit})
        return await totals(answer.get("items", []))
    except ToolError as error:
        print("no board", json.dumps({"board": board, "why": str(error)}))
        return {}
`;

const TYPESCRIPT_SKILL = `/** Sums of rows. */
import { join } from "node:path";

export type Row = { name: string; n?: number };

/** What there is of each name. */
export async function totals(rows: readonly Row[], { least = 0 }: { least?: number } = {}): Promise<Record<string, number>> {
  const found = new Map<string, number>();
  for (const { name, n } of rows) {
    if (n === undefined) continue;
    const key = name.trim().toLowerCase();
    found.set(key, (found.get(key) ?? 0) + n);
  }
  return Object.fromEntries([...found].filter(([, sum]) => sum >= least).sort(([, a], [, b]) => b - a));
}

/** The same of a board of a server. */
export async function ofBoard(tool: string, board: string, limit = 20): Promise<Record<string, number>> {
  try {
    const answer: any = await callMCPTool(tool, { board, limit });
    return await totals(answer.items ?? []);
  } catch (error) {
    console.warn("no board", join("boards", board), (error as Error).message);
    return {};
  }
}
`;

const CASES: readonly Case[] = [
  {
    language: TYPESCRIPT_LANGUAGE,
    skill: { name: "row-sums", language: "typescript", hash: "2", code: TYPESCRIPT_SKILL },
    imports: 'import { totals } from "./skills/row-sums";',
    instead: "async function totals(rows: object[]) { return { a: 1 }; }",
    use: 'return await totals([{ name: "a", n: 1 }]);',
  },
  {
    language: PYTHON_LANGUAGE,
    skill: { name: "row-sums", language: "python", hash: "1", code: PYTHON_SKILL },
    imports: "from skills.row_sums import totals",
    instead: 'async def totals(rows): return {"a": 1}',
    use: 'return await totals([{"name": "a", "n": 1}])',
  },
];

const KINDS = ["alone", "written in it", "imported"] as const;
type Kind = (typeof KINDS)[number];

/** What the import of a skill of some twenty lines adds to a program: where it is read, and where it runs. */
export async function measureSkillImport({ progress }: BenchOptions): Promise<BenchReport> {
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  for (const one of CASES) {
    progress(`import of a skill in ${one.language.title}`);
    const { reading, running } = await measure(one);
    const added = (times: Times) => least(times.imported) - least(times.alone);
    const sum = added(reading) + added(running);
    for (const [what, times] of [
      ["read", reading],
      ["run", running],
    ] as const)
      rows.push([
        `${one.language.title}, ${what}`,
        ...KINDS.flatMap((kind) => [round(least(times[kind])), round(median(times[kind]))]),
        round(added(times)),
      ]);
    if (sum > TARGET_MS) misses.push(`${one.language.title}: ${round(sum)} ms, target ${TARGET_MS} ms`);
  }
  return {
    tables: [
      {
        title: `Import of a skill of 24 lines (ms, the least and the middle of ${READS} reads and ${RUNS} runs, each way by turns)`,
        columns: ["", "alone", "p50", "skill's text in it", "p50", "imported", "p50", "the import adds"],
        rows,
      },
    ],
    notes: [
      "alone: the same program with a function of its own that does nothing; a process that waits for it is there. What the import adds is the difference of the least: others use this machine, too",
    ],
    misses,
  };
}

type Times = { readonly [kind in Kind]: number[] };

async function measure(one: Case): Promise<{ reading: Times; running: Times }> {
  const { language, skill, imports, instead, use } = one;
  const readers = language.createReaders({ servers: () => [], types: true });
  const sandbox = createSandbox({ guest: language.guest });
  const reading: Times = { alone: [], "written in it": [], imported: [] };
  const running: Times = { alone: [], "written in it": [], imported: [] };
  const known = [skill];
  const read = async (code: string) => {
    const program = await readers.read(code, { types: true, skills: () => known });
    if (!program.ok) throw new Error(program.error.message);
    return program;
  };
  const programs = new Map<Kind, string>([
    ["alone", `${instead}\n${use}`],
    ["written in it", `${skill.code}\n${use}`],
    ["imported", `${imports}\n${use}`],
  ]);
  try {
    await readers.warm();
    for (let count = 0; count < READS; count++) {
      for (const [kind, code] of programs) {
        const start = performance.now();
        await read(code);
        reading[kind].push(performance.now() - start);
      }
    }
    for (let count = 0; count < RUNS; count++) {
      for (const [kind, code] of programs) {
        const program = await read(code);
        await sandbox.warm();
        running[kind].push(await run(sandbox, program));
      }
    }
  } finally {
    readers.close();
    await sandbox.close();
  }
  return { reading, running };
}

async function run(sandbox: Sandbox, { code, modules, skills }: ReadProgram): Promise<number> {
  // What is loaded ahead takes a moment, as while a model thinks.
  await new Promise((done) => setTimeout(done, 400));
  const start = performance.now();
  const outcome = await sandbox.run(
    { code, servers: [], modules, skills },
    { callTool: async () => null, callOwn: async () => null },
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  return performance.now() - start;
}

function least(times: readonly number[]): number {
  return Math.min(...times);
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.POSITIVE_INFINITY;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
