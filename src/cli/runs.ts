import { resolve } from "node:path";
import { cancelRun } from "../engine/runs/cancel-run.ts";
import type { RunSummary } from "../engine/runs/run-summary.ts";
import { readRun, readRuns } from "../engine/runs/runs-of-project.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { count } from "./format.ts";

const DEFAULT_LIMIT = 20;

/** What ran, what runs, and the end of it; from any process, and no server is started for it. */
export const runs: CommandHandler = async (context) => {
  const [action, runId] = context.args;
  if (action === "list" && runId === undefined) return list(context);
  if ((action === "show" || action === "cancel") && runId !== undefined)
    return action === "show" ? show(context, runId) : cancel(context, runId);
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

async function show({ output, projectDir }: CommandContext, runId: string): Promise<number> {
  const found = await readRun(resolve(projectDir), runId);
  if (output.json) output.printJson(found);
  else {
    output.print(describe(found));
    for (const { server, tool, ok, ms } of found.made) {
      const state = ok === undefined ? "open" : ok ? "done" : "failed";
      const took = ms === undefined ? "" : `, ${ms} ms`;
      output.print(`  ${state} ${toExcerpt(server, 100)} ${toExcerpt(tool, 100)}${took}`);
    }
  }
  return 0;
}

async function cancel({ output, projectDir }: CommandContext, runId: string): Promise<number> {
  const progress = output.progress(() => `Waiting for ${toExcerpt(runId, 40)} to end`);
  try {
    await cancelRun(resolve(projectDir), runId);
  } finally {
    progress.done();
  }
  if (output.json) output.printJson({ runId, cancelled: true });
  else output.print(`Cancelled ${runId}`);
  return 0;
}

/** The journal may have come with a repository. */
function describe({ runId, status, session, startedAt, calls, kind }: RunSummary): string {
  const state = kind === undefined ? status : `${status} (${toExcerpt(kind, 40)})`;
  return `${toExcerpt(runId, 40)}  ${toExcerpt(startedAt, 30)}  ${state}, ${count(calls, "call")}, session ${toExcerpt(session, 80)}`;
}
