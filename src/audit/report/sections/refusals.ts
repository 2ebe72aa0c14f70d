import { toDecider, toDeciderText } from "../../query/decision.ts";
import { toDetailReader } from "../../query/details.ts";
import type { FieldCondition } from "../../query/filter.ts";
import { fromPairKey, toPairKey } from "../count/key-pair.ts";
import { createNamedTable } from "../count/named-table.ts";
import { createTally, tallyEvent, toEventCount } from "../figure.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

const MAX_RULES = 50;
const CHANNEL = "details.leave.channel";

/** What was not let through: rules that programs broke, calls and commands that were denied, limits. */
export function createRefusalsSection({ within }: CountingScope): SectionCounter {
  const validated = createTally();
  const broken = createTally();
  const deniedCalls = createTally();
  const deniedByPerson = createTally();
  const deniedCommands = createTally();
  const limited = createTally();
  const notBegun = createNamedTable({
    title: "Programs that were not begun",
    column: "Kind",
    plural: "kinds",
    filterOf: (is) => within({ actions: ["run.refused"], where: [{ field: "details.kind", is }] }),
    empty: "Every program was begun.",
  });
  const rules = createNamedTable({
    title: "Violations: rules that programs broke",
    column: "Rule",
    plural: "rules",
    counted: "Programs",
    filterOf: (is) => within({ actions: ["run.ended"], where: [{ field: "details.violations", is }] }),
    empty: "No program broke a rule.",
    from: ["run.ended"],
  });
  const deniers = createNamedTable({
    title: "Denials by what decided",
    column: "Decided by",
    plural: "reasons",
    filterOf: (key) => within({ actions: ["call.denied", "command.denied"], where: toDeciderWhere(key) }),
    labelOf: (key) => {
      const [channel, name] = fromPairKey(key);
      return channel === "" ? name : toDeciderText({ channel, person: name });
    },
    empty: "Nothing was denied.",
  });
  const tools = createNamedTable({
    title: "Denied calls by tool",
    column: "Server and tool",
    plural: "tools",
    filterOf: (name) => {
      const [server, tool] = fromPairKey(name);
      return within({ server, tool, actions: ["call.denied"] });
    },
    labelOf: (name) => fromPairKey(name).join(" · "),
    empty: "No call was denied.",
  });
  const limits = createNamedTable({
    title: "Limits hit",
    column: "Limit",
    plural: "limits",
    filterOf: (is) => within({ actions: ["limit.hit"], where: [{ field: "details.limit", is }] }),
    empty: "No limit was hit.",
  });

  return {
    add(event) {
      const { id } = event;
      if (event.action === "run.ended") {
        if (typeof event.details?.score === "number") tallyEvent(validated, id);
        const { violations } = event.details ?? {};
        if (!Array.isArray(violations) || violations.length === 0) return;
        tallyEvent(broken, id);
        for (const rule of new Set(violations.slice(0, MAX_RULES).map(String))) rules.add(rule, id);
      } else if (event.action === "call.denied") {
        const { leave } = event.details ?? {};
        if (toDecider(leave) !== undefined) tallyEvent(deniedByPerson, id);
        else if (typeof leave?.by === "string") tallyEvent(deniedCalls, id);
        deniers.add(toDeciderKey(leave), id);
        tools.add(toPairKey(event.server, event.tool), id);
      } else if (event.action === "command.denied") {
        tallyEvent(deniedCommands, id);
        deniers.add(toDeciderKey(event.details?.leave), id);
      } else if (event.action === "run.refused") notBegun.add(String(event.details?.kind ?? ""), id);
      else if (event.action === "limit.hit") {
        tallyEvent(limited, id);
        limits.add(String(event.details?.limit ?? ""), id);
      }
    },
    finish() {
      const actions = ["run.ended"] as const;
      return {
        figures: {
          validated: toEventCount(validated, within({ actions, where: [{ field: "details.score" }] })),
          violations: toEventCount(broken, within({ actions, where: [{ field: "details.violations.0" }] })),
          deniedCalls: toEventCount(
            deniedCalls,
            within({
              actions: ["call.denied"],
              where: [{ field: "details.leave.by" }, { field: CHANNEL, is: null }],
            }),
          ),
          deniedByPerson: toEventCount(
            deniedByPerson,
            within({ actions: ["call.denied"], where: [{ field: CHANNEL }] }),
          ),
          deniedCommands: toEventCount(deniedCommands, within({ actions: ["command.denied"] })),
          limits: toEventCount(limited, within({ actions: ["limit.hit"] })),
        },
        section: {
          id: "refusals",
          title: "Violations and denials",
          about:
            "Violations come from run.ended, denials from call.denied and command.denied with the rule or level that decided, or the person who was asked and said no, programs that were not begun from run.refused, limits from limit.hit.",
          charts: [],
          tables: [rules.table(), deniers.table(), tools.table(), notBegun.table(), limits.table()],
          notes: [],
        },
      };
    },
  };
}

/** The way and the person, or no way and the rule. */
function toDeciderKey(leave: unknown): string {
  const decider = toDecider(leave);
  if (decider !== undefined) return toPairKey(decider.channel, decider.person);
  return toPairKey("", toDetailReader(leave).text("by"));
}

function toDeciderWhere(key: string): FieldCondition[] {
  const [channel, name] = fromPairKey(key);
  const is = name === "" ? null : name;
  return channel === ""
    ? [
        { field: "details.leave.by", is },
        { field: CHANNEL, is: null },
      ]
    : [
        { field: CHANNEL, is: channel },
        { field: "details.leave.person", is },
      ];
}
