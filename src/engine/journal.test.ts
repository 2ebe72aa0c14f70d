import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { openStateDir } from "../store/state-dir.ts";
import { createJournal, type Journal } from "./journal.ts";
import { toStats } from "./stats.ts";

const MIB = 1024 * 1024;
let file: string;
let journal: Journal;

beforeEach(async () => {
  const dir = await tempDir();
  file = join(dir, ".keyhole/runs.jsonl");
  journal = createJournal(await openStateDir(dir));
  await mkdir(join(dir, ".keyhole"));
});

const entry = (runId: string) =>
  JSON.stringify({ at: "", runId, session: "", ok: true, calls: [], receipt: { pad: "p".repeat(100) } });

describe("a journal from elsewhere", () => {
  it("has what is no entry passed over, and what is of a wrong type left out", async () => {
    const calls = [
      { server: "s", tool: "t", ms: 1, ok: true },
      null,
      { server: {}, tool: [], ms: "x", ok: 1 },
    ];
    const odd = {
      runId: "odd",
      calls,
      receipt: { seenTokens: "many", phasesMs: [1, "x"] },
      session: {},
      at: 7,
    };
    const lines = [
      "null",
      "[".repeat(10_000),
      JSON.stringify({ runId: {}, calls: [], receipt: {}, padding: "p".repeat(100) }),
      '{"__proto__":{"runId":"x"},"constructor":1,"padding":"pppppppppppppppppppppppppppp"}',
      JSON.stringify(odd),
      entry("good"),
      entry("cut").slice(0, -3),
    ];
    await writeFile(file, lines.join("\n"));
    const entries = await journal.read();
    expect(entries.map(({ runId, session }) => [runId, session])).toEqual([
      ["odd", ""],
      ["good", ""],
    ]);
    expect(entries[0]?.calls).toEqual(calls.slice(0, 1));
    expect(toStats(entries)).toMatchObject({ runs: 2, calls: 1 });
  });

  it("of ten million lines is read from its end, and cut at the next run", async () => {
    await writeFile(file, `${"{}\n".repeat(10_000_000)}${entry("last")}\n`);
    expect((await journal.read()).map(({ runId }) => runId)).toEqual(["last"]);
    const run = { ok: false, status: "failed", logs: [], text: "", emitted: [] } as const;
    const error = { kind: "exception", message: "no" } as const;
    const receipt = JSON.parse("{}");
    await journal.add("s", { ...run, runId: "next", calls: [], error, receipt });
    expect((await stat(file)).size).toBeLessThan(MIB);
    expect(await readFile(file, "utf8")).toContain('"next"');
  });
});
