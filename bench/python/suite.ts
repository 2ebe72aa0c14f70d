import type { BenchSuite } from "../suite.ts";
import { loadPrograms, loadTools } from "./load-programs.ts";
import { runPrograms, type Verdict } from "./run-programs.ts";

const ENDINGS = ["right", "refused", "failed", "half done", "wrong"] as const;

/** Ordinary Python programs over the tools of the evaluation data, each run through the real engine. */
export const pythonSuite: BenchSuite = {
  name: "python",
  about:
    "ordinary Python programs as models write them: how many are refused, fail, or do half of their work",
  async run({ dataDir, distDir, tier = "process", progress }) {
    const programs = await loadPrograms();
    const tools = await loadTools(dataDir, programs);
    const settings = [false, true].map((privacy) => ({ distDir, tier, privacy }));
    const rows: (string | number)[][] = [];
    const others: string[][] = [];
    const misses: string[] = [];
    for (const setting of settings) {
      const name = `privacy ${setting.privacy ? "on" : "off"}`;
      progress(`${programs.length} programs in the tier ${tier}, ${name}`);
      const verdicts = await runPrograms(programs, tools, setting);
      const count = (ending: Verdict["ending"]) => verdicts.filter((one) => one.ending === ending).length;
      const times = verdicts.map(({ ms }) => ms).sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      rows.push([name, verdicts.length, ...ENDINGS.map(count), at(0.5), at(0.95)]);
      for (const { id, ending, why = "" } of verdicts) {
        if (ending !== "right") others.push([name, id, ending, why.replaceAll(/\s+/g, " ").slice(0, 400)]);
      }
      for (const ending of ["refused", "failed", "half done"] as const) {
        if (count(ending) > 0) misses.push(`${name}: ${count(ending)} ${ending}, target none`);
      }
    }
    return {
      tables: [
        {
          title: `Ordinary Python programs, ${tools.size} servers, tier ${tier}`,
          columns: ["", "programs", ...ENDINGS, "ms p50", "p95"],
          rows,
        },
        ...(others.length === 0
          ? []
          : [{ title: "Not right", columns: ["", "program", "ending", "why"], rows: others }]),
      ],
      notes: [
        "The programs were written by somebody who had not seen the runner (bench/python/programs.jsonl)",
      ],
      misses,
    };
  },
};
