import type { ToolRecord } from "../../catalog/tool.ts";
import type { PolicySource } from "../../config/permissions/policy-source.ts";
import type {
  Decision,
  PermissionLevel,
  PermissionRule,
  SecurityLevel,
} from "../../config/permissions/schema.ts";
import { toShownFile } from "../../config/permissions/shown-file.ts";
import type { AllowedTools } from "./allowed-tools.ts";
import { type AskedCall, type CompiledRule, compileRule, holds } from "./compile-rule.ts";
import { createWork, type DecisionWork } from "./decision-work.ts";
import { explainRules, type RuleAccount } from "./explain-rules.ts";
import { describeEffect, LEVEL_DECISIONS, SECURITY_DECISIONS } from "./presets.ts";
import { createRuleIndex } from "./rule-index.ts";
import { type Effect, toEffect } from "./verbs.ts";

export type { AskedCall } from "./compile-rule.ts";

/** Which calls may be made. Asked for each, in the host, whatever was found out about the program before. */
export type Policy = {
  /** What must be waited for before it can decide; nothing, most of the time. */
  ready(): Promise<void> | undefined;
  decide(call: AskedCall): PolicyVerdict;
  /** Whether it depends on the tool being the one that a rule allowed; then it must be what its server says now. */
  remembers(call: AskedCall): boolean;
  /** The same, with all that was looked at; remembers nothing. */
  explain(call: AskedCall): Explanation;
  /** A person has seen the tool as it is now: it is no changed one any more. */
  accept(tool: ToolRecord): void;
};

export type PolicyVerdict = {
  readonly decision: Decision;
  /** For whoever reads it: a person, or the model whose call it was. */
  readonly reason: string;
  readonly by: DecidedBy;
  /** For people alone, in the words of servers: what changed of a tool. */
  readonly detail?: string;
};

export type DecidedBy =
  | { readonly kind: "rule"; readonly file: string; readonly number: number; readonly rule: PermissionRule }
  | { readonly kind: "level"; readonly file: string; readonly level: PermissionLevel }
  | { readonly kind: "securityLevel"; readonly file?: string; readonly level: SecurityLevel }
  /** Its definition is another than the one that a rule allowed. */
  | { readonly kind: "change" }
  /** Rules allow it, but what its session, or one before it, did was unusual. */
  | { readonly kind: "anomaly"; readonly rule: string; readonly session: string }
  /** Rules allow it, but it is not what a person approved before, or may have been made already. */
  | { readonly kind: "plan" | "repeat" }
  | { readonly kind: "error" };

export type Explanation = PolicyVerdict & {
  readonly effect: Effect;
  /** What each file, and what holds without one, says; the strictest decided. */
  readonly verdicts: readonly PolicyVerdict[];
  /** Rules that speak of this tool, in their order: those that match, and what the others lack. */
  readonly rules: readonly RuleAccount[];
};

const DEFAULT_SECURITY: SecurityLevel = "moderate";
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Of several files the strictest verdict holds; within one the first rule that matches, then its levels. */
export function createPolicy(sources: readonly PolicySource[], allowed?: AllowedTools): Policy {
  const files = sources.map(toFile);
  const usesMemory =
    allowed !== undefined && files.some(({ rules }) => rules.some(({ decision }) => decision === "allow"));
  // Without rules, what is decided depends on the tool alone.
  const fixed = files.every(({ rules }) => rules.length === 0)
    ? new WeakMap<ToolRecord, PolicyVerdict>()
    : undefined;

  function judge(call: AskedCall): { verdict: PolicyVerdict; all: PolicyVerdict[]; files: File[] } {
    const all: PolicyVerdict[] = [];
    const ruling: File[] = [];
    const work = createWork();
    let isSecured = false;
    for (const file of files) {
      const rule = firstMatch(file, call, work);
      if (rule !== undefined) {
        all.push(byRule(rule));
        ruling.push(file);
        continue;
      }
      if (file.level !== undefined) all.push(byLevel(file.level, file.name, call.tool));
      if (file.securityLevel === undefined) continue;
      isSecured = true;
      all.push(bySecurity(file.securityLevel, call.tool, file.name));
    }
    if (ruling.length === 0 && !isSecured) all.push(bySecurity(DEFAULT_SECURITY, call.tool));
    return { verdict: strictest(all), all, files: ruling };
  }

  /** What a rule allowed is what it was then. */
  function changed(
    call: AskedCall,
    verdict: PolicyVerdict,
    ruling: readonly File[],
  ): PolicyVerdict | undefined {
    if (!usesMemory || verdict.decision !== "allow" || ruling.length === 0) return undefined;
    const known = allowed.hashOf(call.tool);
    if (known === undefined || known === call.tool.hash) return undefined;
    // What one file says of it counts for what another one allows, too.
    const onChange = files
      .flatMap((file) => file.onChange ?? (ruling.includes(file) ? "ask" : []))
      .reduce((a, b) => (STRICTNESS[b] > STRICTNESS[a] ? b : a));
    if (onChange === "allow") return undefined;
    const reason = `"${call.tool.name}" of server "${call.tool.server}" is not the tool any more that ${describeBy(verdict.by)} allowed: its definition changed`;
    const detail = allowed.describeChange(call.tool);
    return { decision: onChange, reason, by: { kind: "change" }, ...(detail !== undefined && { detail }) };
  }

  function decideNow(call: AskedCall): PolicyVerdict {
    const { verdict, files: ruling } = judge(call);
    const change = changed(call, verdict, ruling);
    if (change !== undefined) return change;
    if (usesMemory && verdict.decision === "allow" && ruling.length > 0) allowed.note(call.tool);
    return verdict;
  }

  return {
    ready: () => (usesMemory ? allowed.ready() : undefined),
    decide(call) {
      try {
        const known = fixed?.get(call.tool);
        if (known !== undefined) return known;
        const verdict = decideNow(call);
        fixed?.set(call.tool, verdict);
        return verdict;
      } catch {
        return {
          decision: "deny",
          reason: "It could not be decided whether the call may be made",
          by: { kind: "error" },
        };
      }
    },
    remembers(call) {
      if (!usesMemory) return false;
      try {
        const { verdict, files: ruling } = judge(call);
        return verdict.decision === "allow" && ruling.length > 0;
      } catch {
        // It is denied.
        return false;
      }
    },
    explain(call) {
      const { verdict, all, files: ruling } = judge(call);
      const change = changed(call, verdict, ruling);
      return {
        ...(change ?? verdict),
        effect: toEffect(call.tool),
        verdicts: change === undefined ? all : [...all, change],
        rules: explainRules(
          files.flatMap(({ rules }) => rules),
          call,
        ),
      };
    },
    accept: (tool) => allowed?.note(tool),
  };
}

