import { spawnSync } from "node:child_process";
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openToOthers, STATE_CASES, type StateCase } from "./cases/states.ts";
import { expectNone } from "./expect-none.ts";
import { HONEST_SERVERS, makeProject } from "./gateway.ts";
import { canHold } from "./net.ts";
import { makeOutside, OUTSIDE_WORD, readOutside } from "./outside.ts";
import { runOnce } from "./run-once.ts";

const isRoot = process.getuid?.() === 0;
const canHideBubblewrap =
  isRoot &&
  spawnSync("unshare", ["-m", "sh", "-c", 'mount --bind /dev/null "$(command -v bwrap)"']).status === 0;
const MAX_MEGABYTES = 700;
/** It calls a tool, keeps a file, and returns more than fits, so that all of the state is written. */
const WORK = `const fs = await import("node:fs");
const { sum } = await math.addUp({ numbers: [1, 2] });
CODE
try { fs.writeFileSync("./workspace/mine.txt", "mine"); } catch (e) { console.log(String(e)); }
console.log("sum", sum);
return Array.from({ length: 20_000 }, (_, n) => "row " + n);`;

async function attempt(state: StateCase, bubblewrap: boolean): Promise<string[]> {
  const project = await makeProject({ ".mcp.json": { mcpServers: HONEST_SERVERS } });
  const outside = await makeOutside();
  try {
    return await attemptIn(project, outside, state, bubblewrap);
  } finally {
    for (const dir of [project, outside]) await rm(dir, { recursive: true, force: true });
  }
}

async function attemptIn(
  project: string,
  outside: string,
  { plant, isRefused, code = "" }: StateCase,
  bubblewrap: boolean,
): Promise<string[]> {
  await plant(project, outside);
  const before = await readOutside(outside);
  const {
    code: status,
    output,
    ended,
    peakMegabytes,
  } = await runOnce(
    project,
    WORK.replace("CODE", () => code),
    { bubblewrap },
  );
  const after = await readOutside(outside);
  const changed = after.filter((line) => !before.includes(line));
  return [
    ...(ended === undefined ? [] : [`Run: ${ended}`]),
    ...(peakMegabytes > MAX_MEGABYTES ? [`Memory: ${peakMegabytes} MB`] : []),
    ...changed.map((line) => `Outside: changed or new: ${line}`),
    ...(output.includes(OUTSIDE_WORD) ? ["Outside: the program read it"] : []),
    ...(ended === undefined ? judgeEnding(status, output) : []),
    ...(isRefused && status === 0 ? ["Run: it was not refused"] : []),
    ...(status === 0 && (await isWritableByOthers(join(project, ".keyhole")))
      ? ["State: others can write it"]
      : []),
  ];
}

async function isWritableByOthers(path: string): Promise<boolean> {
  const about = await lstat(path).catch(() => undefined);
  // A link's own mode means nothing.
  return about?.isSymbolicLink() === false && (about.mode & 0o022) !== 0;
}

/** It works, or it is refused with a sentence that names what is in the way. */
function judgeEnding(status: number | null, output: string): string[] {
  if (status === 0)
    return output.includes("sum 3") ? [] : [`Run: no result: ${JSON.stringify(output.slice(0, 300))}`];
  const isSentence = /\.keyhole|workspace/.test(output) && !/\n\s+at |internal/i.test(output);
  return isSentence ? [] : [`Run: ended with ${status}: ${JSON.stringify(output.slice(0, 300))}`];
}

// Nothing here is measured in time, so two can go on at once.
describe.skipIf(!canHold).concurrent("a hostile state costs nothing outside of the project", () => {
  for (const state of STATE_CASES) {
    const attemptHere = state.needsRoot && !isRoot ? it.skip : it;
    attemptHere(state.name, async () => {
      expectNone(await attempt(state, true));
    });
  }
});

describe.skipIf(!canHold).concurrent("a hostile workspace costs nothing where bubblewrap is missing", () => {
  const attemptHere = canHideBubblewrap ? it : it.skip;
  for (const state of STATE_CASES.filter(({ name }) => /workspace are|results|folder is moved/.test(name))) {
    attemptHere(state.name, async () => {
      expectNone(await attempt(state, false));
    });
  }
});

describe.skipIf(!canHold)("what a run leaves", () => {
  it("is the user's alone", async () => {
    const project = await makeProject({ ".mcp.json": { mcpServers: HONEST_SERVERS } });
    const { code } = await runOnce(project, WORK.replace("CODE", ""));
    expect(code).toBe(0);
    expect(await openToOthers(join(project, ".keyhole"))).toEqual([]);
    expect((await openToOthers(project)).filter((line) => line.startsWith("workspace"))).toEqual([]);
    await rm(project, { recursive: true });
  });
});
