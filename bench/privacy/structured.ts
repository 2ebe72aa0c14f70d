import { detectInJson } from "../../src/privacy/detect/detect.ts";
import type { JsonFinding } from "../../src/privacy/detect/structure/json/json-finding.ts";
import { noNames } from "../../src/privacy/detect/structure/names/known-names.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { read, toTools } from "../eval-tools.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { concealFound, isConcealed, textsOf } from "./conceal-found.ts";

const FILES = ["structured_tau_retail", "structured_workbench_crm"];
const LEAST_RECALL = 0.99;
const MOST_ALARMS = 0.005;
const MOST_SHOWN = 15;

type Counts = { results: number; gold: number; left: number; others: number; alarms: number };

/** Tool results with their personal values known: what is left after concealing, and what was concealed for nothing. */
export async function measureStructured({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("Tool results: personal values in them");
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  const notes: string[] = [];
  for (const file of FILES) {
    const results = await readResults(dataDir, file);
    for (const [part, isPart] of PARTS) {
      const counts = countAll(
        results.filter((_, index) => isPart(index, results.length)),
        notes,
      );
      const recall = 1 - counts.left / counts.gold;
      const alarms = counts.alarms / counts.others;
      rows.push([file, part, counts.results, counts.gold, toShare(recall), counts.others, toShare(alarms)]);
      if (recall < LEAST_RECALL) misses.push(`${file}, ${part}: recall ${toShare(recall)}`);
      if (alarms > MOST_ALARMS) misses.push(`${file}, ${part}: false alarms ${toShare(alarms)}`);
    }
  }
  return {
    tables: [
      {
        title: "Personal values in tool results",
        columns: ["file", "part", "results", "gold values", "recall", "other texts", "false alarms"],
        rows,
      },
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

function countAll(results: readonly Record<string, unknown>[], notes: string[]): Counts {
  const counts: Counts = { results: results.length, gold: 0, left: 0, others: 0, alarms: 0 };
  for (const { tool_result: value, gold } of results) {
    const golds = toTools(gold).flatMap(({ value: whole, parts }) => [
      String(whole),
      ...(Array.isArray(parts) ? parts.map(String) : []),
    ]);
    const findings = detect(value);
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

function detect(value: unknown): JsonFinding[] {
  return detectInJson(value, { names: noNames() });
}

function toShare(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
