import {
  type FoundAnomalies,
  findAnomalies,
  type LiveAnomaly,
  releaseStopped,
} from "../../engine/audit/anomalies-of-project.ts";
import { type ProjectAudit, parseFilter } from "../../engine/audit/audit-of-project.ts";
import { toLocalTime } from "../../engine/audit/shown-events.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { tellNothing } from "./nothing-yet.ts";

const DEFAULT_SPAN_MS = 7 * 24 * 3_600_000;
const STYLES = { critical: "red", warning: "yellow", info: "dim" } as const;

/** What was unusual: what is found now, and what was found while it happened. */
export async function anomalies(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { output, options } = context;
  if (typeof options["release"] === "string") return release(context, audit, options["release"]);
  const filter = parseFilter(options);
  const from = filter.from ?? Date.now() - DEFAULT_SPAN_MS;
  const found = await findAnomalies(audit, { ...filter, from }, options["notes"] === true);
  if (output.json) output.printJson(found);
  else if (audit.log === undefined) tellNothing(context, audit);
  else print(context, found);
  return 0;
}

async function release({ output }: CommandContext, audit: ProjectAudit, session: string): Promise<number> {
  await releaseStopped(audit, session);
  if (output.json) output.printJson({ released: session });
  else output.print(`Session ${toExcerpt(session, 80)} goes on; what is found from now on counts again`);
  return 0;
}

type Shown = Pick<LiveAnomaly, "at" | "severity" | "rule" | "text" | "session" | "principal" | "events">;

function print({ output, projectDir }: CommandContext, found: FoundAnomalies): void {
  const { style } = output;
  const show = (one: Shown, action?: string) => {
    const severity = STYLES[one.severity as keyof typeof STYLES] ?? "dim";
    const who = [one.principal, one.session].flatMap((name) =>
      name === undefined ? [] : toExcerpt(name, 60),
    );
    output.print(
      `${style("dim", toLocalTime(one.at).slice(0, 16))}  ${style(severity, toExcerpt(one.rule, 40))}  ${toExcerpt(one.text, 300)}`,
    );
    const done = action === undefined || action === "log" ? [] : [`done: ${toExcerpt(action, 10)}`];
    const last = one.events.at(-1);
    const events =
      last === undefined ? [] : [`${count(one.events.length, "event")}, the last ${toExcerpt(last, 60)}`];
    output.print(style("dim", `  ${[...who, ...events, ...done].join(" · ")}`));
  };
  const { anomalies: replayed, live, events, learned, unread } = found;
  output.print(
    `${count(events, "event")} looked at; what is usual comes from ${learned === 0 ? "these alone" : `${count(learned, "event")} before`}`,
  );
  if (replayed.length === 0) output.print("Nothing is unusual");
  for (const one of replayed) show(one);
  if (live.length > 0) {
    output.print("");
    output.print(`Found while it happened: ${live.length}`);
    for (const one of live) show(one, one.action);
  }
  if (unread > 0) output.note(`${count(unread, "event")} could not be read whole, and were left out`);
  if (replayed.length + live.length > 0)
    output.note(`${createKeyholeCommand(projectDir)("audit show EVENT")} tells all of an event`);
}
