import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { ServerRecord } from "../../src/catalog/tool.ts";
import type { Detail, SearchAnswer, SearchRequest } from "../../src/search/answer.ts";
import { createSearch } from "../../src/search/search.ts";
import { toSentence } from "../../src/search/show/first-sentence.ts";
import { toNameList } from "../../src/search/show/name-list.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { loadEvalServers, read } from "../eval-tools.ts";
import type { BenchOptions, BenchTable } from "../suite.ts";

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const TARGET = 800;

export type AnswerTokens = { readonly tables: readonly BenchTable[]; readonly misses: readonly string[] };

/** What the answers of search cost a model, in tokens of o200k. */
export async function measureAnswers({ dataDir }: BenchOptions): Promise<AnswerTokens> {
  const { servers } = await loadEvalServers(dataDir);
  const github = servers.filter(({ name }) => name === "github");
  const live = servers.filter(({ name }) => name.startsWith("live-"));
  const queries = await loadQueries(dataDir);
  const fives = await answer(github, github.flatMap(toQueries), { limit: 5 });
  const five = fives.filter((each) => each.tools?.length === 5).map(toTokens);
  const usual = (await answer(live, queries, {})).map(toTokens);
  const defaults = [
    ["117 GitHub tools, five with signatures", five.length, ...spread(five), `≤ ${TARGET}`],
    ["527 LiveMCPBench tools, its own queries", usual.length, ...spread(usual), `≤ ${TARGET}`],
  ] as const;
  const misses = [
    ...(Math.max(...five) > TARGET ? [`five GitHub tools: ${Math.max(...five)} tokens`] : []),
    ...(Math.max(...usual) > TARGET ? [`default answer: ${Math.max(...usual)} tokens`] : []),
  ];
  return {
    tables: [
      {
        title: "Tokens of the default answer",
        columns: ["catalogue", "queries", "median", "p95", "most", "target"],
        rows: defaults,
      },
      {
        title: "Tokens by level",
        columns: ["tools", "names of all", "name", "description", "full", "definitions as servers send them"],
        rows: [await toLevels(take(github, 100), queries), await toLevels(servers, queries)],
      },
    ],
    misses,
  };
}

/** The first column is every name there is; the others are the median of what a query is answered with. */
async function toLevels(
  servers: readonly ServerRecord[],
  queries: readonly string[],
): Promise<(string | number)[]> {
  const names = servers.map(({ identifiers, tools }) =>
    toNameList(
      identifiers.typescript,
      tools.map((tool) => tool.identifiers.typescript),
    ),
  );
  const levels: Detail[] = ["name", "description", "full"];
  const medians: number[] = [];
  for (const detail of levels) {
    const [median = 0] = spread((await answer(servers, queries, { detail })).map(toTokens));
    medians.push(median);
  }
  const definitions = servers.flatMap(({ tools }) =>
    tools.map(({ name, description, inputSchema, outputSchema }) =>
      JSON.stringify({ name, description, inputSchema, outputSchema }),
    ),
  );
  const direct = definitions.reduce((sum, text) => sum + countTokens(text, PLAIN), 0);
  return [definitions.length, countTokens(names.join("\n"), PLAIN), ...medians, direct];
}

async function answer(
  servers: readonly ServerRecord[],
  queries: readonly string[],
  request: SearchRequest,
): Promise<SearchAnswer[]> {
  const search = createSearch(() => servers);
  const answers = await Promise.all(queries.map((query) => search.answer({ ...request, query })));
  return answers.filter((each) => each.tools !== undefined && each.tools.length > 0);
}

function toTokens({ text }: SearchAnswer): number {
  return countTokens(text, PLAIN);
}

/** What each tool says of itself, as if somebody asked for just that. */
function toQueries({ tools }: ServerRecord): string[] {
  return tools.map(({ description }) => toSentence(description, 160));
}

async function loadQueries(dataDir: string): Promise<string[]> {
  const files = ["queries_task_level", "queries_step_level", "agent_search_queries_implicit"];
  const lists = await Promise.all(files.map((file) => read(dataDir, `livemcpbench/${file}.json`)));
  return lists.flatMap((text) => {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items)
      ? items.flatMap((item) => (isRecord(item) ? [String(item["query"])] : []))
      : [];
  });
}

function take(servers: readonly ServerRecord[], count: number): ServerRecord[] {
  return servers.map((server) => ({ ...server, tools: server.tools.slice(0, count) }));
}

function spread(numbers: readonly number[]): [number, number, number] {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return [at(0.5), at(0.95), at(1)];
}
