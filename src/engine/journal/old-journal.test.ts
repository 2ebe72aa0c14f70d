import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { type Journal, openJournal } from "./journal.ts";
import { parseOldEntries } from "./old-journal.ts";

let dir: string;
let file: string;

beforeEach(async () => {
  dir = await tempDir();
  file = join(dir, ".keyhole/runs.jsonl");
  await mkdir(join(dir, ".keyhole"));
});

async function open(): Promise<Journal> {
  const journal = openJournal(await openStateDir(dir, join(dir, "home")));
  onCleanup(() => journal.close());
  return journal;
}

const entry = (runId: string, calls: unknown[] = [], at = "2026-01-01T00:00:00.000Z") =>
  JSON.stringify({
    at,
    runId,
    session: "s",
    ok: true,
    calls,
    receipt: { seenTokens: 7, pad: "p".repeat(100) },
  });
const call = { server: "s", tool: "t", ms: 1, ok: true };

describe("the journal of an earlier version", () => {
  it("is taken over though one of its receipts is nested too deeply to be written", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const planted = entry("a").replace('"seenTokens":7', `"seenTokens":${deep}`);
    await writeFile(file, `${planted}\n${entry("b")}\n`);
    const journal = await open();
    expect(await journal.stats()).toMatchObject({ runs: 2, tokens: { seen: 7 } });
    expect(existsSync(file)).toBe(false);
  });

  it("counts nothing of a receipt that is none, or has no numbers", async () => {
    const nested = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
    const odd = [`"${"9".repeat(20)}"`, "null", "{}", nested, "-1e400", "1e308", "1e308"].map((value, n) =>
      entry(`r_${n}`).replace('"seenTokens":7', `"seenTokens":${value},"phasesMs":${value}`),
    );
    await writeFile(file, `${[...odd, entry("good")].join("\n")}\n`);
    expect(await (await open()).stats()).toMatchObject({ runs: 8, tokens: { seen: 7 }, runMs: { p50: 0 } });
  });

  it("is taken over once, and its file goes", async () => {
    await writeFile(file, `${entry("a", [call, call])}\n${entry("b", [{ ...call, ok: false }])}\n`);
    const journal = await open();
    expect(await journal.stats()).toMatchObject({ runs: 2, failed: 0, calls: 3, tokens: { seen: 14 } });
    await journal.popularity.load();
    // Nobody vouches for the file.
    expect(journal.popularity.calls("s", "t")).toBe(0);
    expect(existsSync(file)).toBe(false);
    await writeFile(file, `${entry("a", [call])}\n${entry("c")}\n`);
    expect(await (await open()).stats()).toMatchObject({ runs: 3, calls: 3 });
  });

  it.each([
    ["is empty", () => writeFile(file, "")],
    ["is a folder", () => mkdir(join(file, "deep"), { recursive: true })],
  ])("goes, too, where it %s", async (_, make) => {
    await make();
    expect(await (await open()).stats()).toMatchObject({ runs: 0 });
    expect(existsSync(file)).toBe(false);
  });

  it("has what is no entry passed over, and what is of a wrong type left out", () => {
    const odd = {
      runId: "odd",
      calls: [call, null, { server: {}, tool: [], ms: "x", ok: 1 }],
      receipt: {},
      session: {},
      at: 7,
    };
    const lines = [
      "null",
      "[".repeat(10_000),
      JSON.stringify({ runId: {}, calls: [], receipt: {}, padding: "p".repeat(100) }),
      '{"__proto__":{"runId":"x"},"constructor":1,"padding":"pppppppppppppppppppppppppppp"}',
      JSON.stringify(odd),
      entry("later", [], "2999-01-01T00:00:00.000Z"),
      entry("cut").slice(0, -3),
    ];
    expect(parseOldEntries(lines.join("\n"), 1_000)).toEqual([
      { at: 1_000, runId: "odd", session: "", ok: false, kind: null, calls: [call], receipt: {} },
      expect.objectContaining({ at: 1_000, runId: "later", session: "s" }),
    ]);
  });

  it("of one run with all the calls that fit is taken over up to a thousand, without times that are none", async () => {
    const calls = Array(2_000).fill(call);
    await writeFile(file, `${entry("a", calls)}\n${entry("b", [call]).replace('"ms":1', '"ms":1e400')}\n`);
    expect(await (await open()).stats()).toMatchObject({
      runs: 2,
      calls: 1_000,
      tools: [{ ms: { p95: 1 } }],
    });
  });

  it("is taken over whole, however its calls are spread over its runs", async () => {
    const lines = [900, 0, 0, 499, 1, 600, 3].map((count, n) => entry(`r_${n}`, Array(count).fill(call)));
    await writeFile(file, `${lines.join("\n")}\n`);
    expect(await (await open()).stats()).toMatchObject({ runs: 7, calls: 2_003 });
  });

  it("of ten million lines is read from its end", async () => {
    await writeFile(file, `${"{}\n".repeat(10_000_000)}${entry("last")}\n`);
    expect(await (await open()).listRuns()).toMatchObject([{ id: "last", status: "done" }]);
  });
});
