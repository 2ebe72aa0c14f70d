import type { Catalog } from "../catalog/catalog.ts";
import type { ToolRecord } from "../catalog/tool.ts";
import type { Decision } from "../config/permissions/schema.ts";
import type { Language, ReadingOptions, ReadResult } from "../language/language.ts";
import { findLanguage, guessLanguage, LANGUAGES } from "../language/languages.ts";
import type { Policy, PolicyVerdict } from "../policy/permissions/policy.ts";
import type { CommandUse, HostUse, ProgramFacts } from "../policy/program-facts.ts";
import { assessImpact, type Impact, type TouchedTool } from "../policy/risk/impact.ts";
import type { Risk } from "../policy/risk/score.ts";
import type { Finding } from "../policy/validate/validate.ts";
import type { RunTier } from "../result/receipt.ts";
import { createTierStates, type MissingTier } from "../sandbox/tier-states.ts";
import { createSession, type Session } from "../session.ts";
import { VERSION } from "../version.ts";
import { createCommandVerdicts, createHostVerdicts, type Decided } from "./policy/decide-reach.ts";
import { createJudge, createToolOf } from "./policy/judge-program.ts";
import { openPolicy } from "./policy/open-policy.ts";
import { toSecurityLevel } from "./policy/security-level.ts";
import type { Project } from "./project.ts";
import { withSkillSources } from "./skills/with-skill-sources.ts";
import { chooseTier } from "./tiers/choose-tier.ts";
import { toTiers } from "./tiers/configured-tiers.ts";
import { toUnavailable } from "./unavailable.ts";

/** What can be said of a program without running it. */
export type ProgramCheck = {
  /** It would run. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** Why it is no program that fits its tools. */
  readonly types: readonly ProgramMistake[];
  readonly risk: Risk;
  readonly impact: Omit<Impact, "tools" | "hosts" | "commands"> & {
    readonly tools: readonly DecidedTool[];
    readonly hosts: readonly (HostUse & Decided)[];
    readonly commands: readonly (CommandUse & Decided)[];
  };
  /** The strictest of what holds for its parts; each call is decided again, with its arguments. */
  readonly decision: Decision;
  /** Where it would run. */
  readonly tier: CheckedTier;
};

/** `missing`: it must run there and would not run at all, and why and what to do. */
export type CheckedTier = RunTier & { readonly missing?: MissingTier };

export type DecidedTool = TouchedTool & Decided;

export type ProgramMistake = {
  readonly kind: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
};

/** Without a language, by what the code looks like. */
export type CheckRequest = {
  readonly code: string;
  readonly language?: string | undefined;
  /** It is read as the module of this skill. */
  readonly skill?: string | undefined;
  /** What it may import. */
  readonly skills?: ReadingOptions["skills"] | undefined;
};

const NO_FACTS: ProgramFacts = {
  lines: 0,
  complexity: 0,
  hits: [],
  moreHits: 0,
  tools: [],
  dynamic: [],
  files: [],
  hosts: [],
  commands: [],
  flows: [],
};
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Reads a program, in another process, and judges it. Nothing is run, no tool is called. */
export async function checkProgram(
  project: Project,
  { code, language, skill, skills = () => [] }: CheckRequest,
): Promise<ProgramCheck> {
  const { catalog, config } = project;
  const named = language === undefined ? undefined : findLanguage(language, LANGUAGES);
  const meant = named ?? guessLanguage(code, LANGUAGES);
  const read =
    skill === undefined
      ? await withSkillSources(project, (known) => readProgram(meant, code, catalog, { skills: known }))
      : await readProgram(meant, code, catalog, { skill, skills });
  const facts = read.facts ?? NO_FACTS;
  const { policy } = openPolicy(project);
  await policy.ready();
  const verdictOf = createVerdicts(policy);
  const tool = createToolOf(catalog);
  const level = toSecurityLevel(config.policies);
  const judge = createJudge({
    catalog,
    level,
    decide: (record) => verdictOf(record).decision,
  });
  const { findings, risk, refusal } = judge(facts, meant?.name);
  const impact = assessImpact(facts, { tool });
  const tools = impact.tools.map((use): DecidedTool => {
    const record = tool(use.server, use.tool);
    return record === undefined ? use : { ...use, ...toDecided(verdictOf(record)) };
  });
  const ofHost = createHostVerdicts(project);
  const ofCommand = createCommandVerdicts(project, policy);
  const hosts = impact.hosts.map((use) => ({ ...use, ...ofHost(use) }));
  const commands = impact.commands.map((use) => ({ ...use, ...ofCommand(use) }));
  const types = toMistakes(read);
  const isUnread = read.facts === undefined;
  const decisions = [
    ...[...tools, ...hosts, ...commands].flatMap(({ decision }) => decision ?? []),
    ...toPossible(facts, catalog, verdictOf),
  ];
  const decision = refusal || isUnread ? "deny" : strictest(decisions);
  // Where it runs is decided before anything is asked of the policy.
  const placing = read.facts && createJudge({ catalog, level })(read.facts).risk;
  const tier = await placeChecked(project, placing);
  const ok = types.length === 0 && decision !== "deny" && tier.missing === undefined;
  return { ok, findings, types, risk, impact: { ...impact, tools, hosts, commands }, decision, tier };
}

