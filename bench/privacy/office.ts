import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type OfficeTask, readOfficeTasks } from "../../test/fixtures/office-tasks.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { MODES, type Mode, openPrivateFront, type PrivateFront } from "./front.ts";

const SERVERS = ["mail", "calendar", "crm", "project-board", "directory"];
const WRITES = /^(create|add|update|delete|send|reply|forward|plot)_/;
/** What a model that knows nobody asks first: it is shown names and addresses as tokens. */
const LOOK = `const people: any[] = [];
for (const department of ["Engineering", "Design", "Sales", "Marketing", "Operations"])
  people.push(...(await directory.listDepartment({ department })));
return people.map(({ name, email }) => [name, email]);`;

type Outcome = { readonly isSolved: boolean; readonly why: string; readonly seen: readonly string[] };

/** The ten office tasks: by the program as it was written, and by one in which everybody is a token. */
export async function measureOffice({ distDir, progress }: BenchOptions): Promise<BenchReport> {
  const tasks = readOfficeTasks(pathToFileURL(`${resolve("test/fixtures/office")}/`));
  const everybody = await readEverybody();
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  for (const mode of MODES) {
    progress(`The office, in ${mode} mode`);
    for (const isTold of [true, false]) {
      let solved = 0;
      let seen = 0;
      for (const task of tasks) {
        const outcome = await solve(distDir, mode, task, isTold, everybody);
        if (outcome.isSolved) solved++;
        else misses.push(`office, ${mode}, ${task.title}: ${outcome.why}`);
        seen += outcome.seen.length;
        if (outcome.seen.length > 0)
          misses.push(`office, ${mode}, ${task.title}: ${outcome.seen[0]} was seen`);
      }
      const how = isTold ? "names as the user said them" : "everybody a token";
      rows.push([mode, how, tasks.length, solved, isTold ? "not counted" : seen]);
    }
  }
  return {
    tables: [
      {
        title: "The ten office tasks",
        columns: ["mode", "program", "tasks", "solved", "names and addresses seen"],
        rows,
      },
    ],
    notes: [
      "Solved: the tools that write were called as often as expected, and what the servers hold afterwards is what it should be, as another tool was handed it",
    ],
    misses,
  };
}

async function solve(
  distDir: string,
  mode: Mode,
  task: OfficeTask,
  isTold: boolean,
  everybody: readonly (readonly string[])[],
): Promise<Outcome> {
  const front = await openPrivateFront({
    distDir,
    mode,
    servers: (dir) => ({
      ...Object.fromEntries(SERVERS.map((name) => [name, [`office/${name}`]])),
      drawers: ["drawers", dir, join(dir, "handed.jsonl")],
    }),
  });
  try {
    const shown: unknown[] = [];
    const run = async (code: string) => {
      const answer = await front.run(code);
      shown.push(answer.visible);
      return answer;
    };
    let { program } = task;
    if (!isTold) {
      const look = await run(LOOK);
      if (!Array.isArray(look.result)) return failed(`looking failed: ${look.text.slice(0, 300)}`);
      program = withTokens(program, everybody, look.result);
    }
    const done = await run(program);
    if (done.isError) return failed(done.text.slice(0, 400));
    const afterwards = await run(
      `const state = await (async () => {\n${task.afterwards}\n})();\nawait drawers.putInto({ number: 1, thing: state as any });`,
    );
    if (afterwards.isError) return failed(`afterwards: ${afterwards.text.slice(0, 400)}`);
    const writes = countWrites(done.visible);
    if (JSON.stringify(writes) !== JSON.stringify(sortKeys(task.expected.writes)))
      return failed(`wrote ${JSON.stringify(writes)}`);
    const [wanted, got] = [task.expected.state, await handedState(front)].map((state) =>
      JSON.stringify(toComparable(state)),
    );
    if (wanted !== got) return failed(`${got}, not ${wanted}`);
    return { isSolved: true, why: "", seen: isTold ? [] : seenIn(shown, everybody) };
  } finally {
    await front.close();
  }
}

function failed(why: string): Outcome {
  return { isSolved: false, why, seen: [] };
}

/** The program with every name and address of somebody who was shown as a token written as that. */
function withTokens(
  program: string,
  everybody: readonly (readonly string[])[],
  shown: readonly unknown[],
): string {
  let written = program;
  everybody.forEach((values, row) => {
    const tokens = shown[row];
    values.forEach((value, column) => {
      const token: unknown = Array.isArray(tokens) ? tokens[column] : undefined;
      if (typeof token === "string") written = written.replaceAll(value, token);
    });
  });
  return written;
}

async function readEverybody(): Promise<string[][]> {
  const lines = (await readFile(resolve("test/fixtures/servers/office/data/people.tsv"), "utf8"))
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));
  return ["Engineering", "Design", "Sales", "Marketing", "Operations"].flatMap((department) =>
    lines.filter((line) => line[2] === department).map(([name = "", email = ""]) => [name, email]),
  );
}

function countWrites(visible: unknown): { [tool: string]: number } {
  const counts: { [tool: string]: number } = {};
  for (const { tool, ok } of callsIn(visible))
    if (ok && WRITES.test(tool)) counts[tool] = (counts[tool] ?? 0) + 1;
  return sortKeys(counts);
}

function callsIn(visible: unknown): { tool: string; ok: boolean }[] {
  const [answer] = visible as [
    { _meta?: { "keyhole/result"?: { calls?: { tool: string; ok: boolean }[] } } },
  ];
  return answer._meta?.["keyhole/result"]?.calls ?? [];
}

async function handedState(front: PrivateFront): Promise<unknown> {
  const [line = "{}"] = (await readFile(join(front.dir, "handed.jsonl"), "utf8")).split("\n");
  return JSON.parse(line).thing;
}

/**
 * Texts without the domains of addresses, and lists of texts in one order: a program that knows tokens alone can neither take an address
 * apart nor sort by its letters.
 */
function toComparable(state: unknown): unknown {
  if (typeof state === "string") return state.replace(/@[\w.-]+\.example/g, "");
  if (Array.isArray(state)) {
    const items = state.map(toComparable);
    return items.every((item) => typeof item === "string") ? items.sort() : items;
  }
  if (typeof state !== "object" || state === null) return state;
  return sortKeys(Object.fromEntries(Object.entries(state).map(([key, item]) => [key, toComparable(item)])));
}

function sortKeys<Value>(record: { readonly [key: string]: Value }): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function seenIn(shown: unknown, everybody: readonly (readonly string[])[]): string[] {
  const text = JSON.stringify(shown).toLowerCase();
  return everybody.flat().filter((value) => text.includes(value.toLowerCase()));
}
