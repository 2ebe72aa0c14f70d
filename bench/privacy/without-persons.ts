import { detectInJson } from "../../src/privacy/detect/detect.ts";
import type { JsonFinding } from "../../src/privacy/detect/structure/json/json-finding.ts";
import { noNames } from "../../src/privacy/detect/structure/names/known-names.ts";
import { read } from "../eval-tools.ts";
import type { BenchOptions, BenchReport, BenchTable } from "../suite.ts";
import { loadLiveResults } from "../types/results.ts";
import { isConcealed, textsOf } from "./conceal-found.ts";

const MOST_ROWS = 25;
const MOST_SHOWN = 60;

type Alarm = JsonFinding & { readonly data: string; readonly text: string };

/** Data about things: what is found there is false, or personal after all. */
export async function measureWithoutPersons({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("Tool results: what is found where nobody is");
  const products: unknown = JSON.parse(await read(dataDir, "replay/tau_retail_data/products.json"));
  const live = [...(await loadLiveResults(dataDir)).tools.values()].flat();
  const sets = [
    { data: "tau-bench products", values: [products] },
    { data: "LiveMCPBench results", values: live },
  ];
  const alarms = sets.flatMap(({ data, values }) => values.flatMap((value) => alarmsIn(data, value)));
  return {
    tables: [
      {
        title: "Data without persons, or with few",
        columns: ["data", "texts", "letters", "findings", "findings in 1,000 letters"],
        rows: sets.map(({ data, values }) => {
          const texts = values.flatMap((value) => textsOf(value));
          const letters = texts.reduce((sum, { text }) => sum + text.length, 0);
          const found = alarms.filter((alarm) => alarm.data === data).length;
          return [data, texts.length, letters, found, Number(((1_000 * found) / letters).toFixed(3))];
        }),
      },
      toTable(alarms),
    ],
    notes: [
      "What is found in LiveMCPBench is partly right: it has authors of papers, founders, addresses of sights",
    ],
    misses: [],
  };
}

function alarmsIn(data: string, value: unknown): Alarm[] {
  const texts = new Map(textsOf(value).map(({ path, text }) => [path, text]));
  return detectInJson(value, { names: noNames() })
    .filter(isConcealed)
    .map((finding) => ({
      ...finding,
      data,
      text: (texts.get(finding.path) ?? finding.path).slice(finding.start, finding.end),
    }));
}

function toTable(alarms: readonly Alarm[]): BenchTable {
  const byRule = new Map<string, Alarm[]>();
  for (const alarm of alarms) {
    const rule = `${alarm.data} ${alarm.class} ${alarm.rule}`;
    byRule.set(rule, [...(byRule.get(rule) ?? []), alarm]);
  }
  const rows = [...byRule.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_ROWS)
    .map((found) => {
      const shown = [...new Set(found.map(({ text }) => JSON.stringify(text.slice(0, MOST_SHOWN))))].slice(
        0,
        3,
      );
      return [
        found[0]?.data ?? "",
        found[0]?.class ?? "",
        found[0]?.rule ?? "",
        found.length,
        shown.join(" "),
      ];
    });
  return { title: "By class and rule", columns: ["data", "class", "rule", "findings", "for example"], rows };
}
