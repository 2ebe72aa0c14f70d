import type { ToolRecord } from "../../catalog/tool.ts";
import type { Decision, PermissionRule } from "../../config/permissions/schema.ts";
import { findUnmet } from "./annotation-test.ts";
import { type Fit, toArgumentTest } from "./argument-values.ts";
import type { DecisionWork } from "./decision-work.ts";
import { type Strictness, toNamePattern, toPlainPattern } from "./name-pattern.ts";
import { toOnlyTest } from "./only-arguments.ts";
import { type RuleHint, toAskerHint, toHint } from "./rule-index.ts";
import { toTimeTest } from "./time-test.ts";

/** A call that wants to be made. */
export type AskedCall = {
  readonly tool: ToolRecord;
  readonly args: Readonly<Record<string, unknown>>;
  readonly principal: string;
  readonly session: string;
  /** What the client calls itself. */
  readonly client: string;
  readonly now: Date;
};

/** A rule made ready: what depends on the tool alone, and what on the call. */
export type CompiledRule = {
  readonly rule: PermissionRule;
  readonly decision: Decision;
  /** Its place in the file, from 1. */
  readonly number: number;
  readonly file: string;
  /** Whether the names are the tool's. */
  isNamed(tool: ToolRecord): boolean;
  /** Conditions on what the tool is declared to be that do not hold. */
  unmetBy(tool: ToolRecord): readonly string[];
  readonly conditions: readonly Condition[];
  /** What must be there for it to match, where one text says so. */
  readonly hint: RuleHint | undefined;
};

export type Condition = { readonly what: string; test(call: AskedCall, work: DecisionWork): Fit };

export function compileRule(rule: PermissionRule, number: number, file: string): CompiledRule {
  const { server, tool, when = {}, decision } = rule;
  const strictness: Strictness = decision === "allow" ? "exact" : "loose";
  const isServer = server === undefined ? () => true : toNamePattern(server, strictness);
  const isTool = tool === undefined ? () => true : toToolPattern(tool, server === undefined, strictness);
  return {
    rule,
    decision,
    number,
    file,
    isNamed: (record) => isServer([record.server]) && isTool(record),
    unmetBy: (record) => findUnmet(when, record, strictness),
    ...toConditions(rule, strictness),
  };
}

/** Whether a condition holds, for a rule with this decision: what can't be told never allows. */
export function holds(fit: Fit, decision: Decision): boolean {
  return fit === "yes" || (fit === "unclear" && decision !== "allow");
}

/** By its own name or its function's; without a `server` beside it, also as `server.tool` and `server__tool`. */
export function toToolPattern(
  written: string,
  canHaveServer: boolean,
  strictness: Strictness,
): (record: ToolRecord) => boolean {
  const isName = toNamePattern(written, strictness);
  const isWhole = canHaveServer ? toWholePattern(written, strictness) : () => false;
  return (record) => {
    const { name, identifiers } = record;
    const names = [name, identifiers.typescript, identifiers.python];
    return isName(names) || isWhole(record.server, names);
  };
}

function toWholePattern(
  written: string,
  strictness: Strictness,
): (server: string, names: readonly string[]) => boolean {
  const found = /^(?:mcp__)?(.+?)(?:__|[./:])(.+)$/.exec(written);
  if (found === null) return () => false;
  const isServer = toNamePattern(found[1] ?? "", strictness);
  const isTool = toNamePattern(found[2] ?? "", strictness);
  return (server, names) => isServer([server]) && isTool(names);
}

function isFingerprint(tool: ToolRecord, written: string): Fit {
  if (tool.fingerprint === undefined) return "unclear";
  return tool.fingerprint === written ? "yes" : "no";
}

function toConditions(
  { fingerprint, principal, session, client, time, args = {}, onlyArgs }: PermissionRule,
  strictness: Strictness,
): Pick<CompiledRule, "conditions" | "hint"> {
  const conditions: Condition[] = [];
  let hint: RuleHint | undefined;
  const add = (what: string, test: Condition["test"]) => conditions.push({ what, test });
  const addName = (key: "principal" | "session" | "client", written: string | undefined) => {
    if (written === undefined) return;
    const isMeant = toPlainPattern(written, strictness);
    hint ??= toAskerHint(key, written);
    add(`${key}: "${written}"`, (call) => (isMeant(call[key]) ? "yes" : "no"));
  };
  if (fingerprint !== undefined)
    add(`fingerprint: "${fingerprint}"`, ({ tool }) => isFingerprint(tool, fingerprint));
  addName("principal", principal);
  addName("session", session);
  addName("client", client);
  if (time !== undefined) {
    const test = toTimeTest(time);
    add(`time: ${JSON.stringify(time)}`, ({ now }) => test(now));
  }
  for (const [path, condition] of Object.entries(args)) {
    const { test, needed } = toArgumentTest(path, condition, strictness);
    hint ??= toHint(path, condition, needed);
    add(`args ${path}: ${JSON.stringify(condition)}`, (call, work) => test(call.args, work));
  }
  if (onlyArgs === true) {
    const test = toOnlyTest(Object.keys(args));
    add("onlyArgs: true", (call, work) => test(call.args, work));
  }
  return { conditions, hint };
}
