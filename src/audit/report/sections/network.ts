import { createNamedTable } from "../count/named-table.ts";
import { createTally, tallyEvent, toAmount, toEventCount, toSum } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

/** Where programs' bytes went, and which commands they ran. */
export function createNetworkSection({ within }: CountingScope): SectionCounter {
  const made = createTally();
  const failed = createTally();
  const all = createTally();
  const plain = createTally();
  const refused = createTally();
  const hosts = createNamedTable({
    title: "Connections made, by host",
    column: "Host",
    plural: "hosts",
    counted: "Connections",
    sums: [
      { name: "Sent", unit: "bytes" },
      { name: "Received", unit: "bytes" },
    ],
    filterOf: (is) =>
      within({ actions: ["egress.connected"], outcomes: ["ok"], where: [{ field: "details.host", is }] }),
    empty: "No program connected to anything itself.",
    shown: 20,
  });
  const unreached = createNamedTable({
    title: "Connections tried, and not reached or broken off, by host",
    column: "Host",
    plural: "hosts",
    counted: "Times",
    filterOf: (is) =>
      within({ actions: ["egress.connected"], outcomes: ["failed"], where: [{ field: "details.host", is }] }),
    empty: "No connection failed.",
    shown: 20,
  });
  const refusals = createNamedTable({
    title: "Connections refused, by host",
    column: "Host",
    plural: "hosts",
    counted: "Refused",
    filterOf: (is) => within({ actions: ["egress.refused"], where: [{ field: "details.host", is }] }),
    empty: "No connection was refused.",
    shown: 20,
  });
  const commands = createNamedTable({
    title: "Commands run",
    column: "Command",
    plural: "commands",
    counted: "Times",
    filterOf: (is) => within({ actions: ["command.ended"], where: [{ field: "details.command", is }] }),
    empty: "No command was run.",
  });
  const denied = createNamedTable({
    title: "Commands denied",
    column: "Command",
    plural: "commands",
    counted: "Times",
    filterOf: (is) => within({ actions: ["command.denied"], where: [{ field: "details.command", is }] }),
    empty: "No command was denied.",
  });

  return {
    add(event) {
      const { id } = event;
      if (event.action === "egress.connected") {
        const sent = toAmount(event.details?.sentBytes);
        const { host, port, sentBytes, receivedBytes } = event.details ?? {};
        tallyEvent(all, id, sent);
        // To where nothing was sent, nothing went in the clear.
        if ((port ?? 443) !== 443 && (sentBytes ?? 0) !== 0) tallyEvent(plain, id);
        if (event.outcome === "ok") {
          tallyEvent(made, id);
          hosts.add(String(host ?? ""), id, [sent, toAmount(receivedBytes)]);
        } else if (event.outcome === "failed") {
          tallyEvent(failed, id);
          unreached.add(String(host ?? ""), id);
        }
      } else if (event.action === "egress.refused") {
        tallyEvent(refused, id);
        refusals.add(String(event.details?.host ?? ""), id);
      } else if (event.action === "command.ended") commands.add(String(event.details?.command ?? ""), id);
      else if (event.action === "command.denied") denied.add(String(event.details?.command ?? ""), id);
    },
    finish() {
      const connected = within({ actions: ["egress.connected"] });
      const figures = {
        egress: toEventCount(made, within({ actions: ["egress.connected"], outcomes: ["ok"] })),
        egressFailed: toEventCount(failed, within({ actions: ["egress.connected"], outcomes: ["failed"] })),
        egressRefused: toEventCount(refused, within({ actions: ["egress.refused"] })),
        egressPlain: toEventCount(
          plain,
          within({
            actions: ["egress.connected"],
            where: [
              { field: "details.port", isNot: "443" },
              { field: "details.sentBytes", isNot: "0" },
            ],
          }),
        ),
      };
      return {
        figures,
        section: {
          id: "network",
          title: "Network and commands",
          about:
            "Connections that programs made themselves (egress.connected: made where its outcome is ok, tried where it failed; egress.refused) and commands (command.ended, command.denied). What MCP servers do on their own network is not seen here.",
          charts: [],
          tables: [
            {
              title: "Connections",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["Made", figures.egress] },
                { cells: ["Tried, and not reached or broken off", figures.egressFailed] },
                { cells: ["Refused", figures.egressRefused] },
                { cells: ["Bytes sent", toSum(all, "bytes", connected)] },
              ],
              empty: "",
            },
            hosts.table(),
            unreached.table(),
            refusals.table(),
            commands.table(),
            denied.table(),
          ],
          notes: [],
        },
      };
    },
  };
}
