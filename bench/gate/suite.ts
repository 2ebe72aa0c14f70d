import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { measureAlarms } from "./alarms.ts";
import { measureAttacks } from "./attacks.ts";
import { measureValidation } from "./validation.ts";

export const gateSuite: BenchSuite = {
  name: "gate",
  about:
    "what stands between a program and its run: validation, risk, false alarms, attacks of the evaluation data",
  run,
};

/** Each part is a table of its own. */
const PARTS: readonly ((options: BenchOptions) => Promise<BenchReport>)[] = [
  measureValidation,
  measureAlarms,
  measureAttacks,
];

async function run(options: BenchOptions): Promise<BenchReport> {
  const reports: BenchReport[] = [];
  for (const part of PARTS) reports.push(await part(options));
  return {
    tables: reports.flatMap(({ tables }) => tables),
    notes: reports.flatMap(({ notes }) => notes),
    misses: reports.flatMap(({ misses }) => misses),
  };
}
