import { toExcerpt } from "../../../text/plain-text.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { toRestLine } from "../count/rest-line.ts";
import { createSpread, type Spread } from "../count/spread.ts";
import { createTopTable } from "../count/top-table.ts";
import { createTally, type Tally, tallyEvent, toAmount, toEventCount } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { markAbout } from "./actors.ts";
import { toQuantile } from "./durations.ts";

const STATUSES = ["approved", "denied", "expired", "withdrawn"] as const;
const SHOWN = 20;

type Answers = {
  readonly approved: Tally;
  readonly denied: Tally;
  readonly other: Tally;
  readonly waits: Spread;
};

/** What people were asked, and who answered. */
export function createApprovalsSection({ within }: CountingScope): SectionCounter {
  const asked = createTally();
  const answered = createTally();
  const byStatus = new Map<string, Tally>(STATUSES.map((status) => [status, createTally()]));
  const person = createTally();
  const auto = createTally();
  const byPerson = createTopTable(
    (): Answers => ({
      approved: createTally(),
      denied: createTally(),
      other: createTally(),
      waits: createSpread(),
    }),
    ({ approved, denied, other }) => approved.count + denied.count + other.count,
  );

  return {
    add(event) {
      if (event.action === "approval.asked") tallyEvent(asked, event.id);
      else if (event.action === "call.ended") {
        const approved = event.details?.leave?.approved;
        if (approved === "person") tallyEvent(person, event.id);
        else if (approved === "auto") tallyEvent(auto, event.id);
      } else if (event.action === "approval.answered") {
        tallyEvent(answered, event.id);
        const { status, channel, person: who, waitedMs } = event.details ?? {};
        const tally = byStatus.get(String(status));
        if (tally) tallyEvent(tally, event.id);
        const answers = byPerson.take(toPairKey(who, channel));
        tallyEvent(status === "approved" || status === "denied" ? answers[status] : answers.other, event.id);
        answers.waits.add(toAmount(waitedMs), event.id);
      }
    },
    finish() {
      const actions = ["approval.answered"] as const;
      const ofStatus = (status: (typeof STATUSES)[number]) =>
        toEventCount(
          byStatus.get(status) ?? createTally(),
          within({ actions, where: [{ field: "details.status", is: status }] }),
        );
      const byLeave = (tally: Tally, is: string) =>
        toEventCount(
          tally,
          within({ actions: ["call.ended"], where: [{ field: "details.leave.approved", is }] }),
        );
      const figures = {
        approvalsAsked: toEventCount(asked, within({ actions: ["approval.asked"] })),
        approvalsAnswered: toEventCount(answered, within({ actions })),
        approvalsApproved: ofStatus("approved"),
        approvalsDenied: ofStatus("denied"),
        approvalsExpired: ofStatus("expired"),
        personCalls: byLeave(person, "person"),
        autoCalls: byLeave(auto, "auto"),
      };
      const shown = byPerson.top(SHOWN);
      const sum = shown.reduce((before, { value }) => before + value.waits.count, 0);
      const rest = toRestLine(byPerson, shown.length, { what: "persons", missing: answered.count - sum });
      return {
        figures,
        section: {
          id: "approvals",
          title: "Approvals",
          about:
            "Counted from approval.asked and approval.answered; calls by the leave that call.ended names. The wait is the time from the question to the answer.",
          charts: [],
          tables: [
            {
              title: "What was asked and answered",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["Asked", figures.approvalsAsked] },
                { cells: ["Approved", figures.approvalsApproved] },
                { cells: ["Denied", figures.approvalsDenied] },
                { cells: ["Expired: nobody answered in time", figures.approvalsExpired] },
                { cells: ["Withdrawn", ofStatus("withdrawn")] },
                { cells: ["Calls that a person approved", figures.personCalls] },
                { cells: ["Calls allowed by rule, without a person", figures.autoCalls] },
              ],
              empty: "",
            },
            {
              title: "Who answered, and how fast",
              columns: [
                { name: "Person", kind: "text" },
                { name: "Channel", kind: "text" },
                { name: "Approved", kind: "number" },
                { name: "Denied", kind: "number" },
                { name: "Wait p50", kind: "number" },
                { name: "Longest wait", kind: "number" },
              ],
              rows: shown.map(({ name, value, isAbout }) => {
                const [who, channel] = fromPairKey(name);
                const where = [
                  { field: "details.person", is: who === "" ? null : who },
                  { field: "details.channel", is: channel === "" ? null : channel },
                ];
                const all = { tally: value, filter: within({ actions, where }) };
                const byAnswer = (status: "approved" | "denied") =>
                  toEventCount(
                    value[status],
                    within({ actions, where: [...where, { field: "details.status", is: status }] }),
                  );
                return {
                  cells: [
                    who === "" ? "nobody named" : toExcerpt(who, 60),
                    toExcerpt(channel, 30),
                    markAbout(byAnswer("approved"), isAbout),
                    markAbout(byAnswer("denied"), isAbout),
                    toQuantile(value.waits, 0.5, all.filter),
                    toQuantile(value.waits, 1, all.filter),
                  ],
                };
              }),
              ...(rest !== undefined && { rest }),
              empty: "Nobody was asked for an approval.",
            },
          ],
          notes: [],
        },
      };
    },
  };
}
