import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { measureValidation } from "./validation.ts";

export const gateSuite: BenchSuite = {
  name: "gate",
  about: "what stands between a program and its run: validation, risk",
  run,
};

/** Each part is a table of its own. */
const PARTS: readonly ((options: BenchOptions) => Promise<BenchReport>)[] = [measureValidation];

async function run(options: BenchOptions): Promise<BenchReport> {
  const reports: BenchReport[] = [];
  for (const part of PARTS) reports.push(await part(options));
  return {
    tables: reports.flatMap(({ tables }) => tables),
    notes: reports.flatMap(({ notes }) => notes),
    misses: reports.flatMap(({ misses }) => misses),
  };
}
