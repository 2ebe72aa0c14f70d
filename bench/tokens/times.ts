import { performance } from "node:perf_hooks";
import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { toModelText } from "../../src/result/model-text.ts";
import { createReceiptBook } from "../../src/result/receipt.ts";
import { countCatalogTokens } from "../../src/tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../../src/tokens/tokens.ts";
import type { BenchTable } from "../suite.ts";

/** What all this counting costs the host: a run waits for it. */
export async function timeTable(tools: readonly ToolRecord[]): Promise<BenchTable> {
  const counter = await loadTokenCounter();
  const people = Array.from({ length: 600_000 }, (_, id) => ({
    id,
    name: `Person number ${(id * 7919) % 99_991}`,
    email: `p${id}@example.com`,
    active: id % 2 === 0,
  }));
  const json = JSON.stringify(people);
  const hanzi = Array.from({ length: 200_000 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
  );
  const hashed = tools.map((tool, index) => ({ ...tool, hash: `${index}` }));
  const catalog = (): ServerRecord[] => [
    { name: "all", identifiers: { typescript: "all", python: "all" }, folder: "all", tools: hashed },
  ];
  const show = (result: unknown) =>
    toModelText({ runId: "r", logs: [], calls: [], result }, { save: async (name) => name });
  const cases: [string, () => unknown][] = [
    [`definitions of ${tools.length} tools, first time`, () => countCatalogTokens(catalog())],
    ["the same, new records with known hashes", () => countCatalogTokens(catalog())],
    [`a result of ${toMegabytes(json)} MB, measured by samples`, () => counter.measure(json)],
    ["the same, every character", () => counter.count(json)],
    ["200,000 random Chinese characters without a break, measured", () => counter.measure(hanzi.join(""))],
    [`text for the model of ${toMegabytes(json)} MB`, () => show(people)],
    ["text for the model of those characters", () => show(hanzi.join(""))],
    ["text for the model of 100 rows", () => show(people.slice(0, 100))],
    ["text for the model of a small object", () => show({ total: 3, name: "x" })],
    [
      "receipt of 1,000 small calls",
      () => {
        const book = createReceiptBook(counter, () => 0);
        const result = { text: JSON.stringify(people[1]), mediaBlocks: 0 };
        for (let index = 0; index < 1000; index++) {
          book.addCall({ server: "s", tool: "t", argumentsText: `{"id":${index}}`, result });
        }
        return book.finish({ code: "", text: "", phasesMs: {} });
      },
    ],
  ];
  const rows: (readonly [string, number])[] = [];
  for (const [name, run] of cases) {
    const start = performance.now();
    await run();
    rows.push([name, Math.round((performance.now() - start) * 10) / 10]);
  }
  return { title: "Time, once each (ms)", columns: ["what", "ms"], rows };
}

function toMegabytes(text: string): string {
  return (text.length / 1e6).toFixed(0);
}
