import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { toModelText } from "../../src/result/model-text.ts";
import { EXECUTE_CODE, INSTRUCTIONS, SEARCH_TOOLS } from "../../src/server/mcp/texts.ts";
import type { TokenCounter } from "../../src/tokens/tokens.ts";
import { toValue } from "../recorded-value.ts";
import { toFullDefinition, toSignature } from "./signature.ts";
import { type Task, type TaskCall, toKey } from "./tasks.ts";

/** One exchange: what the model writes, and what it is answered. */
type Exchange = { readonly written: string; readonly answer: string };

export type Cost = {
  /** Each token once, without what stands before the conversation. */
  readonly once: number;
  /** The conversation as it is sent again in every turn, likewise without. */
  readonly resent: number;
  readonly turns: number;
};

export type Variant = "answer only" | "every result" | "step by step";
export const VARIANTS: readonly Variant[] = ["answer only", "every result", "step by step"];

/** Tools in the answer to a search beside those needed, in the variants that are not the best case. */
const OTHERS_PER_SEARCH = 5;
const RUN_ID = "0b8f3c1e-5d0a-4f7e-9a53-2f1c6d8e7b90";

export function countFront(counter: TokenCounter): number {
  const { name, description, inputSchema } = SEARCH_TOOLS;
  const search = { name, description, input_schema: inputSchema };
  const execute = {
    name: EXECUTE_CODE.name,
    description: EXECUTE_CODE.description,
    input_schema: EXECUTE_CODE.inputSchema,
  };
  return [INSTRUCTIONS, JSON.stringify(search), JSON.stringify(execute)].reduce(
    (sum, text) => sum + counter.count(text),
    0,
  );
}

export function countDirect(task: Task, counter: TokenCounter): Cost {
  const exchanges = task.calls.map((call) => ({
    written: JSON.stringify({ name: toKey(call.server, call.tool), input: call.args }),
    answer: call.result,
  }));
  return toCost(exchanges, counter);
}

export async function countKeyhole(
  task: Task,
  variant: Variant,
  servers: readonly ServerRecord[],
  counter: TokenCounter,
): Promise<Cost> {
  const programs = variant === "step by step" ? task.calls.map((call) => [call]) : [task.calls];
  const exchanges = toSearches(task, variant, servers);
  for (const calls of programs) {
    const { text } = await toModelText(
      { runId: RUN_ID, logs: [], calls: [], result: toReturned(task, calls, variant) },
      { save: async (name) => `./workspace/results/${name}` },
    );
    const code = toProgram(task, calls, variant, servers);
    exchanges.push({ written: JSON.stringify({ name: EXECUTE_CODE.name, input: { code } }), answer: text });
  }
  return toCost(exchanges, counter);
}

function toCost(exchanges: readonly Exchange[], counter: TokenCounter): Cost {
  let once = 0;
  let resent = 0;
  for (const { written, answer } of exchanges) {
    const tokens = counter.count(written);
    resent += once + tokens;
    once += tokens + counter.count(answer);
  }
  return { once, resent: resent + once, turns: exchanges.length + 1 };
}

function toSearches(task: Task, variant: Variant, servers: readonly ServerRecord[]): Exchange[] {
  const used = toUsed(task, servers);
  const queries = variant === "answer only" ? task.searches.slice(0, 1) : task.searches;
  const all = queries.length === 0 ? ["tools"] : queries;
  return all.map((query, index) => {
    const written = JSON.stringify({ name: SEARCH_TOOLS.name, input: { query } });
    if (variant === "answer only") {
      return { written, answer: used.map(([tool, server]) => toSignature(tool, server)).join("\n") };
    }
    const needed = index === 0 ? used.map(([tool, server]) => toFullDefinition(tool, server)) : [];
    return { written, answer: [...needed, ...toOthers(used, servers, index)].join("\n") };
  });
}

/** Other tools of the servers concerned: what a search that is not perfect brings along. */
function toOthers(used: readonly Pair[], servers: readonly ServerRecord[], index: number): string[] {
  const names = new Set(used.map(([, server]) => server.name));
  const near = servers.filter((server) => names.has(server.name));
  const isUsed = new Set(used.map(([tool]) => tool));
  const others = (near.length === 0 ? servers : near)
    .flatMap((server) => server.tools.map((tool): Pair => [tool, server]))
    .filter(([tool]) => !isUsed.has(tool));
  const start = others.length === 0 ? 0 : (index * OTHERS_PER_SEARCH) % others.length;
  return others.slice(start, start + OTHERS_PER_SEARCH).map(([tool, server]) => toSignature(tool, server));
}

type Pair = readonly [ToolRecord, ServerRecord];

export function toUsed(task: Task, servers: readonly ServerRecord[]): Pair[] {
  const keys = new Set(task.calls.map((call) => toKey(call.server, call.tool)));
  return servers.flatMap((server) =>
    server.tools
      .filter((tool) => keys.has(toKey(tool.server, tool.name)))
      .map((tool): Pair => [tool, server]),
  );
}

/** Straight-line code that makes the recorded calls with their recorded arguments. */
function toProgram(
  task: Task,
  calls: readonly TaskCall[],
  variant: Variant,
  servers: readonly ServerRecord[],
): string {
  const lines = calls.map((call, index) => {
    const server = servers.find((one) => one.name === call.server);
    const tool = server?.tools.find((one) => one.name === call.tool);
    const callee =
      server === undefined || tool === undefined
        ? `callMCPTool(${JSON.stringify(toKey(call.server, call.tool))}, `
        : `${server.identifiers.typescript}.${tool.identifiers.typescript}(`;
    const made = `await ${callee}${JSON.stringify(call.args)})`;
    const isReturned = variant !== "answer only" || index === calls.length - 1;
    return `${isReturned ? `const r${index} = ` : ""}${made}${call.isError ? ".catch(String)" : ""};`;
  });
  const names = calls.map((_, index) => `r${index}`);
  const isOne = variant !== "every result" || names.length === 1;
  if (variant === "answer only" && task.expected.length > 0) {
    // The values stand in for the expressions that would compute them.
    return [...lines, `return { last: ${names.at(-1)}, answer: ${JSON.stringify(task.expected)} };`].join(
      "\n",
    );
  }
  const returned = isOne ? names.at(-1) : `{ ${names.join(", ")} }`;
  return [...lines, `return ${returned};`].join("\n");
}

function toReturned(task: Task, calls: readonly TaskCall[], variant: Variant): unknown {
  if (variant === "every result" && calls.length > 1) {
    return Object.fromEntries(calls.map((call, index) => [`r${index}`, toValue(call.result)]));
  }
  const last = toValue(calls.at(-1)?.result ?? "");
  return variant === "answer only" && task.expected.length > 0 ? { last, answer: task.expected } : last;
}
