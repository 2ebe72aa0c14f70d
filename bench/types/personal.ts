import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLearner } from "../../src/catalog/observed/learner.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { read, toTools } from "../eval-tools.ts";
import type { BenchTable } from "../suite.ts";

const ROUNDS = 3;

/** Results with known personal data in them, learned from over and over: how much of that data the file then holds. */
export async function measurePersonal(dataDir: string): Promise<{ table: BenchTable; misses: string[] }> {
  const rows: (string | number)[][] = [];
  for (const file of ["structured_tau_retail", "structured_workbench_crm"]) {
    const lines = (await read(dataDir, `pii/${file}.jsonl`)).split("\n").filter((line) => line !== "");
    const results = lines.map((line): unknown => JSON.parse(line)).filter(isRecord);
    const gold = new Set(
      results.flatMap((result) => toTools(result["gold"]).map(({ value }) => String(value))),
    );
    const text = await learnAll(results);
    const found = [...gold].filter((value) => value.length > 2 && text.includes(value)).length;
    rows.push([file, results.length * ROUNDS, gold.size, found]);
  }
  const misses = rows
    .filter(([, , , found]) => found !== 0)
    .map(([file]) => `${file}: personal data was kept`);
  return {
    table: { title: "Personal data in what is kept", columns: ["results", "calls", "values", "found"], rows },
    misses,
  };
}

async function learnAll(results: readonly { readonly [key: string]: unknown }[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    const learner = createLearner(await openStateDir(dir));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { source, tool_result: value } of results) {
        learner.observe({ server: "personal", tool: String(source), hash: "", version: undefined }, value);
      }
      await learner.flush();
    }
    return await readFile(join(dir, ".keyhole/observed/personal.json"), "utf8");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
