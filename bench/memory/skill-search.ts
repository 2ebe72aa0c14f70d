import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import type { SearchableSkill } from "../../src/search/answer.ts";
import { createToolIndex } from "../../src/search/query/rank.ts";
import { isSkillHit, placeSkills, toComparable } from "../../src/search/skills/place-skills.ts";
import { createSkillIndex, type SkillHit } from "../../src/search/skills/skill-index.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { finish } from "../../src/text/slices.ts";
import { loadEvalServers } from "../eval-tools.ts";
import { loadDatasets } from "../search/data.ts";
import { type Figures, toMean } from "../search/measure.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

const TARGETS = { hit1: 0.8, recall5: 0.95, loss: 0.005, queryMs: 20, changeMs: 20 };
/** What people ask who know nothing of a skill's words, and what agents do in the words of their trade. */
const SETS = [
  { name: "in other words", file: "queries" },
  { name: "by agents", file: "agent-queries" },
] as const;
const ALL = "all";
const MANY = 10_000;
const ROUNDS = 25;

type LabelledQuery = {
  readonly query: string;
  readonly skills: readonly string[];
  readonly isHeldOut: boolean;
};

/** Skills found by requests in other words, among skills and beside all tools; and the time that takes with very many. */
export async function measureSkillSearch({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  const skills = (await readLines("skills")).map(toSearchable);
  const asked = await Promise.all(
    SETS.map(async ({ name, file }) => ({ name, queries: (await readLines(file)).map(toQuery) })),
  );
  const index = createSkillIndex();
  finish(index.hold(skills));
  const { servers } = await loadEvalServers(dataDir);
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  progress("skills among skills");
  const figures = asked.flatMap(({ name, queries }) =>
    [
      { name, part: "one half", queries: queries.filter(({ isHeldOut }) => !isHeldOut) },
      { name, part: "held out", queries: queries.filter(({ isHeldOut }) => isHeldOut) },
      { name, part: ALL, queries },
    ].map((half) => ({
      ...half,
      ...toMean(half.queries.map((one) => toFigures(one.skills, index.rank(one.query).map(toName)))),
    })),
  );
  progress("tools with and without skills");
  const beside = (await loadDatasets(dataDir)).map((set) => {
    const own = createToolIndex(set.servers);
    const counts = { skills: skills.length, tools: set.servers.flatMap((server) => server.tools).length };
    const rows = set.queries.map(({ query, relevant }) => {
      const hits = own.rank(query);
      const found = placeSkills(hits, toComparable(index.rank(query), counts), hits);
      const name = (one: (typeof found)[number]) =>
        isSkillHit(one) ? "" : `${one.server.name}/${one.tool.name}`;
      return { alone: toFigures(relevant, hits.map(name)), among: toFigures(relevant, found.map(name)) };
    });
    return {
      name: set.name,
      alone: toMean(rows.map((row) => row.alone)),
      among: toMean(rows.map((row) => row.among)),
    };
  });
  progress(`${MANY} skills`);
  const speed = measureSpeed(
    skills,
    asked.flatMap(({ queries }) => queries),
  );
  const worst = Math.max(
    ...beside.flatMap(({ alone, among }) => [alone.hit1 - among.hit1, alone.recall5 - among.recall5]),
  );
  return {
    tables: [
      {
        title: `${skills.length} skills: requests that were written without sight of the ranker`,
        columns: ["queries", "part", "number", "hit@1", "recall@5", "recall@10"],
        rows: figures.map(({ name, part, queries: own, hit1, recall5, recall10 }) => [
          name,
          part,
          own.length,
          ...[hit1, recall5, recall10].map(toShown),
        ]),
      },
      {
        title: `Tools in one list with these skills (of ${tools})`,
        columns: ["queries", "hit@1 alone", "with skills", "recall@5 alone", "with skills"],
        rows: beside.map(({ name, alone, among }) => [
          name,
          ...[alone.hit1, among.hit1, alone.recall5, among.recall5].map(toShown),
        ]),
      },
      {
        title: `Search in ${MANY} skills (ms)`,
        columns: ["first index", "query p50", "query p95", "one skill changed", "heap (MB)"],
        rows: [speed.row],
      },
    ],
    notes: [],
    misses: [
      ...figures
        .filter(({ part }) => part === ALL)
        .flatMap(({ name, hit1, recall5 }) => [
          ...(hit1 < TARGETS.hit1 ? [`skills ${name}: hit@1 ${toShown(hit1)}, target ${TARGETS.hit1}`] : []),
          ...(recall5 < TARGETS.recall5
            ? [`skills ${name}: recall@5 ${toShown(recall5)}, target ${TARGETS.recall5}`]
            : []),
        ]),
      ...(worst > TARGETS.loss ? [`tools lose ${toShown(worst)} by skills, at most ${TARGETS.loss}`] : []),
      ...(speed.queryMs > TARGETS.queryMs ? [`query ${speed.queryMs} ms, target ${TARGETS.queryMs}`] : []),
      ...(speed.changeMs > TARGETS.changeMs
        ? [`change ${speed.changeMs} ms, target ${TARGETS.changeMs}`]
        : []),
    ],
  };
}

function measureSpeed(skills: readonly SearchableSkill[], queries: readonly LabelledQuery[]) {
  const many = Array.from({ length: MANY }, (_, at) => {
    const of = skills[at % skills.length];
    return { ...(of ?? raise()), name: `skill-${at}`, stamp: `${at}` };
  });
  const before = process.memoryUsage().heapUsed;
  const index = createSkillIndex();
  const first = timeOf(() => finish(index.hold(many)));
  const heap = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  const times = queries.map(({ query }) => timeOf(() => index.rank(query))).sort((a, b) => a - b);
  const changes = Array.from({ length: ROUNDS }, (_, at) => {
    const changed = many.with(at, { ...(many[at] ?? raise()), stamp: `changed ${at}` });
    return timeOf(() => finish(index.hold(changed)));
  }).sort((a, b) => a - b);
  const queryMs = round(times[times.length >> 1]);
  const changeMs = round(changes[ROUNDS >> 1]);
  return {
    queryMs,
    changeMs,
    row: [round(first), queryMs, round(times[Math.floor(times.length * 0.95)]), changeMs, round(heap)],
  };
}

async function readLines(name: string): Promise<Readonly<Record<string, unknown>>[]> {
  const text = await readFile(`bench/memory/skills/${name}.jsonl`, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(isRecord);
}

/** As the check of a skill finds it, as far as that shows without the tools: what it exports, and calls. */
function toSearchable(row: Readonly<Record<string, unknown>>): SearchableSkill {
  const [name, code, language] = [row["name"], row["code"], row["language"]].map(String);
  const exported =
    language === "python"
      ? /^(?:async )?def ([a-z]\w*)\(/gm
      : /^export (?:default )?(?:async )?(?:function|const) (\w+)/gm;
  const calls = [...(code ?? "").matchAll(/\bawait ([a-zA-Z_]\w*)\.([a-zA-Z_]\w*)\(/g)];
  return {
    name: name ?? "",
    description: String(row["description"]),
    stamp: name ?? "",
    language,
    code: code ?? "",
    exports: [...(code ?? "").matchAll(exported)].map(([, one = ""]) => ({ name: one, signature: one })),
    tags: Array.isArray(row["tags"]) ? row["tags"].map(String) : [],
    tools: calls.map(([, server = "", tool = ""]) => ({ server, tool })),
    body: "",
  };
}

function toQuery({ query, skills, heldout }: Readonly<Record<string, unknown>>): LabelledQuery {
  return {
    query: String(query),
    skills: Array.isArray(skills) ? skills.map(String) : [],
    isHeldOut: heldout === true,
  };
}

function toFigures(relevant: readonly string[], found: readonly string[]): Figures {
  const recall = (depth: number) =>
    relevant.filter((label) => found.slice(0, depth).includes(label)).length / relevant.length;
  return { hit1: relevant.includes(found[0] ?? "") ? 1 : 0, recall5: recall(5), recall10: recall(10) };
}

function toName({ skill }: SkillHit): string {
  return skill.name;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function toShown(value = 0): string {
  return value.toFixed(3);
}

function round(value = 0): number {
  return Math.round(value * 100) / 100;
}

function raise(): never {
  throw new Error("There are no skills to measure with");
}
