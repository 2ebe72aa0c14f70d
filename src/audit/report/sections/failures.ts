import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { createNamedTable } from "../count/named-table.ts";
import { createTally, tallyEvent, toEventCount } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

/** What was tried and went wrong. */
export function createFailuresSection({ within }: CountingScope): SectionCounter {
  const failedRuns = createTally();
  const failedCalls = createTally();
  const runs = { actions: ["run.ended"], outcomes: ["failed"] } as const;
  const calls = { actions: ["call.ended"], outcomes: ["failed"] } as const;
  const kinds = createNamedTable({
    title: "Programs that failed, by kind",
    column: "Kind",
    plural: "kinds",
    filterOf: (kind) =>
      within({ ...runs, where: [{ field: "details.kind", is: kind === "" ? null : kind }] }),
    labelOf: (kind) => (kind === "" ? "no kind named" : kind),
    empty: "No program failed.",
  });
  const tools = createNamedTable({
    title: "Calls that failed, by tool",
    column: "Server and tool",
    plural: "tools",
    filterOf: (name) => {
      const [server, tool] = fromPairKey(name);
      return within({ server, tool, ...calls });
    },
    labelOf: (name) => fromPairKey(name).join(" · "),
    empty: "No call failed.",
  });
  return {
    add(event) {
      if (event.outcome !== "failed") return;
      if (event.action === "run.ended") {
        tallyEvent(failedRuns, event.id);
        kinds.add(String(event.details?.kind ?? ""), event.id);
      } else if (event.action === "call.ended") {
        tallyEvent(failedCalls, event.id);
        tools.add(toPairKey(event.server, event.tool), event.id);
      }
    },
    finish: () => ({
      figures: {
        failedRuns: toEventCount(failedRuns, within(runs)),
        failedCalls: toEventCount(failedCalls, within(calls)),
      },
      section: {
        id: "failures",
        title: "Failures",
        about: "Programs (run.ended) and calls (call.ended) whose outcome is failed.",
        charts: [],
        tables: [kinds.table(), tools.table()],
        notes: [],
      },
    }),
  };
}