/** `rule 3 of keyhole.config.json`, for people and models; the whole path is in `by`, for people. */
export function describeBy(by: DecidedBy): string {
  switch (by.kind) {
    case "rule":
      return `rule ${by.number} of ${toShownFile(by.file)}`;
    case "level":
      return `"permissions.level": "${by.level}" of ${toShownFile(by.file)}`;
    case "securityLevel":
      return `"securityLevel": "${by.level}"${by.file === undefined ? ", the default" : ` of ${toShownFile(by.file)}`}`;
    case "change":
      return '"permissions.onChange"';
    case "anomaly":
      return `the anomaly "${by.rule}"`;
    case "plan":
      return "the plan that was approved";
    case "repeat":
      return "the unknown end of its first sending";
    case "error":
      return "an error while deciding";
  }
}

type File = {
  readonly name: string;
  readonly rules: readonly CompiledRule[];
  readonly level: PermissionLevel | undefined;
  readonly securityLevel: SecurityLevel | undefined;
  readonly onChange: Decision | undefined;
  /** Of each tool, the rules that its calls can meet. */
  readonly byTool: WeakMap<ToolRecord, ReturnType<typeof createRuleIndex>>;
};

function toFile({ file, permissions, securityLevel }: PolicySource): File {
  const { rules = [], level, onChange } = permissions ?? {};
  const compiled = rules.map((rule, at) => compileRule(rule, at + 1, file));
  return { name: file, rules: compiled, level, securityLevel, onChange, byTool: new WeakMap() };
}

function firstMatch(file: File, call: AskedCall, work: DecisionWork): CompiledRule | undefined {
  for (const rule of rulesFor(file, call.tool)(call, work)) if (isMet(rule, call, work)) return rule;
  return undefined;
}

function isMet({ conditions, decision }: CompiledRule, call: AskedCall, work: DecisionWork): boolean {
  for (const { test } of conditions) if (!holds(test(call, work), decision)) return false;
  return true;
}

/** Records are never changed, so this is found out once for each. */
function rulesFor(file: File, tool: ToolRecord): ReturnType<typeof createRuleIndex> {
  const known = file.byTool.get(tool);
  if (known !== undefined) return known;
  const fitting = file.rules.filter((rule) => rule.isNamed(tool) && rule.unmetBy(tool).length === 0);
  const last = fitting.findIndex(({ conditions }) => conditions.length === 0);
  const reachable = last === -1 ? fitting : fitting.slice(0, last + 1);
  const index = createRuleIndex(reachable);
  file.byTool.set(tool, index);
  return index;
}

function byRule({ rule, number, file, decision }: CompiledRule): PolicyVerdict {
  const by = { kind: "rule", file, number, rule } as const;
  return { decision, reason: rule.reason ?? `${describeBy(by)} says so`, by };
}

function byLevel(level: PermissionLevel, file: string, tool: ToolRecord): PolicyVerdict {
  const by = { kind: "level", file, level } as const;
  return {
    decision: LEVEL_DECISIONS[level](tool),
    reason: `${describeEffect(tool)} (${describeBy(by)})`,
    by,
  };
}

function bySecurity(level: SecurityLevel, tool: ToolRecord, file?: string): PolicyVerdict {
  const by = { kind: "securityLevel", level, ...(file === undefined ? {} : { file }) } as const;
  return {
    decision: SECURITY_DECISIONS[level](tool),
    reason: `${describeEffect(tool)} (${describeBy(by)})`,
    by,
  };
}

/** Of equals the first. */
function strictest(verdicts: readonly PolicyVerdict[]): PolicyVerdict {
  const [first, ...others] = verdicts;
  if (first === undefined) throw new Error("Nothing was decided");
  return others.reduce((a, b) => (STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a), first);
}
