import type { BenchSuite } from "../suite.ts";
import { measureCache } from "./cache.ts";
import { measureKeeping } from "./keeping.ts";
import { measureSkillImport } from "./skill-import.ts";
import { measureSkillSearch } from "./skill-search.ts";

/** What agents keep, and use again. A part of it is a function here. */
const PARTS = [measureCache, measureSkillImport, measureSkillSearch, measureKeeping];

export const memorySuite: BenchSuite = {
  name: "memory",
  about: "what is kept and used again: results of calls, skills, state, files",
  async run(options) {
    const reports = [];
    for (const measure of PARTS) reports.push(await measure(options));
    return {
      tables: reports.flatMap(({ tables }) => tables),
      notes: reports.flatMap(({ notes }) => notes),
      misses: reports.flatMap(({ misses }) => misses),
    };
  },
};