async function placeChecked({ config }: Project, risk: Risk | undefined): Promise<CheckedTier> {
  const wish = {
    level: toSecurityLevel(config.policies),
    mode: config.config.sandboxMode,
    risk: risk?.level,
  };
  const { ok: _ok, ...tier } = await chooseTier(wish, createTierStates(toTiers(config.config)));
  return tier;
}

async function readProgram(
  language: Language,
  code: string,
  catalog: Catalog,
  among: { readonly skill?: string; readonly skills: NonNullable<ReadingOptions["skills"]> },
): Promise<ReadResult> {
  const records = catalog
    .entries()
    .flatMap(({ record, status }) => (record && status !== "disabled" ? [record] : []));
  const world = { servers: () => records, unavailable: () => toUnavailable(catalog.entries()), types: true };
  const readers = language.createReaders(world);
  try {
    return await readers.read(code, { types: true, ...among });
  } finally {
    readers.close();
  }
}

/** Where the policy comes in: what it says of each tool as long as its arguments are not known. */
function createVerdicts(policy: Policy): (tool: ToolRecord) => PolicyVerdict {
  const session: Session = createSession({ client: { name: "keyhole check", version: VERSION } });
  const { principal, id, client } = session;
  return (tool) =>
    policy.explain({ tool, args: {}, principal, session: id, client: client.name, now: new Date() });
}

/** Of tools that can't be read off the program, whether one would have to be asked for. */
function toPossible(
  { dynamic }: ProgramFacts,
  catalog: Catalog,
  verdictOf: (tool: ToolRecord) => PolicyVerdict,
): Decision[] {
  const isMeant = (name: string) => dynamic.some(({ server }) => server === undefined || server === name);
  const meant = catalog.entries().filter(({ name, status }) => status !== "disabled" && isMeant(name));
  // What a server has that was not asked for it is not known.
  const asks = meant.some(
    ({ record }) => !record || record.tools.some((tool) => verdictOf(tool).decision !== "allow"),
  );
  return asks ? ["ask"] : [];
}

function toDecided({ decision, reason }: PolicyVerdict): { decision: Decision; reason: string } {
  return { decision, reason };
}

function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce((a, b) => (STRICTNESS[b] > STRICTNESS[a] ? b : a), "allow");
}

function toMistakes(read: ReadResult): ProgramMistake[] {
  if (read.ok) return [];
  const { error } = read;
  if (error.kind === "types")
    return error.errors.map(({ line, column, message, hint }) => ({
      kind: "types",
      line,
      column,
      message,
      ...(hint !== undefined && { hint }),
    }));
  const { kind, message, hint, location } = error;
  const { line, column } = location ?? { line: 1, column: 1 };
  return [{ kind, line, column, message, ...(hint !== undefined && { hint }) }];
}
