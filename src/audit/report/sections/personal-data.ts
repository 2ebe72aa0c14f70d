import { toPiiClass } from "../../../pii-classes.ts";
import { isRecord } from "../../../text/is-record.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { isSealed, toDetailReader } from "../../query/details.ts";
import type { LogFilter } from "../../query/filter.ts";
import type { LoggedEvent } from "../../reader.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { toRestLine } from "../count/rest-line.ts";
import { createTopTable } from "../count/top-table.ts";
import { createTally, type Tally, tallyEvent, toAmount, toSum, toTrace } from "../figure.ts";
import type { ReportTable } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { markAbout } from "./actors.ts";

const KINDS = [
  ["pii.found", "Found and hidden"],
  ["pii.revealed", "Given away"],
  ["pii.shown", "Looked at by a person"],
  ["pii.forgotten", "Erased"],
] as const;
type Kind = (typeof KINDS)[number][0];
const SHOWN = 30;

/** Which classes of personal data passed, and who was given values; the log never has the values themselves. */
export function createPersonalDataSection({ within }: CountingScope): SectionCounter {
  const totals = new Map<string, Tally>(KINDS.map(([kind]) => [kind, createTally()]));
  const byClass = new Map<string, Map<string, Tally>>();
  const recipients = createTopTable(
    () => ({ all: createTally(), classes: new Map<string, Tally>() }),
    ({ all }) => all.count,
  );

  const toRecipients = (): ReportTable => {
    const shown = recipients.top(SHOWN);
    const total = totals.get("pii.revealed")?.count ?? 0;
    const missing = total - shown.reduce((sum, { value }) => sum + value.all.count, 0);
    const rest = toRestLine(recipients, shown.length, { what: "recipients", missing });
    return {
      title: "Recipients: who was given values",
      columns: [
        { name: "Server, command or host", kind: "text" },
        { name: "Values", kind: "number" },
        { name: "Classes", kind: "text" },
      ],
      rows: shown.map(({ name, value, isAbout }) => ({
        cells: [
          toRecipientName(name),
          markAbout(toSum(value.all, "values", within(toRecipientFilter(name))), isAbout),
          [...value.classes]
            .sort(([, a], [, b]) => b.sum - a.sum)
            .map(([kind, { sum }]) => `${kind} (${sum})`)
            .join(", "),
        ],
      })),
      ...(rest !== undefined && { rest }),
      empty: "No server, command or host was given a value.",
      from: ["pii.revealed"],
    };
  };

  return {
    add(event) {
      const total = totals.get(event.action);
      if (total === undefined) return;
      // How many it were is not known; that it happened is.
      if (isSealed(event)) return tallyEvent(total, event.id, 0);
      const classes = (event.details as { classes?: unknown } | undefined)?.classes;
      if (!isRecord(classes)) return;
      const known = Object.entries(classes).filter(([name]) => toPiiClass(name) !== undefined);
      tallyEvent(
        total,
        event.id,
        known.reduce((sum, [, amount]) => sum + toAmount(amount), 0),
      );
      const recipient = event.action === "pii.revealed" ? recipients.take(keyOf(event)) : undefined;
      for (const [name, amount] of known) {
        tallyEvent(
          taken(
            taken(byClass, name, () => new Map<string, Tally>()),
            event.action,
            createTally,
          ),
          event.id,
          toAmount(amount),
        );
        if (recipient) tallyEvent(taken(recipient.classes, name, createTally), event.id, toAmount(amount));
      }
      if (recipient)
        tallyEvent(
          recipient.all,
          event.id,
          known.reduce((sum, [, amount]) => sum + toAmount(amount), 0),
        );
    },
    finish() {
      const sumOf = (kind: Kind) =>
        toSum(totals.get(kind) ?? createTally(), "values", within({ actions: [kind] }));
      const revealed = totals.get("pii.revealed") ?? createTally();
      const classes = [...byClass].sort(([, a], [, b]) => weigh(b) - weigh(a));
      return {
        figures: {
          piiFound: sumOf("pii.found"),
          piiRevealed: sumOf("pii.revealed"),
          piiShown: sumOf("pii.shown"),
          piiForgotten: sumOf("pii.forgotten"),
          piiRecipients: {
            value: recipients.size,
            unit: "distinct",
            ...(recipients.isFull && { isAbout: true }),
            events: toTrace(revealed, within({ actions: ["pii.revealed"] })),
          },
        },
        section: {
          id: "personal-data",
          title: "Personal data",
          about:
            "Values, by class, from pii.found, pii.revealed, pii.shown and pii.forgotten. A value that passes twice is counted twice. A token in place of a value is a pseudonym: it stays personal data.",
          charts: [
            {
              title: "Values by class",
              kind: "bars",
              parts: [
                { name: "found and hidden", tone: "good" },
                { name: "given away", tone: "warning" },
              ],
              bars: classes.slice(0, 12).map(([label, tallies]) => ({
                label,
                values: [tallies.get("pii.found")?.sum ?? 0, tallies.get("pii.revealed")?.sum ?? 0],
              })),
            },
          ],
          tables: [
            {
              title: "By class",
              columns: [
                { name: "Class", kind: "text" },
                ...KINDS.map(([, name]) => ({ name, kind: "number" as const })),
              ],
              rows: classes.map(([name, tallies]) => ({
                cells: [
                  name,
                  ...KINDS.map(([kind]) =>
                    toSum(
                      tallies.get(kind) ?? createTally(),
                      "values",
                      within({ actions: [kind], where: [{ field: `details.classes.${name}` }] }),
                    ),
                  ),
                ],
              })),
              empty: "No personal data was found.",
              from: KINDS.map(([kind]) => kind),
            },
            toRecipients(),
          ],
          notes: [],
        },
      };
    },
  };
}

/** The server, and what it is of Keyhole's own that sends: a command, a host. */
function keyOf({ server, details }: LoggedEvent): string {
  return toPairKey(server, toDetailReader(details).text("recipient"));
}

function toRecipientName(key: string): string {
  const [server, recipient] = fromPairKey(key);
  if (recipient !== "") return toExcerpt(recipient, 80);
  return server === "" ? "no server named" : toExcerpt(server, 80);
}

function toRecipientFilter(key: string): LogFilter {
  const [server, recipient] = fromPairKey(key);
  const to = { field: "details.recipient", is: recipient === "" ? null : recipient };
  const actions = ["pii.revealed"] as const;
  return server === ""
    ? { actions, where: [{ field: "server", is: null }, to] }
    : { server, actions, where: [to] };
}

function weigh(tallies: ReadonlyMap<string, Tally>): number {
  let sum = 0;
  for (const tally of tallies.values()) sum += tally.sum;
  return sum;
}

function taken<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
