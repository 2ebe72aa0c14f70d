import { isRecord } from "../../src/text/is-record.ts";
import { read } from "../eval-tools.ts";
import type { Dataset, LabelledQuery } from "./data.ts";

type Step = { readonly task: string; readonly query: string; readonly relevant: readonly string[] };

/** How agents write several steps into one search. */
const JOINTS: readonly (readonly [name: string, join: (steps: readonly string[]) => string])[] = [
  [";", (steps) => steps.join("; ")],
  ["new lines", (steps) => steps.join("\n")],
  ["numbers", (steps) => steps.map((step, at) => `${at + 1}. ${step}`).join(" ")],
  ["then", (steps) => steps.join(", then ")],
];

/** The steps of each task that has several, in one query; what is needed is what any of them needs. */
export async function loadJoinedSteps(dataDir: string, live: Dataset): Promise<Dataset[]> {
  const single = toTasks(await readSteps(dataDir));
  const whole = (await readList(dataDir, "livemcpbench/queries_task_level.json")).flatMap(toWholeTask);
  return [
    ...JOINTS.map(([name, join]) => toDataset(`Labelled steps, ${name}`, single, join)),
    ...JOINTS.map(([name, join]) => toDataset(`All steps of a task, ${name}`, whole, join)),
  ];

  function toDataset(
    name: string,
    tasks: readonly Task[],
    join: (steps: readonly string[]) => string,
  ): Dataset {
    const queries = tasks.map(({ steps, relevant }): LabelledQuery => {
      return { query: join(steps.map((step) => step.replace(/[.;\s]+$/, ""))), relevant };
    });
    return { name, servers: live.servers, queries };
  }
}

type Task = { readonly steps: readonly string[]; readonly relevant: readonly string[] };

function toTasks(steps: readonly Step[]): Task[] {
  const tasks = new Map<string, Step[]>();
  for (const step of steps) tasks.set(step.task, [...(tasks.get(step.task) ?? []), step]);
  return [...tasks.values()]
    .filter((own) => own.length > 1)
    .map((own) => ({
      steps: own.map(({ query }) => query),
      relevant: [...new Set(own.flatMap(({ relevant }) => relevant))],
    }));
}

function toWholeTask(task: Readonly<Record<string, unknown>>): Task[] {
  const steps = Array.isArray(task["steps"]) ? task["steps"].map(String) : [];
  const relevant = toLabels(task["relevant"]);
  return steps.length > 1 && relevant.length > 0 ? [{ steps, relevant }] : [];
}

async function readSteps(dataDir: string): Promise<Step[]> {
  return (await readList(dataDir, "livemcpbench/queries_step_level.json")).map((entry) => ({
    task: String(entry["id"]),
    query: String(entry["query"]),
    relevant: toLabels(entry["relevant"]),
  }));
}

function toLabels(value: unknown): string[] {
  return Array.isArray(value)
    ? [...new Set(value.map((label) => (Array.isArray(label) ? label.join("/") : "")))]
    : [];
}

async function readList(dataDir: string, file: string): Promise<Readonly<Record<string, unknown>>[]> {
  const list: unknown = JSON.parse(await read(dataDir, file));
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
