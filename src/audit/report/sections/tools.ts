import { toExcerpt } from "../../../text/plain-text.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { toRestLine } from "../count/rest-line.ts";
import { createTopTable } from "../count/top-table.ts";
import { createTally, type Tally, tallyEvent, toEventCount } from "../figure.ts";
import type { ReportChart, ReportTable } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { isMadeCall, MADE_CALLS, MADE_NOT_OK } from "../what-counts.ts";
import { markAbout } from "./actors.ts";

const SHOWN_SERVERS = 20;
const SHOWN_TOOLS = 30;
const CHARTED = 10;

type Used = {
  readonly calls: Tally;
  readonly writes: Tally;
  readonly failed: Tally;
  readonly denied: Tally;
};

/** Which servers and tools were used. */
export function createToolsSection({ within }: CountingScope): SectionCounter {
  const create = (): Used => ({
    calls: createTally(),
    writes: createTally(),
    failed: createTally(),
    denied: createTally(),
  });
  const weigh = ({ calls, denied }: Used) => calls.count + denied.count;
  const servers = createTopTable(create, weigh);
  const tools = createTopTable(create, weigh);
  let total = 0;

  const toTable = (kind: "server" | "tool"): ReportTable => {
    const table = kind === "server" ? servers : tools;
    const shown = table.top(kind === "server" ? SHOWN_SERVERS : SHOWN_TOOLS);
    const sum = shown.reduce((before, { value }) => before + weigh(value), 0);
    const rest = toRestLine(table, shown.length, { what: `${kind}s`, missing: total - sum });
    return {
      title: kind === "server" ? "By server" : "By tool",
      columns: [
        { name: kind === "server" ? "Server" : "Server and tool", kind: "text" },
        { name: "Calls", kind: "number" },
        { name: "Writes", kind: "number" },
        { name: "Not ok", kind: "number" },
        { name: "Denied", kind: "number" },
      ],
      rows: shown.map(({ name, value, isAbout }) => {
        const [server, tool] = fromPairKey(name);
        const which = { server, ...(kind === "tool" && { tool }) };
        const made = { ...MADE_CALLS, ...which };
        return {
          cells: [
            kind === "tool" ? `${toExcerpt(server, 40)} · ${toExcerpt(tool, 60)}` : toExcerpt(server, 80),
            markAbout(toEventCount(value.calls, within(made)), isAbout),
            markAbout(
              toEventCount(
                value.writes,
                within({ ...made, where: [...made.where, { field: "details.isWrite", is: "true" }] }),
              ),
              isAbout,
            ),
            markAbout(toEventCount(value.failed, within({ ...made, outcomes: MADE_NOT_OK })), isAbout),
            markAbout(toEventCount(value.denied, within({ ...which, actions: ["call.denied"] })), isAbout),
          ],
        };
      }),
      ...(rest !== undefined && { rest }),
      empty: "No call was made.",
    };
  };

  const chart = (): ReportChart => ({
    title: "Calls by server",
    kind: "bars",
    parts: [
      { name: "made", tone: "plain" },
      { name: "denied", tone: "bad" },
    ],
    bars: servers.top(CHARTED).map(({ name, value }) => ({
      label: toExcerpt(fromPairKey(name)[0], 24),
      values: [value.calls.count, value.denied.count],
    })),
  });

  return {
    add(event) {
      if (event.action !== "call.denied" && !isMadeCall(event)) return;
      if (!event.server) return;
      total++;
      for (const used of [
        servers.take(toPairKey(event.server, undefined)),
        tools.take(toPairKey(event.server, event.tool)),
      ]) {
        if (event.action === "call.denied") tallyEvent(used.denied, event.id);
        else {
          tallyEvent(used.calls, event.id);
          if (event.action === "call.ended" && event.details?.isWrite === true)
            tallyEvent(used.writes, event.id);
          if (event.outcome !== "ok") tallyEvent(used.failed, event.id);
        }
      }
    },
    finish: () => ({
      figures: {},
      section: {
        id: "tools",
        title: "Servers and tools",
        about:
          "Calls that were made, from call.ended, and denied ones, from call.denied; one that only waits for a person is neither. A write is a call of a tool that may change something, by its name and its server's word.",
        charts: [chart()],
        tables: [toTable("server"), toTable("tool")],
        notes: [],
      },
    }),
  };
}
