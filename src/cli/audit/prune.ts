import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { type PrunedAudit, pruneAudit } from "../../engine/audit/keep-of-project.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { tellNothing } from "./nothing-yet.ts";

/** Takes events out of the log that are older than the config keeps them. */
export async function prune(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { output, options } = context;
  const isDryRun = options["dryRun"] === true;
  const result = await pruneAudit(audit, { isDryRun, onNotice: output.notice });
  if (output.json) output.printJson({ dryRun: isDryRun, ...result });
  else if (audit.log === undefined) tellNothing(context, audit);
  else print(context, result, isDryRun);
  return 0;
}

function print(
  { output }: CommandContext,
  { count: total, classes, archives, days }: PrunedAudit,
  isDryRun: boolean,
) {
  if (Object.keys(days).length === 0) {
    output.print("Nothing was taken out: events are kept for ever");
    output.note('"audit.retention" in the config says how long: docs/audit-storage.md');
    return;
  }
  const what = total === 0 ? "No event is" : `${count(total, "event")} ${total === 1 ? "is" : "are"}`;
  output.print(`${what} older than events of ${total === 1 ? "its" : "their"} class are kept`);
  for (const [name, number] of Object.entries(classes).sort(([a], [b]) => (a < b ? -1 : 1)))
    output.print(
      `  ${name.padEnd(10)} ${String(number).padStart(8)}  kept for ${count(days[name as keyof typeof days] ?? 0, "day")}`,
    );
  if (total === 0) return;
  if (isDryRun)
    output.note("Nothing was changed: without --dry-run they are taken out, and their hashes stay");
  else output.note("They were taken out; their hashes stay, and the log says so");
  for (const archive of archives) output.print(`  .keyhole/${archive}`);
}
