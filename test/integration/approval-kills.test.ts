import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/policy/approvals/approval.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { toHash } from "../../src/text/hash.ts";
import { fixture, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

const RUNNER = fileURLToPath(new URL("../fixtures/approved-run.js", import.meta.url));
/** More of them: KEYHOLE_TEST_KILLS=200. */
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 25);
const PROJECTS = 4;
/** Of the time that it takes undisturbed: a run that goes on has less to do. */
const REACH = 1.2;
/** However slow the machine is: some are killed when a call was made, some when a read was kept. */
const FROM: readonly Kill["from"][] = ["start", "program", "kept", "program", "call"];

/** Each letter has its own number, drawn once: the same one twice was sent twice. */
const LETTERS = `const me = Math.random();
  const { people } = await post.listPeople({ me });
  const sent = [];
  for (const to of people) {
    const { people: again } = await post.listPeople({ me, before: to, at: Date.now() });
    const [letter] = await Promise.all([
      post.sendMail({ to, at: Date.now(), nonce: Math.random(), others: again.length })
        .catch((error) => { if (error.code !== "denied") throw error; return { sent: to }; }),
      post.getTime({ me, for: to }),
    ]);
    sent.push(letter.sent);
  }
  return sent;`;
const ANSWER = ["ada", "bob", "cyd"];

type Told = Readonly<Record<string, unknown>>;

/** How long it takes until the program is begun, and from there to its end. */
type Pace = { readonly startMs: number; readonly workMs: number };
/** From when on the moment is: the process, its program, the next call that comes to the server, or, at once, a read that is kept. */
type Kill = { readonly from: "start" | "program" | "call" | "kept"; readonly pace: Pace };

/** Runs the program in a process that comes to its end, or is killed at some moment before. */
async function runOnce(dir: string, letters: string, kill?: Kill): Promise<{ told: Told[]; pace: Pace }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [RUNNER, dir, letters], { stdio: ["pipe", "pipe", "inherit"] });
  onCleanup(async () => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  let output = "";
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes('"run":')) begun();
  });
  child.stdin.end(LETTERS);
  const ending = new AbortController();
  const killing = kill && killAtSomeMoment(child, { hasBegun, dir, letters, ...kill }, ending.signal);
  await Promise.race([hasBegun, ended]);
  const begunAt = performance.now();
  await ended;
  const endedAt = performance.now();
  begun();
  ending.abort();
  await killing;
  await untilGone(letters);
  // The last line may be cut.
  const lines = output.split("\n").slice(0, -1);
  const pace = { startMs: begunAt - startedAt, workMs: endedAt - begunAt };
  return { told: lines.map((line) => JSON.parse(line)), pace };
}

async function killAtSomeMoment(
  child: ChildProcess,
  {
    from,
    pace,
    hasBegun,
    dir,
    letters,
  }: Kill & {
    readonly hasBegun: Promise<void>;
    readonly dir: string;
    readonly letters: string;
  },
  signal: AbortSignal,
): Promise<void> {
  if (from !== "start") await hasBegun;
  const { length } = readLines(`${letters}.asked`);
  while (from === "call" && !signal.aborted && readLines(`${letters}.asked`).length === length)
    await delay(1);
  while (from === "kept" && !signal.aborted && (await readCompleted(dir)).size === 0) await delay(1);
  if (from === "kept") {
    child.kill("SIGKILL");
    return;
  }
  const reach = REACH * (from === "start" ? pace.startMs : pace.workMs);
  await delay(Math.random() * reach, undefined, { signal }).catch(() => {});
  child.kill("SIGKILL");
}

/** What was on its way to the server has arrived, or never will. */
async function untilGone(letters: string): Promise<void> {
  for (;;) {
    const commands = await Promise.all(
      (await readdir("/proc"))
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
    );
    if (!commands.some((command) => command.includes("postbox") && command.includes(letters))) return;
    await delay(10);
  }
}

/** The hashes of the arguments of all reads that came back. */
async function readCompleted(dir: string): Promise<Set<string>> {
  const file = join(dir, ".keyhole/keyhole.db");
  if (!existsSync(file)) return new Set();
  const db = await openSqlite(file);
  try {
    const [tables] = db.all("SELECT 1 FROM sqlite_master WHERE name = 'replay_calls'");
    if (tables === undefined) return new Set();
    const rows = db.all("SELECT arguments_hash FROM replay_calls WHERE is_write = 0 AND result IS NOT NULL");
    return new Set(rows.map(([hash]) => String(hash)));
  } finally {
    await db.close();
  }
}

