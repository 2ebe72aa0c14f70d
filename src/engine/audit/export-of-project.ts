import { loadFormat, toExportFormat } from "../../audit/export/format.ts";
import type { LogFilter } from "../../audit/query/filter.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

export type EventExport = {
  /** In pieces, the oldest event first; so many of them as it takes, never all at once. */
  readonly pieces: AsyncIterable<string>;
  /** Of those that were handed out. */
  count(): number;
  /** That they were exported is an event, too: it stands in the log when this resolves. */
  tell(): Promise<void>;
};

/** What is in a log for somebody else. */
export async function createExport(
  audit: Pick<ProjectAudit, "reader" | "tell">,
  written: string,
  filter: LogFilter,
): Promise<EventExport> {
  const name = toExportFormat(written);
  const { start, line } = await loadFormat(name);
  let count = 0;
  async function* pieces() {
    if (start !== undefined) yield start();
    for await (const events of audit.reader.scan(filter)) {
      yield events.map(line).join("");
      count += events.length;
    }
  }
  // By what was asked is told, not for what: a text that somebody looks for may be personal.
  const by = Object.keys(filter).join(", ");
  return {
    pieces: pieces(),
    count: () => count,
    tell: () =>
      audit.tell({
        action: "audit.exported",
        principal: LOCAL_PRINCIPAL,
        outcome: "ok",
        details: { what: by === "" ? name : `${name} by ${by}`, count },
      }),
  };
}
