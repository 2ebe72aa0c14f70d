import type { ToolRecord } from "../../src/catalog/tool.ts";
import { toDefinitionText } from "../../src/tokens/catalog-tokens.ts";
import { loadTokenCounter, type TokenCounter } from "../../src/tokens/tokens.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { countDirect, countFront, countKeyhole, toUsed } from "./costs.ts";
import { METHOD } from "./method.ts";
import {
  breakEvenTable,
  claimNotes,
  type Group,
  lossTable,
  type Row,
  savingTable,
  sum,
  taskTable,
} from "./tables.ts";
import {
  type CatalogPool,
  type DataSet,
  loadLiveTasks,
  loadPools,
  loadRetailTasks,
  type Task,
} from "./tasks.ts";
import { timeTable } from "./times.ts";

const FRONT_LIMIT = 350;

export const tokensSuite: BenchSuite = {
  name: "tokens",
  about: "what a model sees, direct and through Keyhole: recorded tasks in catalogues of 10 to 3,000 tools",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  const counter = await loadTokenCounter();
  const sets = [await loadLiveTasks(options.dataDir), await loadRetailTasks(options.dataDir)];
  const pools = await loadPools(options.dataDir);
  const front = countFront(counter);
  const toTokens = createDefinitionCounter(counter);
  const rows: Row[] = [];
  for (const set of sets) {
    options.progress(`${set.name}: ${set.tasks.length} tasks`);
    for (const task of set.tasks) rows.push(await measureTask(set, task, pools, toTokens, counter));
  }
  const perTool = pools[3] === undefined ? 0 : sum(pools[3].tools.slice(0, 527).map(toTokens)) / 527;
  const groups: Group[] = [
    ...sets.map((set): Group => [set.name, rows.filter((row) => row.set === set.name)]),
    ["both", rows],
  ];
  return {
    tables: [
      savingTable("Tokens with each counted once", groups, pools, front, "once"),
      savingTable(
        "Tokens as billed per turn (the context is sent again in every turn, no caching)",
        groups,
        pools,
        front,
        "resent",
      ),
      lossTable(groups, pools, front),
      breakEvenTable(groups, front, perTool),
      taskTable(rows, pools, front),
      await timeTable(pools.flatMap((pool) => (pool.size === 3000 ? pool.tools : []))),
    ],
    notes: [
      ...METHOD,
      ...sets.flatMap((set) => set.notes),
      `The front (server instructions and two definitions) is ${front} tokens, of at most ${FRONT_LIMIT}; a definition of LiveMCPBench is ${Math.round(perTool)} on average`,
      ...claimNotes(groups, front, perTool),
    ],
    misses: front > FRONT_LIMIT ? [`front: ${front} tokens, target ${FRONT_LIMIT}`] : [],
  };
}

async function measureTask(
  set: DataSet,
  task: Task,
  pools: readonly CatalogPool[],
  toTokens: (tool: ToolRecord) => number,
  counter: TokenCounter,
): Promise<Row> {
  const own = toUsed(task, set.servers).map(([tool]) => tool);
  const isOwn = new Set(own.map((tool) => `${tool.server}__${tool.name}`));
  const catalogs = pools.map(({ tools, size }) => {
    const others = tools.filter((tool) => !isOwn.has(`${tool.server}__${tool.name}`));
    return sum([...own, ...others.slice(0, Math.max(0, size - own.length))].map(toTokens));
  });
  const keyhole = {
    "answer only": await countKeyhole(task, "answer only", set.servers, counter),
    "every result": await countKeyhole(task, "every result", set.servers, counter),
    "step by step": await countKeyhole(task, "step by step", set.servers, counter),
  };
  return { set: set.name, task, direct: countDirect(task, counter), keyhole, catalogs };
}

function createDefinitionCounter(counter: TokenCounter): (tool: ToolRecord) => number {
  const known = new Map<ToolRecord, number>();
  return (tool) => {
    const tokens = known.get(tool) ?? counter.count(toDefinitionText(tool));
    known.set(tool, tokens);
    return tokens;
  };
}
