import type { Catalog } from "../../catalog/catalog.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { SecurityLevel } from "../../config/permissions/schema.ts";
import { type ProgramFacts, toPlaceText } from "../../policy/program-facts.ts";
import { assessImpact, type Impact } from "../../policy/risk/impact.ts";
import { assessRisk } from "../../policy/risk/risk.ts";
import type { Risk } from "../../policy/risk/score.ts";
import { type Finding, isRefused, validate } from "../../policy/validate/validate.ts";
import type { RunFailure } from "../../run-failure.ts";

/** @param language whose names are told */
export type Judge = (facts: ProgramFacts, language?: string) => Judgement;

export type Judgement = {
  readonly findings: readonly Finding[];
  readonly risk: Risk;
  readonly impact: Impact;
  /** Why it does not run. */
  readonly refusal?: RunFailure;
};

export type JudgeOptions = {
  readonly catalog: Pick<Catalog, "entry">;
  readonly level: SecurityLevel;
  decide?(tool: ToolRecord): "allow" | "ask" | "deny";
};

/** What is said of a program before it runs: what it is refused for, and how much it risks. */
export function createJudge({ catalog, level, decide }: JudgeOptions): Judge {
  return (facts, language) => {
    const findings = validate(facts, level, language);
    const tool = createToolOf(catalog);
    const risk = assessRisk(facts, { tool, findings, ...(decide && { decide }) });
    const impact = assessImpact(facts, { tool });
    return { findings, risk, impact, ...(isRefused(findings) && { refusal: toRefusal(findings) }) };
  };
}

export function createToolOf(
  catalog: Pick<Catalog, "entry">,
): (server: string, name: string) => ToolRecord | undefined {
  return (server, name) => catalog.entry(server)?.record?.tools.find((tool) => tool.name === name);
}

const MAX_TOLD = 5;

function toRefusal(findings: readonly Finding[]): RunFailure {
  const errors = findings.filter(({ severity }) => severity === "error");
  const lines = errors
    .slice(0, MAX_TOLD)
    .map(({ message, fix, ...place }) => `${toPlaceText(place)} ${message}\n  ${fix}`);
  if (errors.length > MAX_TOLD) lines.push(`and ${errors.length - MAX_TOLD} more`);
  const first = errors.find(({ skill }) => skill === undefined);
  return {
    kind: "denied",
    message: lines.join("\n"),
    findings: errors.map(({ severity: _severity, ...finding }) => finding),
    hint: "Write it so that it can be read; nothing of it has run",
    ...(first && { location: { line: first.line, column: first.column } }),
  };
}
