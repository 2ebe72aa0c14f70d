import { toExcerpt } from "../../../text/plain-text.ts";
import { toTrusted } from "../../query/summary.ts";
import type { LoggedEvent } from "../../reader.ts";
import { createLatest } from "../count/latest.ts";
import { createTally, type Tally, tallyEvent, toEventCount } from "../figure.ts";
import { formatCount } from "../format-figure.ts";
import type { ReportCell, ReportTable } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

const SHOWN = 25;

/** What changed beside policy and config: trust, tools' definitions, skills. */
export function createChangesSection({ within }: CountingScope): SectionCounter {
  const trust = createChanges("Trust given and revoked", "Nothing was trusted or revoked.");
  const tools = createChanges("Tool definitions", "No tool's definition changed.");
  const skills = createChanges("Skills", "No skill changed.");
  return {
    add(event) {
      if (event.action === "trust.given" || event.action === "trust.revoked") {
        const { content, channel, person } = event.details ?? {};
        const what = event.action === "trust.given" ? "given to" : "taken from";
        const who = toExcerpt(event.principal ?? person ?? "", 40);
        const way = channel === undefined ? "" : ` through ${toExcerpt(String(channel), 30)}`;
        const change = `${what} ${toExcerpt(toTrusted(event), 70)}${way}`;
        trust.add(event, [{ at: event.at }, who, change, hashOf(content)]);
      } else if (event.action === "tool.changed") {
        const { change, definition, previous, tools: count } = event.details ?? {};
        const what =
          event.tool === undefined
            ? count === undefined
              ? "tools"
              : `${formatCount(Number(count))}${change === "listed" ? "" : " more"} tools`
            : toExcerpt(event.tool, 60);
        const name = `${toExcerpt(event.server ?? "", 40)} · ${what}`;
        tools.add(event, [
          ...headOf(event),
          `${toExcerpt(String(change ?? "unknown"), 20)}: ${name}`,
          hashOf(definition ?? previous),
        ]);
      } else if (event.action === "skill.changed") {
        const { skill, change, hash } = event.details ?? {};
        const what = `${toExcerpt(String(change ?? "unknown"), 20)}: ${toExcerpt(String(skill ?? "unknown"), 60)}`;
        skills.add(event, [...headOf(event), what, hashOf(hash)]);
      }
    },
    finish() {
      const figures = {
        trustChanges: toEventCount(trust.tally, within({ actions: ["trust.given", "trust.revoked"] })),
        toolChanges: toEventCount(tools.tally, within({ actions: ["tool.changed"] })),
        skillChanges: toEventCount(skills.tally, within({ actions: ["skill.changed"] })),
      };
      return {
        figures,
        section: {
          id: "changes",
          title: "Changes",
          about: "From trust.given, trust.revoked, tool.changed and skill.changed.",
          charts: [],
          tables: [
            {
              title: "How many",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["Trust given or revoked", figures.trustChanges] },
                { cells: ["Changes of tool definitions", figures.toolChanges] },
                { cells: ["Changes of skills", figures.skillChanges] },
              ],
              empty: "",
            },
            trust.table(),
            tools.table(),
            skills.table(),
          ],
          notes: [],
        },
      };
    },
  };
}

function createChanges(title: string, empty: string) {
  const tally: Tally = createTally();
  const latest = createLatest<readonly ReportCell[]>(SHOWN);
  return {
    tally,
    add(event: LoggedEvent, cells: readonly ReportCell[]) {
      tallyEvent(tally, event.id);
      latest.add([...cells, { event: event.id }]);
    },
    table(): ReportTable {
      const shown = latest.list();
      const more = latest.count - shown.length;
      return {
        title,
        columns: ["Time (UTC)", "Who", "Change", "Content", "Event"].map((name) => ({
          name,
          kind: "text" as const,
        })),
        rows: shown.map((cells) => ({ cells })),
        ...(more > 0 && { rest: `and ${formatCount(more)} earlier ones` }),
        empty,
      };
    },
  };
}

function headOf({ at, principal = "" }: LoggedEvent): ReportCell[] {
  return [{ at }, toExcerpt(principal, 40)];
}

function hashOf(value: unknown): ReportCell {
  return typeof value === "string" ? { hash: toExcerpt(value, 80) } : "";
}
