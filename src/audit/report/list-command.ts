import { quoteWord } from "../../text/quote-word.ts";
import type { LogFilter } from "../query/filter.ts";
import { toWhereText } from "../query/where.ts";
import type { ReportPeriod } from "./report-document.ts";

/** The command that gives all events of a filter. The report's own period is left out where it is said once for all. */
export function toListCommand(filter: LogFilter, period?: ReportPeriod): string {
  const words: string[] = [];
  const say = (option: string, value: string | undefined) => {
    if (value !== undefined) words.push(`--${option}`, quoteWord(value, "linux"));
  };
  if (filter.from !== undefined && filter.from !== period?.from) say("from", toMoment(filter.from));
  if (filter.to !== undefined && filter.to !== period?.to) say("to", toMoment(filter.to));
  say("session", filter.session);
  say("principal", filter.principal);
  say("client", filter.client);
  say("run", filter.run);
  say("server", filter.server);
  say("tool", filter.tool);
  say("risk", filter.risk);
  say("outcome", filter.outcomes?.join(","));
  say("action", filter.actions?.join(","));
  for (const condition of filter.where ?? []) say("where", toWhereText(condition));
  say("text", filter.text);
  return ["keyhole audit list", ...words].join(" ");
}

export function toMoment(at: number): string {
  return new Date(at).toISOString().replace(/(?::00)?\.000Z$/, "Z");
}
