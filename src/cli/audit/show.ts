import type { LoggedEvent, ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import {
  type TimelineLine,
  toDuration,
  toEventLines,
  toRunTimeline,
  toSessionTimeline,
} from "../../engine/audit/shown-events.ts";
import { KeyholeError } from "../../errors.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toExcerpt, toVisibleText } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { shorten } from "../format.ts";
import type { Output } from "../output.ts";

/** Of one run or session; what is more is in an export. */
const MAX_EVENTS = 5_000;
const MAX_LINE = 2_000;
const STYLES = { title: "bold", good: "green", bad: "red", warn: "yellow", quiet: "dim" } as const;

type Found = {
  readonly kind: "run" | "session" | "event";
  readonly events: readonly LoggedEvent[];
  readonly isCut: boolean;
};

/** A run, a session or an event by its id, or an event by its number. */
export async function show(context: CommandContext, audit: ProjectAudit, subject: string): Promise<number> {
  const { output, projectDir } = context;
  const { kind, events, isCut } = await find(audit, subject, projectDir);
  const [first] = events;
  if (output.json) {
    output.printJson(kind === "event" ? { event: first } : { [kind]: subject, events });
    return 0;
  }
  for (const line of toTimeline(kind, events)) output.print(toShownLine(line, output));
  const command = createKeyholeCommand(projectDir);
  if (isCut)
    output.note(
      `Only its first ${MAX_EVENTS} events: ${command(`audit export --${kind} ${toExcerpt(subject, 80)}`)} has all`,
    );
  if (kind === "event" && first !== undefined) {
    output.print();
    if (first.run !== undefined)
      output.note(`${command(`audit show ${toExcerpt(first.run, 80)}`)} shows all of its run`);
    output.note(`${command(`audit prove ${toExcerpt(first.id, 80)}`)} proves that it is in the log`);
  }
  return 0;
}

function toTimeline(kind: Found["kind"], events: readonly LoggedEvent[]): TimelineLine[] {
  if (kind === "run") return toRunTimeline(events);
  return kind === "session" ? toSessionTimeline(events) : events.flatMap(toEventLines);
}

async function find({ reader }: ProjectAudit, subject: string, projectDir: string): Promise<Found> {
  const number = /^#?(\d{1,15})$/.exec(subject)?.[1];
  if (number !== undefined) {
    const at = Number(number);
    const { events } = await reader.find({}, { after: at + 1, until: at, limit: 1, order: "newest" });
    if (events.length > 0) return { kind: "event", events, isCut: false };
  }
  for (const kind of ["run", "event", "session"] as const) {
    const filter = kind === "event" ? { id: subject } : { [kind]: subject };
    const { events, next } = await reader.find(filter, { limit: MAX_EVENTS, order: "oldest" });
    if (events.length > 0) return { kind, events, isCut: next !== undefined };
  }
  throw new KeyholeError(
    "usage",
    `There is no run, session or event "${toExcerpt(subject, 60)}" in the log`,
    {
      hint: `${createKeyholeCommand(projectDir)("audit list")} shows what there is, with numbers`,
    },
  );
}

/** All of it is foreign text: nothing in it gives orders to a terminal, or looks like a line of ours. */
function toShownLine({ depth, text, tone, afterMs }: TimelineLine, { columns, style }: Output): string {
  const time = afterMs === undefined ? "" : `${`+${toDuration(afterMs)}`.padEnd(9)} `;
  const indent = "  ".repeat(depth);
  const safe = toVisibleText(text.slice(0, MAX_LINE).replace(/[\n\t]/g, " "));
  const line = shorten(safe, Math.max(20, columns - indent.length - time.length));
  return `${indent}${style("dim", time)}${tone === undefined ? line : style(STYLES[tone], line)}`;
}
