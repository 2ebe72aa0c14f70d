import { toListCommand } from "../list-command.ts";
import { type ReportDocument, SUPPORTS_NOTE } from "../report-document.ts";

/** The whole of it: each figure with its events, each trace with its command. */
export function toReportJson(document: ReportDocument): Readonly<Record<string, unknown>> {
  const { traces, ...rest } = document;
  return {
    about: SUPPORTS_NOTE,
    ...rest,
    traces: traces.map(({ id, what, figures }) => ({
      id,
      what,
      figures: figures.map(({ name, figure }) => ({
        name,
        figure,
        command: toListCommand(figure.events.filter),
      })),
    })),
  };
}
