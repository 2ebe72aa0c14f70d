import { toExcerpt } from "../../../text/plain-text.ts";
import { describeDecision } from "../../query/decision.ts";
import type { LoggedEvent } from "../../reader.ts";
import { createLatest } from "../count/latest.ts";
import { createTally, tallyEvent, toAmount, toEventCount } from "../figure.ts";
import { formatCount, formatDuration } from "../format-figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";
import { isMadeCall, MADE, MADE_CALLS } from "../what-counts.ts";

const SHOWN = 40;
const MAX_ANSWERS = 20_000;
const ACTIONS = ["call.ended", "call.denied", "command.started", "command.denied"] as const;
const DENIED = ["call.denied", "command.denied"] as const;

type Answer = { readonly id: string; readonly waitedMs: number };
type Acted = {
  readonly id: string;
  readonly at: number;
  readonly risk: string;
  readonly what: string;
  readonly principal: string;
  readonly outcome: string;
  readonly leave: string;
  readonly answer: Answer | undefined;
};

/** What was done at high or critical risk, and who let it happen. */
export function createHighRiskSection({ within }: CountingScope): SectionCounter {
  const all = createTally();
  const byPerson = createTally();
  const autoWrites = createTally();
  const autoCommands = createTally();
  const denied = createTally();
  const waiting = createTally();
  const latest = createLatest<Acted>(SHOWN);
  // An approval is answered before what it lets through: the oldest answers can be given up.
  const answers = new Map<string, Answer>();

  const keepAnswer = (event: LoggedEvent & { action: "approval.answered" }) => {
    const approval = event.details?.approval;
    if (typeof approval !== "string" || approval.length > 200) return;
    answers.set(approval, { id: event.id, waitedMs: toAmount(event.details.waitedMs) });
    if (answers.size > MAX_ANSWERS) for (const oldest of answers.keys()) return void answers.delete(oldest);
  };

  return {
    add(event) {
      if (event.action === "approval.answered") return keepAnswer(event);
      if (event.risk !== "high" && event.risk !== "critical") return;
      const { action, id } = event;
      if (action === "call.ended" && event.outcome === "waiting") return tallyEvent(waiting, id);
      if (
        !(action === "call.ended" && isMadeCall(event)) &&
        action !== "call.denied" &&
        action !== "command.started" &&
        action !== "command.denied"
      )
        return;
      tallyEvent(all, id);
      const leave = event.details?.leave;
      const isDenied = action === "call.denied" || action === "command.denied";
      const isWrite = action === "call.ended" ? event.details?.isWrite === true : true;
      if (isDenied) tallyEvent(denied, id);
      else if (leave?.approved === "person") tallyEvent(byPerson, id);
      else if (leave?.approved === "auto" && action === "call.ended" && isWrite) tallyEvent(autoWrites, id);
      else if (leave?.approved === "auto" && action === "command.started") tallyEvent(autoCommands, id);
      const answer = leave?.approval === undefined ? undefined : answers.get(leave.approval);
      const isCritical = event.risk === "critical";
      latest.add(
        {
          id,
          at: event.at,
          risk: event.risk,
          what: toExcerpt(describe(event), 80),
          principal: toExcerpt(event.principal ?? "", 40),
          outcome: event.outcome,
          leave: toExcerpt(describeDecision(event) ?? "not recorded", 90),
          answer,
        },
        (isCritical ? 4 : 0) + (isWrite ? 2 : 0) + (leave?.approved === "person" || isDenied ? 1 : 0),
      );
    },
    finish() {
      const risk = "high" as const;
      const where = (is: string) => [...MADE_CALLS.where, { field: "details.leave.approved", is }];
      const made = { risk, outcomes: MADE };
      const autoFilter = { ...made, where: where("auto") };
      const figures = {
        highRisk: toEventCount(all, within({ ...made, actions: [...ACTIONS], where: MADE_CALLS.where })),
        highRiskByPerson: toEventCount(
          byPerson,
          within({ ...made, actions: ["call.ended", "command.started"], where: where("person") }),
        ),
        highRiskAuto: toEventCount(
          autoWrites,
          within({
            ...autoFilter,
            actions: ["call.ended"],
            where: [...where("auto"), { field: "details.isWrite", is: "true" }],
          }),
        ),
        highRiskDenied: toEventCount(denied, within({ risk, actions: [...DENIED] })),
      };
      const shown = latest.list();
      const more = latest.count - shown.length;
      return {
        figures,
        section: {
          id: "high-risk",
          title: "High-risk actions and their approvals",
          about:
            "Calls and commands whose own risk is high or critical: call.ended, call.denied, command.started, command.denied. A call that waits for a person is not among them before it is made or denied. The approval is the one that the event itself names; how long it took comes from approval.answered.",
          charts: [],
          tables: [
            {
              title: "How they were let through",
              columns: [
                { name: "What", kind: "text" },
                { name: "How many", kind: "number" },
              ],
              rows: [
                { cells: ["High-risk actions", figures.highRisk] },
                { cells: ["approved by a person", figures.highRiskByPerson] },
                { cells: ["writes allowed by rule, without a person", figures.highRiskAuto] },
                {
                  cells: [
                    "commands allowed by rule, without a person",
                    toEventCount(autoCommands, within({ ...autoFilter, actions: ["command.started"] })),
                  ],
                },
                { cells: ["denied", figures.highRiskDenied] },
                {
                  cells: [
                    "not among them: asked for, and left waiting for a person",
                    toEventCount(waiting, within({ risk, actions: ["call.ended"], outcomes: ["waiting"] })),
                  ],
                },
              ],
              empty: "",
            },
            {
              title: "Each of them",
              columns: [
                { name: "Time (UTC)", kind: "text" },
                { name: "Risk", kind: "text" },
                { name: "Action", kind: "text" },
                { name: "Principal", kind: "text" },
                { name: "Outcome", kind: "text" },
                { name: "Decided by", kind: "text" },
                { name: "Answered after", kind: "number" },
                { name: "Event", kind: "text" },
              ],
              rows: shown.map(({ id, at, risk: level, what, principal, outcome, leave, answer }) => ({
                cells: [
                  { at },
                  level,
                  what,
                  principal,
                  outcome,
                  leave,
                  answer === undefined ? "" : formatDuration(answer.waitedMs),
                  { event: id },
                ],
              })),
              ...(more > 0 && {
                rest: `and ${formatCount(more)} more; critical ones, writes and those a person answered stand first, then the latest.`,
              }),
              empty: "There was none.",
            },
          ],
          notes: [],
        },
      };
    },
  };
}

function describe(event: LoggedEvent): string {
  if (event.action === "command.started" || event.action === "command.denied")
    return `command ${String(event.details?.command ?? "")}`;
  return `${event.server ?? ""} · ${event.tool ?? ""}`;
}
