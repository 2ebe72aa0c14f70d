import { measureAnomalies } from "./audit/anomalies.ts";
import { measureBare } from "./audit/bare.ts";
import { measureDisks } from "./audit/disk.ts";
import { measureKills } from "./audit/kills.ts";
import { measureMillion } from "./audit/million.ts";
import { measureOverhead } from "./audit/overhead.ts";
import { measureSustained } from "./audit/sustained.ts";
import { type BenchOptions, type BenchReport, type BenchSuite, MissingDataError } from "./suite.ts";

export type AuditPart = (options: BenchOptions & { readonly scale: number }) => Promise<BenchReport>;

/** What the suite is made of, a line each; `KEYHOLE_BENCH_AUDIT=bare,kills` chooses. */
const PARTS: Readonly<Record<string, AuditPart>> = {
  bare: measureBare,
  overhead: measureOverhead,
  sustained: measureSustained,
  kills: measureKills,
  disk: measureDisks,
  million: measureMillion,
  anomalies: async ({ dataDir, scale }) =>
    measureAnomalies(dataDir, { weeks: Math.max(1, Math.round(4 * scale)) }),
};

export const auditSuite: BenchSuite = {
  name: "audit",
  about: "what writing the audit log costs, what survives kills and full disks, and what asking it takes",
  async run(options) {
    const scale = Number(process.env["KEYHOLE_BENCH_SCALE"] ?? 1);
    const reports: BenchReport[] = [];
    for (const [name, part] of chosenParts()) {
      options.progress(name);
      reports.push(await part({ ...options, scale }));
    }
    return {
      tables: reports.flatMap(({ tables }) => tables),
      notes: reports.flatMap(({ notes }) => notes),
      misses: reports.flatMap(({ misses }) => misses),
    };
  },
};

function chosenParts(): [string, AuditPart][] {
  const names = process.env["KEYHOLE_BENCH_AUDIT"]?.split(",") ?? Object.keys(PARTS);
  return names.map((name) => {
    const part = PARTS[name];
    if (part === undefined)
      throw new MissingDataError(`No part "${name}" of the suite: ${Object.keys(PARTS).join(", ")}`);
    return [name, part];
  });
}
