import { type LoggedEvent, type ProjectAudit, parseFilter } from "../../engine/audit/audit-of-project.ts";
import { toEventSummary, toLocalTime } from "../../engine/audit/shown-events.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count, shorten } from "../format.ts";
import type { Output } from "../output.ts";
import { tellNothing, tellOff } from "./nothing-yet.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
/** With so many columns there is room for the run, too. */
const WIDE = 120;

export async function list(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { output, options } = context;
  const filter = parseFilter(options);
  const page = toPage(options);
  const { events, next } = await readPage(audit, filter, page);
  if (output.json) {
    output.printJson({ events, ...(next !== undefined && { next }) });
    return 0;
  }
  if (audit.log === undefined) {
    tellNothing(context, audit);
    return 0;
  }
  if (events.length === 0) output.print("No event is like that");
  for (const line of toLines(events, output)) output.print(line);
  if (!audit.isOn) tellOff(context);
  tellMore(context, events, next);
  return 0;
}

type Page = {
  readonly limit: number;
  readonly after?: number;
  readonly number: number;
  readonly order: "newest" | "oldest";
};

function toPage(options: Readonly<Record<string, unknown>>): Page {
  const { limit, after, page, oldestFirst } = options;
  const wanted = typeof limit === "number" ? limit : DEFAULT_LIMIT;
  if (wanted > MAX_LIMIT)
    throw new KeyholeError("usage", `--limit can't be more than ${MAX_LIMIT}`, {
      hint: "keyhole audit export writes any number of events to a file",
    });
  if (after !== undefined && page !== undefined)
    throw new KeyholeError("usage", "--after and --page can't be given together", { hint: "Leave out one" });
  return {
    limit: wanted,
    number: typeof page === "number" ? page : 1,
    order: oldestFirst === true ? "oldest" : "newest",
    ...(typeof after === "number" && { after }),
  };
}

async function readPage({ reader }: ProjectAudit, filter: Parameters<typeof reader.find>[0], page: Page) {
  let after = page.after;
  for (let number = 1; ; number++) {
    const { limit, order } = page;
    const found = await reader.find(filter, { limit, order, ...(after !== undefined && { after }) });
    if (number === page.number) return found;
    if (found.next === undefined) return { events: [], next: undefined };
    after = found.next;
  }
}

const STYLES = {
  ok: "green",
  failed: "red",
  denied: "red",
  asked: "yellow",
  waiting: "yellow",
  cancelled: "yellow",
} as const;

/** One line each: number, time, how it came out, who, what. Whoever is the only one there is not named. */
function toLines(events: readonly LoggedEvent[], { columns, style }: Output): string[] {
  const names = events.map(({ principal }) => toExcerpt(principal ?? "", 16));
  const isNamed = names.some((name) => name !== "" && name !== LOCAL_PRINCIPAL);
  const width = isNamed ? Math.max(...names.map((name) => name.length)) : 0;
  const digits = Math.max(...events.map(({ sequence }) => String(sequence).length));
  const outcomes = Math.max(...events.map(({ outcome }) => outcome.length));
  const thisYear = new Date().getFullYear();
  return events.map((event, index) => {
    const time = toLocalTime(event.at);
    const head = [
      String(event.sequence).padStart(digits),
      new Date(event.at).getFullYear() === thisYear ? time.slice(5) : time.slice(0, 16),
    ].join("  ");
    const who = isNamed ? `${(names[index] ?? "").padEnd(width)}  ` : "";
    const run = columns >= WIDE && event.run !== undefined ? `  ${toExcerpt(event.run, 40)}` : "";
    const used = head.length + outcomes + who.length + run.length + 4;
    const what = shorten(toExcerpt(toEventSummary(event), 300), Math.max(20, columns - used));
    const outcome = style(STYLES[event.outcome], event.outcome.padEnd(outcomes));
    return `${style("dim", head)}  ${outcome}  ${who}${what}${run && style("dim", run)}`;
  });
}

function tellMore(
  { output, projectDir, options }: CommandContext,
  events: readonly LoggedEvent[],
  next?: number,
): void {
  const [first] = events;
  if (first === undefined) return;
  const command = createKeyholeCommand(projectDir);
  output.note(`${command(`audit show ${first.sequence}`)} tells all of it`);
  const way = options["oldestFirst"] === true ? "later" : "earlier";
  if (next !== undefined)
    output.note(`${count(events.length, "event")}; there are ${way} ones: add --after ${next}`);
}
