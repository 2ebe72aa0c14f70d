import { toExcerpt } from "../../../text/plain-text.ts";
import { toRestLine } from "../count/rest-line.ts";
import { createTopTable } from "../count/top-table.ts";
import { createTally, type Tally, tallyEvent, toEventCount } from "../figure.ts";
import type { ReportTable } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { isMadeCall, isProgram, MADE_CALLS, PROGRAMS } from "../what-counts.ts";

const SHOWN = 20;
const LOCAL = "local";

type Actor = { readonly runs: Tally; readonly calls: Tally; readonly denied: Tally };

/** Who acted, and through what. */
export function createActorsSection({ within }: CountingScope): SectionCounter {
  const create = (): Actor => ({ runs: createTally(), calls: createTally(), denied: createTally() });
  const weigh = ({ runs, calls, denied }: Actor) => runs.count + calls.count + denied.count;
  const principals = createTopTable(create, weigh);
  const clients = createTopTable(create, weigh);
  const refused = createTally();
  const unnamed = createTally();
  const local = createTally();
  const total = { principals: 0, clients: 0 };

  const toTable = (kind: "principal" | "client", title: string): ReportTable => {
    const table = kind === "principal" ? principals : clients;
    const shown = table.top(SHOWN);
    const rest = toRestLine(table, shown.length, {
      what: `${kind}s`,
      missing: total[`${kind}s`] - shown.reduce((sum, { value }) => sum + weigh(value), 0),
    });
    return {
      title,
      columns: [
        { name: title, kind: "text" },
        { name: "Programs", kind: "number" },
        { name: "Calls", kind: "number" },
        { name: "Denied", kind: "number" },
      ],
      rows: shown.map(({ name, value, isAbout }) => ({
        cells: [
          toExcerpt(name, 80),
          markAbout(toEventCount(value.runs, within({ ...PROGRAMS, [kind]: name })), isAbout),
          markAbout(toEventCount(value.calls, within({ ...MADE_CALLS, [kind]: name })), isAbout),
          markAbout(toEventCount(value.denied, within({ [kind]: name, actions: ["call.denied"] })), isAbout),
        ],
      })),
      ...(rest !== undefined && { rest }),
      empty: `No event names a ${kind}.`,
    };
  };

  return {
    add(event) {
      const { action, id, principal, client } = event;
      if (action === "login.refused") tallyEvent(refused, id);
      const part = isProgram(event)
        ? "runs"
        : isMadeCall(event)
          ? "calls"
          : action === "call.denied"
            ? "denied"
            : undefined;
      if (part === undefined) return;
      if (part === "runs" && !principal) tallyEvent(unnamed, id);
      if (part === "runs" && principal === LOCAL) tallyEvent(local, id);
      if (principal) {
        total.principals++;
        tallyEvent(principals.take(principal)[part], id);
      }
      if (client?.name) {
        total.clients++;
        tallyEvent(clients.take(client.name)[part], id);
      }
    },
    finish() {
      const refusedLogins = toEventCount(refused, within({ actions: ["login.refused"] }));
      return {
        figures: {
          refusedLogins,
          unnamedRuns: toEventCount(
            unnamed,
            within({ ...PROGRAMS, where: [...PROGRAMS.where, { field: "principal", is: null }] }),
          ),
          localRuns: toEventCount(local, within({ ...PROGRAMS, principal: LOCAL })),
        },
        section: {
          id: "actors",
          title: "Who acted",
          about:
            "A principal is the identity under which a client was let in; local is whoever uses this machine's own account. Programs from run.started, calls that were made from call.ended, denied ones from call.denied; refused logins from login.refused.",
          charts: [],
          tables: [
            toTable("principal", "Principal"),
            toTable("client", "Client"),
            {
              title: "Logins",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [{ cells: ["Logins refused", refusedLogins] }],
              empty: "",
            },
          ],
          notes: [],
        },
      };
    },
  };
}

export function markAbout<F extends object>(figure: F, isAbout: boolean): F {
  return isAbout ? { ...figure, isAbout: true } : figure;
}
