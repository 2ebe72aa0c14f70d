import type { ToolRecord } from "../../catalog/tool.ts";
import { type Effect, toEffect } from "../permissions/verbs.ts";
import type { FactPlace, ProgramFacts, ToolUse } from "../program-facts.ts";
import type { Severity } from "../validate/rules.ts";
import type { Finding } from "../validate/validate.ts";
import { isSensitive } from "./outward.ts";
import type { Risk, RiskLevel, RiskReason } from "./score.ts";

export type RiskContext = {
  tool(server: string, name: string): ToolRecord | undefined;
  readonly findings: readonly Finding[];
  /** What a policy says of a tool, where there is one: a denied one is a risk by itself. */
  decide?(tool: ToolRecord): "allow" | "ask" | "deny";
};

/** Points of a tool, and of each round of a loop around it. */
const EFFECT_POINTS: Readonly<Record<Effect, number>> = {
  reads: 0,
  unknown: 4,
  writes: 8,
  sends: 18,
  publishes: 18,
  destroys: 30,
  pays: 40,
};
const LOOP_POINTS: Readonly<Record<Effect, number>> = {
  reads: 0,
  unknown: 2,
  writes: 8,
  sends: 17,
  publishes: 17,
  destroys: 22,
  pays: 22,
};
const SEVERITY_POINTS: Readonly<Record<Severity, number>> = { error: 50, warning: 8, note: 0 };
/** What was not looked at may be anything: at every level, whatever it is called there. */
const UNSEEN = "not-examined";
const UNSEEN_POINTS = 50;
const OUTWARD: ReadonlySet<Effect> = new Set(["sends", "publishes"]);
const DYNAMIC_POINTS = 12;
const SENSITIVE_FLOW_POINTS = 30;
const FLOW_POINTS = 6;
const HOST_POINTS = 10;
const UNKNOWN_HOST_POINTS = 15;
const COMMAND_POINTS = 25;
const DELETED_FILE_POINTS = 4;
const DENIED_POINTS = 20;
const MAX_SCORE = 100;
/** Of each kind of reason: thirty ordinary writes are no more than this. */
const MAX_OF_KIND = 60;
const MAX_REASONS = 40;

export function assessRisk(facts: ProgramFacts, context: RiskContext): Risk {
  const kinds = [
    toolReasons(facts, context),
    dynamicReasons(facts),
    flowReasons(facts, context),
    reachReasons(facts),
    findingReasons(context.findings),
  ];
  const score = kinds.reduce((sum, reasons) => sum + Math.min(MAX_OF_KIND, pointsOf(reasons)), 0);
  const reasons = kinds.flat().sort((a, b) => b.points - a.points);
  const whole = Math.min(MAX_SCORE, score);
  return { score: whole, level: toLevel(whole), reasons: reasons.slice(0, MAX_REASONS) };
}

function toLevel(score: number): RiskLevel {
  if (score < 25) return "low";
  if (score < 50) return "medium";
  return score < 75 ? "high" : "critical";
}

function pointsOf(reasons: readonly RiskReason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0);
}

const DOING: Readonly<Record<Effect, string>> = {
  reads: "reads",
  unknown: "does what nobody says",
  writes: "writes",
  sends: "sends to others",
  publishes: "publishes",
  destroys: "destroys",
  pays: "pays",
};

function toolReasons(facts: ProgramFacts, context: RiskContext): RiskReason[] {
  return facts.tools.flatMap((use) => {
    const record = context.tool(use.server, use.tool);
    const effect = record === undefined ? "unknown" : toEffect(record);
    const reasons: RiskReason[] = [];
    const add = (points: number, reason: string) => {
      if (points > 0) reasons.push({ points, reason, ...toLine(use) });
    };
    add(EFFECT_POINTS[effect], `${toName(use)} ${DOING[effect]}`);
    if (use.inLoop) add(LOOP_POINTS[effect], `${toName(use)} is called in a loop`);
    if (record !== undefined && context.decide?.(record) === "deny")
      add(DENIED_POINTS, `${toName(use)} is denied by a rule`);
    return reasons;
  });
}

function dynamicReasons({ dynamic }: ProgramFacts): RiskReason[] {
  const servers = new Map(dynamic.map((call) => [call.server, call]));
  return [...servers.values()].map(({ server, ...place }) => ({
    points: DYNAMIC_POINTS,
    reason:
      server === undefined
        ? "Which tools are called can't be read off the program"
        : `Which tool of ${server} is called can't be read off the program`,
    ...toLine(place),
  }));
}

function flowReasons({ flows }: ProgramFacts, { tool }: RiskContext): RiskReason[] {
  return flows.flatMap(({ from, to, ...place }) => {
    const target = tool(to.server, to.tool);
    if (from.server === to.server || target === undefined || !OUTWARD.has(toEffect(target))) return [];
    const isGrave = isSensitive(from);
    const points = isGrave ? SENSITIVE_FLOW_POINTS : FLOW_POINTS;
    const reason = `What ${toName(from)} returns${isGrave ? ", which may be private," : ""} goes to ${toName(to)}`;
    return [{ points, reason, ...toLine(place) }];
  });
}

function reachReasons({ hosts, commands, files }: ProgramFacts): RiskReason[] {
  return [
    ...hosts.map(({ host, ...place }) => ({
      points: host === undefined ? UNKNOWN_HOST_POINTS : HOST_POINTS,
      reason: `Uses the network: ${host ?? "a host that is computed"}`,
      ...toLine(place),
    })),
    ...commands.map(({ command, ...place }) => ({
      points: COMMAND_POINTS,
      reason: `Runs a command: ${command ?? "one that is computed"}`,
      ...toLine(place),
    })),
    ...files
      .filter(({ access }) => access === "delete")
      .map(({ path, ...place }) => ({
        points: DELETED_FILE_POINTS,
        reason: `Deletes files: ${path ?? "a path that is computed"}`,
        ...toLine(place),
      })),
  ];
}

function toLine({ line, skill }: FactPlace): Pick<RiskReason, "line" | "skill"> {
  return { line, ...(skill !== undefined && { skill }) };
}

/** A rule counts once, however often it is broken. */
function findingReasons(findings: readonly Finding[]): RiskReason[] {
  const first = new Map<string, Finding>();
  for (const finding of findings) if (!first.has(finding.rule)) first.set(finding.rule, finding);
  return [...first.values()].flatMap(({ rule, severity, message, ...place }) => {
    const points = rule === UNSEEN ? UNSEEN_POINTS : SEVERITY_POINTS[severity];
    return points === 0 ? [] : [{ points, reason: message, ...toLine(place) }];
  });
}

function toName({ server, tool }: Pick<ToolUse, "server" | "tool">): string {
  return `${server} ${tool}`;
}
