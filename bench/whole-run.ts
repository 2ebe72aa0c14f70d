import { measureCheckedRun } from "./checked-run.ts";
import { frontSuite } from "./front.ts";
import { sandboxSuite } from "./sandbox.ts";
import type { BenchSuite } from "./suite.ts";

/** What a run costs: the sandbox by itself, then through a real server and the MCP front. */
export const runSuite: BenchSuite = {
  name: "run",
  about:
    "what each step of a run costs: start, bridge, limits, and the whole way through a real server and the front",
  async run(options) {
    const reports = [
      await sandboxSuite.run(options),
      await measureCheckedRun(options),
      await frontSuite.run(options),
    ];
    return {
      tables: reports.flatMap(({ tables }) => tables),
      notes: reports.flatMap(({ notes }) => notes),
      misses: reports.flatMap(({ misses }) => misses),
    };
  },
};
