import { performance } from "node:perf_hooks";
import type { JsonSchema, ServerRecord } from "../../src/catalog/tool.ts";
import { createChecker } from "../../src/language/typescript/check/checker.ts";
import { createPrograms } from "../check/generated.ts";
import { loadEvalServers } from "../eval-tools.ts";
import type { BenchTable } from "../suite.ts";

const RUNS = 200;
const WARM_UP = 30;

/** The type check with learned types for every result: where the program fits them, and where it does not. */
export async function measureCheckCost(dataDir: string): Promise<BenchTable> {
  const { servers } = await loadEvalServers(dataDir);
  const programs = createPrograms(servers);
  const variants = [
    { what: "no learned types", servers },
    { what: "learned types that the program fits", servers: withObserved(servers, toList("items")) },
    {
      what: "learned types that it does not fit: checked twice",
      servers: withObserved(servers, toList("rows")),
    },
  ].map((variant) => ({
    ...variant,
    checker: createChecker({ servers: () => variant.servers, timeoutMs: 30_000 }),
    times: [] as number[],
    hints: 0,
  }));
  for (let seed = 0; seed < RUNS + WARM_UP; seed++) {
    const source = programs.right(seed).replaceAll(": any = await", " = await");
    for (const variant of variants) {
      const prepared = variant.checker.prepare(source);
      if (!prepared.ok) throw new Error(prepared.error.message);
      const start = performance.now();
      const result = await variant.checker.check(source, prepared);
      if (seed < WARM_UP) continue;
      variant.times.push(performance.now() - start);
      if (result.ok && result.hints !== undefined) variant.hints++;
    }
  }
  for (const { checker } of variants) checker.close();
  return {
    title: "Type check of programs never seen before (ms)",
    columns: ["results", "p50", "p95", "programs warned", "programs"],
    rows: variants.map(({ what, times, hints }) => {
      const sorted = times.sort((a, b) => a - b);
      const at = (part: number) => Math.round((sorted[Math.floor(RUNS * part)] ?? 0) * 100) / 100;
      return [what, at(0.5), at(0.95), hints, RUNS];
    }),
  };
}

function withObserved(servers: readonly ServerRecord[], schema: JsonSchema): ServerRecord[] {
  return servers.map((server) => ({
    ...server,
    tools: server.tools.map((tool) => ({
      ...tool,
      outputSchema: undefined,
      observed: { schema, calls: 10 },
    })),
  }));
}

function toList(name: string): JsonSchema {
  const fields = "name url state title body created updated author labels comments size id".split(" ");
  const properties = Object.fromEntries(
    fields.map((field) => [field, { type: field === "size" || field === "id" ? "number" : "string" }]),
  );
  const list = { type: "array", items: { type: "object", properties, required: ["id"] } };
  return { type: "object", properties: { [name]: list, total: { type: "integer" } }, required: ["total"] };
}
