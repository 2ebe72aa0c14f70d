import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { anchorAudit } from "../../engine/audit/keep-of-project.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { tellNothing } from "./nothing-yet.ts";

/** Tells the log's newest checkpoint outside; the exit code is 1 where one of the places did not take it. */
export async function anchor(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { output } = context;
  const outcomes = await anchorAudit(audit, { onNotice: output.notice });
  if (output.json) output.printJson({ anchors: outcomes });
  else if (outcomes.length === 0) tellNothing(context, audit);
  else
    for (const { target, sequence, problem } of outcomes)
      output.print(
        problem === undefined
          ? `${output.style("green", "✓")} ${toExcerpt(target, 200)} has the checkpoint of event ${sequence}`
          : `${output.style("red", "✗")} ${toExcerpt(target, 200)} does not: ${toExcerpt(problem, 300)}`,
      );
  return outcomes.every(({ problem }) => problem === undefined) ? 0 : 1;
}
