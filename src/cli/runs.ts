import { resolve } from "node:path";
import { cancelRun } from "../engine/runs/cancel-run.ts";
import type { RunSummary } from "../engine/runs/run-summary.ts";
import { type RunDetails, readRun, readRuns } from "../engine/runs/runs-of-project.ts";
import { KeyholeError } from "../errors.ts";
import { isRecord } from "../text/is-record.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { count } from "./format.ts";

const DEFAULT_LIMIT = 20;

/** What ran, what runs, and the end of it; from any process, and no server is started for it. */
export const runs: CommandHandler = async (context) => {
  const [action = "list", runId] = context.args;
  if (action === "list" && runId === undefined) return list(context);
  if ((action === "show" || action === "cancel") && runId !== undefined)
    return action === "show" ? show(context, runId) : cancel(context, runId);
  if ((action === "show" || action === "cancel") && context.args.length === 1)
    throw new KeyholeError("usage", `keyhole runs ${action} needs the id of a run`, {
      hint: `Take one from keyhole runs list: keyhole runs ${action} RUN`,
    });
  throw new KeyholeError("usage", `keyhole runs can't "${toExcerpt(context.args.join(" "), 60)}"`, {
    hint: "Write keyhole runs list, keyhole runs show RUN, or keyhole runs cancel RUN",
  });
};

async function list({ output, projectDir, options }: CommandContext): Promise<number> {
  const limit = typeof options["limit"] === "number" ? options["limit"] : DEFAULT_LIMIT;
  const found = await readRuns(resolve(projectDir), limit);
  if (output.json) output.printJson({ runs: found });
  else if (found.length === 0) output.print("No program has run here yet");
  else for (const run of found) output.print(describe(run));
  return 0;
}

async function show({ output, projectDir, options }: CommandContext, runId: string): Promise<number> {
  const found = await readRun(resolve(projectDir), runId);
  if (output.json) output.printJson(found);
  else {
    for (const line of describeRun(found)) output.print(line);
    if (options["code"] === true) output.print(`\n${found.code}`);
  }
  return 0;
}

async function cancel({ output, projectDir }: CommandContext, runId: string): Promise<number> {
  const progress = output.progress(() => `Waiting for ${toExcerpt(runId, 40)} to end`);
  try {
    await cancelRun(resolve(projectDir), runId, undefined, (text) => output.notice(text));
  } finally {
    progress.done();
  }
  if (output.json) output.printJson({ runId, cancelled: true });
  else output.print(`Cancelled ${runId}`);
  return 0;
}

/** The journal may have come with a repository. */
function describe({ runId, startedAt, calls, session, principal, ...run }: RunSummary): string {
  const whose = `session ${toExcerpt(session, 80)} of ${toExcerpt(principal, 80)}`;
  return `${toExcerpt(runId, 40)}  ${toExcerpt(startedAt, 30)}  ${describeStatus(run)}, ${count(calls, "call")}, ${whose}`;
}

function describeStatus({ status, kind }: Pick<RunSummary, "status" | "kind">): string {
  return kind === undefined ? status : `${status} (${kind})`;
}

function describeRun(run: RunDetails): string[] {
  const { startedAt, endedAt, client, receipt } = run;
  const facts: [string, string][] = [
    ["status", describeStatus(run)],
    ["started", startedAt],
    ...(endedAt === undefined
      ? []
      : [["ended", `${endedAt}, after ${toMs(startedAt, endedAt)} ms`] as [string, string]]),
    ["session", run.session],
    ["principal", run.principal],
    ["client", [client.name, client.version ?? ""].join(" ").trim()],
    ["language", run.language],
    ["calls", String(run.calls)],
  ];
  const tokens = ["seenTokens", "keptTokens", "directTokens"].map((key) => Number(receipt?.[key] ?? 0));
  const [seen, kept, direct] = tokens;
  if (receipt !== undefined)
    facts.push(["receipt", `the model saw ${seen} tokens, ${kept} were kept from it, directly ${direct}`]);
  const tier = toTierText(receipt?.["tier"]);
  if (tier !== undefined) facts.push(["tier", tier]);
  return [
    toExcerpt(run.runId, 40),
    ...facts.map(([name, value]) => `  ${name.padEnd(10)}${toExcerpt(value, 200)}`),
    ...run.made.map((call) => `  ${describeCall(call)}`),
  ];
}

/** The journal is read as data. */
function toTierText(tier: unknown): string | undefined {
  if (!isRecord(tier) || typeof tier["name"] !== "string") return undefined;
  const { name, by, suggested, first, runtime } = tier;
  const missing = typeof suggested === "string" ? `; its risk suggests ${suggested}, which was missing` : "";
  const before = typeof first === "string" ? `, at first by ${first}` : "";
  const where = typeof runtime === "string" ? `${name}, ${runtime}` : name;
  return `${where} (by ${String(by)}${before}${missing})`;
}

function describeCall({ server, tool, ok, ms, code }: RunDetails["made"][number]): string {
  const name = `${toExcerpt(server, 100)}.${toExcerpt(tool, 100)}`;
  if (ok === undefined) return `${name}  not ended`;
  return `${name}  ${ms ?? 0} ms  ${ok ? "ok" : toExcerpt(code ?? "failed", 40)}`;
}

function toMs(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}
