import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FinishedRun } from "../../src/engine/engine.ts";
import { startScriptedServers } from "../../test/fixtures/scripted-servers.ts";
import type { RawTool } from "../eval-tools.ts";
import { loadBuilt } from "../load-built.ts";
import type { PythonProgram } from "./load-programs.ts";

export type Verdict = {
  readonly id: string;
  /** `refused`: nothing ran. `half done`: it made fewer calls than it should. `wrong`: other calls, another result or other prints. */
  readonly ending: "right" | "refused" | "failed" | "half done" | "wrong";
  readonly why?: string;
  readonly ms: number;
};

export type Setting = {
  readonly distDir: string;
  readonly tier: string;
  readonly privacy: boolean;
};

/** The kinds of failures with which nothing has run. */
const REFUSED = new Set(["syntax", "import", "too_large", "types", "denied", "language", "tier", "sandbox"]);

/** Each program through the real engine, in a project with all the servers, as one user's. */
export async function runPrograms(
  programs: readonly PythonProgram[],
  tools: ReadonlyMap<string, readonly RawTool[]>,
  { distDir, tier, privacy }: Setting,
): Promise<Verdict[]> {
  const { createEngine, openProject, createSession } = await loadBuilt(distDir);
  const servers = await startScriptedServers(tools);
  const base = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  const dir = join(base, "project");
  await mkdir(dir);
  await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: servers.definitions }));
  await writeFile(
    join(dir, "keyhole.config.json"),
    JSON.stringify({
      sandboxMode: tier,
      piiTokenization: privacy,
      permissions: { rules: [{ tool: "*", decision: "allow" }] },
    }),
  );
  const project = await openProject({ dir, homeDir: join(base, "home"), trust: true });
  await project.catalog.read();
  const engine = createEngine(project, { poolSize: 2 });
  const verdicts: Verdict[] = [];
  try {
    for (const program of programs) {
      servers.script(program.answers);
      await emptyFolder(join(dir, "workspace"));
      const start = performance.now();
      const run = await engine.run({
        session: createSession({ client: { name: "bench" } }),
        code: program.code,
        language: "python",
      });
      const ms = Math.round((performance.now() - start) * 10) / 10;
      verdicts.push({ id: program.id, ms, ...judge(program, run, servers.calls().length) });
    }
  } finally {
    await engine.close();
    await project.close();
    await servers.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
  return verdicts;
}

function judge({ expect }: PythonProgram, run: FinishedRun, calls: number): Omit<Verdict, "id" | "ms"> {
  if (run.status === "waiting") return { ending: "half done", why: "waits for an approval" };
  if (run.status === "failed") {
    return { ending: REFUSED.has(run.error.kind) ? "refused" : "failed", why: run.text };
  }
  if (calls < expect.calls) return { ending: "half done", why: `${calls} of ${expect.calls} calls` };
  const wrong: string[] = [];
  if (calls > expect.calls) wrong.push(`${calls} calls instead of ${expect.calls}`);
  // Where the program leaves the result open, whatever it has is right.
  const wanted = expect.result ?? undefined;
  if (wanted !== undefined && !isDeepStrictEqual(run.result, wanted))
    wrong.push(`result ${JSON.stringify(run.result)} instead of ${JSON.stringify(wanted)}`);
  const printed = run.logs.map(({ text }) => text).join("\n");
  for (const text of expect.prints)
    if (!printed.includes(text))
      wrong.push(`did not print ${JSON.stringify(text)}, but ${JSON.stringify(printed)}`);
  return wrong.length === 0 ? { ending: "right" } : { ending: "wrong", why: wrong.join("; ") };
}

/** Files of the program before must not be found by the next. */
async function emptyFolder(dir: string): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    await rm(join(dir, name), { recursive: true, force: true });
  }
}
