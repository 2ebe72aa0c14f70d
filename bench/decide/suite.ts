import type { BenchSuite } from "../suite.ts";
import { countAsked } from "./asked-tools.ts";
import { measureDecisions } from "./decisions.ts";

/** What deciding about calls costs, and how often it would ask. */
export const decideSuite: BenchSuite = {
  name: "decide",
  about: "deciding about a call by 500 rules, and how many of the tools of the evaluation data would ask",
  async run({ dataDir, progress }) {
    progress("deciding about calls");
    const decisions = await measureDecisions();
    progress("asking for all tools");
    const asked = await countAsked(dataDir);
    return {
      tables: [...decisions.tables, ...asked.tables],
      notes: [...decisions.notes, ...asked.notes],
      misses: [...decisions.misses, ...asked.misses],
    };
  },
};
