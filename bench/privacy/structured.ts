import { findInJson } from "../../src/privacy/detect/structure/json/find-in-json.ts";
import type { FindText, JsonFinding } from "../../src/privacy/detect/structure/json/json-finding.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { read, toTools } from "../eval-tools.ts";
import type { BenchReport } from "../suite.ts";
import { loadLiveResults } from "../types/results.ts";
import { concealFound, isConcealed, textsOf } from "./conceal-found.ts";
import { findByValue } from "./stand-in.ts";

const FILES = ["structured_tau_retail", "structured_workbench_crm"];
const LEAST_RECALL = 0.99;
const MOST_ALARMS = 0.005;
const SPEED_BYTES = 20_000_000;
const MOST_SHOWN = 15;

type Counts = { results: number; gold: number; left: number; others: number; alarms: number };

/** Tool results with their personal values known: what is left after concealing, and what was concealed for nothing. */
export async function measureStructured(
  dataDir: string,
  findText: FindText = findByValue,
): Promise<BenchReport> {
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  const notes: string[] = [];
  for (const file of FILES) {
    const results = await readResults(dataDir, file);
    for (const [part, isPart] of PARTS) {
      const counts = countAll(
        results.filter((_, index) => isPart(index, results.length)),
        findText,
        notes,
      );
      const recall = 1 - counts.left / counts.gold;
      const alarms = counts.alarms / counts.others;
      rows.push([file, part, counts.results, counts.gold, toShare(recall), counts.others, toShare(alarms)]);
      if (recall < LEAST_RECALL) misses.push(`${file}, ${part}: recall ${toShare(recall)}`);
      if (alarms > MOST_ALARMS) misses.push(`${file}, ${part}: false alarms ${toShare(alarms)}`);
    }
  }
  const without = await measureWithout(dataDir, findText, notes);
  return {
    tables: [
      {
        title: "Personal values in tool results, by structure",
        columns: ["file", "part", "results", "gold values", "recall", "other texts", "false alarms"],
        rows,
      },
      without,
      await measureSpeed(dataDir, findText),
    ],
    notes: [
      "A gold value counts as found when the concealed JSON has it nowhere, parts of names included; replaced by place alone, without a vault",
      "The first quarter of each file was looked at while this was written, the rest was only measured",
      ...notes,
    ],
    misses,
  };
}

const PARTS: readonly (readonly [string, (index: number, count: number) => boolean])[] = [
  ["looked at", (index, count) => index < Math.ceil(count / 4)],
  ["only measured", (index, count) => index >= Math.ceil(count / 4)],
];

async function readResults(dataDir: string, file: string): Promise<Record<string, unknown>[]> {
  const lines = (await read(dataDir, `pii/${file}.jsonl`)).split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line)).filter(isRecord);
}

function countAll(results: readonly Record<string, unknown>[], findText: FindText, notes: string[]): Counts {
  const counts: Counts = { results: results.length, gold: 0, left: 0, others: 0, alarms: 0 };
  for (const { tool_result: value, gold } of results) {
    const golds = toTools(gold).flatMap(({ value: whole, parts }) => [
      String(whole),
      ...(Array.isArray(parts) ? parts.map(String) : []),
    ]);
    const findings = findInJson(value, { findText });
    const concealed = JSON.stringify(concealFound(value, findings));
    counts.gold += golds.length;
    for (const one of golds.filter((text) => concealed.includes(text))) {
      counts.left++;
      if (notes.length < MOST_SHOWN) notes.push(`left: ${one}`);
    }
    countAlarms(value, golds, findings, counts, notes);
  }
  return counts;
}

function countAlarms(
  value: unknown,
  golds: readonly string[],
  findings: readonly JsonFinding[],
  counts: Counts,
  notes: string[],
): void {
  const found = new Map(findings.filter(isConcealed).map((finding) => [finding.path, finding]));
  for (const { path, text } of textsOf(value)) {
    if (golds.some((gold) => text.includes(gold))) continue;
    counts.others++;
    const alarm = found.get(path);
    if (alarm === undefined) continue;
    counts.alarms++;
    if (notes.length < MOST_SHOWN) notes.push(`false alarm: ${path} ${JSON.stringify(text)} ${alarm.rule}`);
  }
}

/** Data about things: what is found there is false, or personal after all. */
async function measureWithout(dataDir: string, findText: FindText, notes: string[]) {
  const products: unknown = JSON.parse(await read(dataDir, "replay/tau_retail_data/products.json"));
  const live = [...(await loadLiveResults(dataDir)).tools].flatMap(([tool, values]) =>
    values.map((value) => ({ tool, value })),
  );
  const inProducts = findInJson(products, { findText }).filter(isConcealed);
  let texts = 0;
  const byClass = new Map<string, number>();
  const byRule = new Map<string, number>();
  let withFindings = 0;
  for (const { value } of live) {
    texts += textsOf(value).length;
    const findings = findInJson(value, { findText }).filter(isConcealed);
    if (findings.length > 0) withFindings++;
    for (const { class: name, rule } of findings) {
      byClass.set(name, (byClass.get(name) ?? 0) + 1);
      byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
    }
  }
  const inLive = [...byClass.values()].reduce((sum, count) => sum + count, 0);
  const listed = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_SHOWN)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  notes.push(
    `LiveMCPBench: found in ${withFindings} of ${live.length} results: ${listed(byClass)}; by ${listed(byRule)}`,
  );
  return {
    title: "Data without persons",
    columns: ["data", "texts", "findings"],
    rows: [
      ["tau-bench products", textsOf(products).length, inProducts.length],
      ["LiveMCPBench results", texts, inLive],
    ],
  };
}

async function measureSpeed(dataDir: string, findText: FindText) {
  const rows: (string | number)[][] = [];
  for (const file of ["products", "orders", "users"]) {
    const text = await read(dataDir, `replay/tau_retail_data/${file}.json`);
    const value: unknown = JSON.parse(text);
    findInJson(value, { findText });
    const rounds = Math.ceil(SPEED_BYTES / text.length);
    const both = timeRounds(rounds, () => findInJson(value, { findText }));
    const alone = timeRounds(rounds, () => findInJson(value, { findText: () => [] }));
    rows.push([
      file,
      text.length,
      Math.round((text.length * rounds) / both / 1e4) / 100,
      Math.round((text.length * rounds) / alone / 1e4) / 100,
    ]);
  }
  return {
    title: "Speed of the walk, by processor time",
    columns: ["file", "bytes", "MB/s with the stand-in", "MB/s of structure alone"],
    rows,
  };
}

/** Seconds of processor time: others may be at work on the same machine. */
function timeRounds(rounds: number, work: () => unknown): number {
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function toShare(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