function countAsked(letters: string, hashes: ReadonlySet<string>): number {
  return readLines(`${letters}.asked`).filter((args) => hashes.has(toHash(JSON.stringify(args)))).length;
}

function readLines(file: string): Told[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a host that is killed while its programs ask and write", () => {
  it("has every approval and every completed call afterwards, sends nothing twice, and comes to the same answer", {
    timeout: 600_000,
  }, async () => {
    let kills = 0;
    const finished = { kept: 0, repeated: 0, completed: 0 };

    async function keepKilling(): Promise<void> {
      const letters = join(await tempDir(), "sent");
      const dir = await writeProject({ ".mcp.json": { mcpServers: { post: fixture("postbox", letters) } } });
      const known = new Map<string, Approval>();
      const { told, pace } = await runOnce(dir, letters);
      while (kills++ < KILLS) {
        const completed = await readCompleted(dir);
        const before = countAsked(letters, completed);
        told.push(
          ...(await runOnce(dir, letters, { from: FROM[kills % FROM.length] ?? "program", pace })).told,
        );
        // What had come back before was not asked for again.
        expect(countAsked(letters, completed)).toEqual(before);
        finished.completed += completed.size;
      }
      told.push(...(await runOnce(dir, letters)).told);

      expect(told.filter(({ thrown, error }) => thrown !== undefined || error !== undefined)).toEqual([]);
      const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
      onCleanup(() => db.close());
      const approvals = db.all("SELECT id, run, status, request, answer FROM approvals ORDER BY number");

      // Whatever was answered when a process started is so at the end.
      const answered = told.flatMap(({ answered }) => (answered ?? []) as Approval[]);
      for (const approval of answered) known.set(approval.id, approval);
      const atEnd = new Map(approvals.map(([id, , status, , answer]) => [id, [status, answer]]));
      for (const { id, status, answer } of known.values())
        expect(atEnd.get(id)).toEqual([status, JSON.stringify(answer)]);

      // Each was asked once: only a letter that may have been sent is asked for again, as such.
      const questions = approvals.flatMap(([, run, status, request]) =>
        JSON.parse(String(request)).calls.map((call: Approval["calls"][number]) => ({ run, status, call })),
      );
      const first = questions.filter(({ call }) => call.repeat === undefined);
      expect(new Set(first.map(({ run, call }) => `${run} ${call.number}`)).size).toBe(first.length);
      const again = questions.filter(({ call }) => call.repeat !== undefined);
      const keys = again.map(({ run, call }) => `${run} ${call.number} ${call.repeat}`);
      expect(new Set(keys).size).toBe(keys.length);

      const sent = readLines(letters);
      expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(sent.length);
      const approved = first
        .filter(({ status }) => status === "approved")
        .map(({ call }) => call.args["nonce"]);
      expect(sent.filter(({ nonce }) => !approved.includes(nonce))).toEqual([]);

      const ends = told.filter(({ status }) => status !== undefined);
      for (const end of ends) expect(end).toMatchObject({ status: "done", result: ANSWER, calls: 10 });
      for (const { runId } of ends) {
        const numbers = first.filter(({ run }) => run === runId).map(({ call }) => call.args["nonce"]);
        expect(sent.filter(({ nonce }) => numbers.includes(nonce)).map(({ to }) => to)).toEqual(ANSWER);
      }
      // One run after another: none was begun while an earlier one could go on, and only that is kept which still can.
      const left = db.all(
        "SELECT id FROM runs WHERE status <> 'done' AND id IN (SELECT run FROM replay_runs)",
      );
      expect(left).toEqual([]);
      const unended = db.all(
        "SELECT id FROM runs WHERE status <> 'done' AND id NOT IN (SELECT run FROM replay_runs)",
      );
      for (const [id] of unended) expect(questions.filter(({ run }) => run === id)).toEqual([]);
      expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
      finished.kept += ends.length;
      finished.repeated += again.length;
    }

    await Promise.all(Array.from({ length: PROJECTS }, keepKilling));
    expect(finished.kept).toBeGreaterThanOrEqual(2 * PROJECTS);
    expect(finished.completed).toBeGreaterThan(0);
    console.info(
      `${KILLS} kills, ${finished.completed} reads kept, ${finished.kept} runs told of their end, ${finished.repeated} letters asked for again`,
    );
  });
});
