import { createOpenRuns } from "../../metering/open-runs.ts";
import type { LoggedEvent } from "../../reader.ts";
import { createDistinctCounter, type DistinctCounter } from "../count/distinct.ts";
import { createTally, type Figure, type Tally, tallyEvent, toEventCount, toTrace } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { isMadeCall, isProgram, MADE_CALLS, PROGRAMS } from "../what-counts.ts";
import { createTimeline } from "./timeline.ts";

/** How much was done, by whom, and when. */
export function createActivitySection(scope: CountingScope): SectionCounter {
  const { within } = scope;
  const events = createTally();
  const runs = createTally();
  const wentOn = createTally();
  const open = createOpenRuns();
  const edges = createTally();
  const calls = createTally();
  const waiting = createTally();
  const replayed = createTally();
  const commands = createTally();
  const starts = createTally();
  const inSession = { tally: createTally(), names: createDistinctCounter() };
  const byPrincipal = { tally: createTally(), names: createDistinctCounter() };
  const byClient = { tally: createTally(), names: createDistinctCounter() };
  const timeline = createTimeline(scope);

  const add = (event: LoggedEvent) => {
    tallyEvent(events, event.id);
    timeline.add(event);
    open.see(event);
    if (event.action === "run.started" || event.action === "run.ended") tallyEvent(edges, event.id);
    note(inSession, event.session, event.id);
    note(byPrincipal, event.principal, event.id);
    note(byClient, event.client?.name, event.id);
    if (event.action === "run.started") tallyEvent(isProgram(event) ? runs : wentOn, event.id);
    else if (event.action === "call.ended") {
      if (isMadeCall(event)) tallyEvent(calls, event.id);
      if (event.details?.isReplayed === true) tallyEvent(replayed, event.id);
      if (event.outcome === "waiting") tallyEvent(waiting, event.id);
    } else if (event.action === "command.ended") tallyEvent(commands, event.id);
    else if (event.action === "keyhole.started") tallyEvent(starts, event.id);
  };

  return {
    add,
    finish() {
      const figures = {
        events: toEventCount(events, within({})),
        runs: toEventCount(runs, within(PROGRAMS)),
        calls: toEventCount(calls, within(MADE_CALLS)),
        commands: toEventCount(commands, within({ actions: ["command.ended"] })),
        sessions: toDistinct(inSession, within({ where: [{ field: "session" }] })),
        principals: toDistinct(byPrincipal, within({ where: [{ field: "principal" }] })),
        clients: toDistinct(byClient, within({ where: [{ field: "client.name" }] })),
      };
      const onRecord = toEventCount(
        replayed,
        within({ actions: ["call.ended"], where: [{ field: "details.isReplayed", is: "true" }] }),
      );
      return {
        figures,
        section: {
          id: "activity",
          title: "Activity",
          about:
            "Programs are counted by run.started: one that waited for a person and went on is one program. Calls are those that were made, by call.ended; commands by command.ended. Sessions, principals and clients are those named by any event of the period.",
          charts: [timeline.chart()],
          tables: [
            {
              title: "Totals",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["Events", figures.events] },
                { cells: ["Programs run", figures.runs] },
                {
                  cells: [
                    "times that one of them went on after it had waited",
                    toEventCount(
                      wentOn,
                      within({ actions: ["run.started"], where: [{ field: "details.resumes" }] }),
                    ),
                  ],
                },
                {
                  cells: [
                    "of them without an end in the period: under way, or killed",
                    {
                      value: open.count,
                      unit: "distinct",
                      events: toTrace(edges, within({ actions: ["run.started", "run.ended"] })),
                    },
                  ],
                },
                { cells: ["Calls of tools", figures.calls] },
                { cells: ["not among them: answered from a run's record, not made again", onRecord] },
                {
                  cells: [
                    "not among them: asked for, and left waiting for a person",
                    toEventCount(waiting, within({ actions: ["call.ended"], outcomes: ["waiting"] })),
                  ],
                },
                { cells: ["Commands run", figures.commands] },
                { cells: ["Sessions", figures.sessions] },
                { cells: ["Principals", figures.principals] },
                { cells: ["Clients", figures.clients] },
                {
                  cells: [
                    "Starts of Keyhole",
                    toEventCount(starts, within({ actions: ["keyhole.started"] })),
                  ],
                },
              ],
              empty: "Nothing was counted.",
            },
            timeline.table(),
          ],
          notes: [],
        },
      };
    },
  };
}

type Named = { readonly tally: Tally; readonly names: DistinctCounter };

function note({ tally, names }: Named, name: string | undefined, id: string): void {
  if (name === undefined || name === null) return;
  tallyEvent(tally, id);
  names.add(name);
}

function toDistinct({ tally, names }: Named, filter: Figure["events"]["filter"]): Figure {
  return {
    value: names.value,
    unit: "distinct",
    ...(names.isAbout && { isAbout: true }),
    events: toTrace(tally, filter),
  };
}
