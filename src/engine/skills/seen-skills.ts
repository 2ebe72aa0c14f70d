import { toKeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { DiscoveredSkill } from "../../skills/discovered/find-skills.ts";
import type { Skill, SkillFindings, Skills } from "../../skills/skill.ts";
import { isOwnOf } from "../../skills/skill-status.ts";
import type { SkillCheck } from "./check-skill.ts";
import type { DiscoveredSkills } from "./discovered-skills.ts";
import type { SeenSkill } from "./skill-views.ts";

/** All skills, the project's own and those that lie in the folders of other clients. */
export type SeenSkills = {
  /** What this principal may see of them, by name; the same list until something changes. */
  visibleTo(principal: string): readonly SeenSkill[];
  /** Takes up what was saved by whomever. What was changed in folders is seen the first time, then by the one after. */
  look(): Promise<void>;
  onUpdate(listener: () => void): () => void;
};

export type OwnSkills = Pick<Skills, "list" | "visibleTo" | "look" | "onUpdate">;

/** Ten thousand folders take a while, and nobody waits for it. */
const FOLDERS_EVERY_MS = 2_000;
const NO_FINDINGS: SkillFindings = { exports: [], tools: [], skills: [] };

export function createSeenSkills(
  own: OwnSkills,
  discovered: Pick<DiscoveredSkills, "list" | "onUpdate">,
  check: SkillCheck,
): SeenSkills {
  const findings = new Map<string, SkillFindings>();
  const listeners = new Set<() => void>();
  let views = new Map<string, readonly SeenSkill[]>();
  let made: readonly SeenSkill[] | undefined;
  let first: Promise<void> | undefined;
  let lookedAt = 0;

  function changed(): void {
    views = new Map();
    made = undefined;
    for (const listener of listeners) listener();
  }
  own.onUpdate(changed);
  discovered.onUpdate(changed);

  async function lookAtFolders(): Promise<void> {
    lookedAt = Number.POSITIVE_INFINITY;
    try {
      await own.look();
      await checkNew();
    } finally {
      lookedAt = performance.now();
    }
  }

  const ownNames = () => new Set(own.list().map(({ name }) => name));

  function others(): readonly SeenSkill[] {
    const taken = ownNames();
    made ??= discovered
      .list()
      .filter(({ name }) => !taken.has(name))
      .map((skill) => toSeen(skill, findings.get(skill.hash)));
    return made;
  }

  function toVisible(principal: string): readonly SeenSkill[] {
    const whole = new Map(own.list().map((skill) => [skill.name, skill]));
    const seen = own.visibleTo(principal).flatMap((skill) => toOwn(skill, whole.get(skill.name), principal));
    return [...seen, ...others()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** One after the other: nobody waits for them but who asks for a skill. */
  async function checkNew(): Promise<void> {
    const fresh = discovered
      .list()
      .filter(({ hash, program }) => program !== undefined && !findings.has(hash));
    for (const skill of fresh) findings.set(skill.hash, await findingsOf(skill, check));
    if (fresh.length > 0) changed();
  }

  return {
    visibleTo(principal) {
      const known = views.get(principal) ?? toVisible(principal);
      views.set(principal, known);
      return known;
    },
    async look() {
      first ??= lookAtFolders();
      await first;
      await own.look([]);
      if (performance.now() - lookedAt > FOLDERS_EVERY_MS) void lookAtFolders().catch(() => {});
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What nobody has said yes to is seen by its author alone. */
function toOwn(skill: Skill, whole: Skill | undefined, principal: string): SeenSkill[] {
  const isWaiting = whole?.status === "quarantined";
  if (isWaiting && isOwnOf(whole, principal))
    return [{ ...whole, status: skill.status, isQuarantined: true }];
  return skill.status === "ready" || skill.status === "broken" ? [skill] : [];
}

async function findingsOf(
  { name, text, program }: DiscoveredSkill,
  check: SkillCheck,
): Promise<SkillFindings> {
  if (program === undefined) return NO_FINDINGS;
  try {
    return await check(name, { manual: text, ...program }, LOCAL_PRINCIPAL);
  } catch (error) {
    return { ...NO_FINDINGS, problem: toKeyholeError(error).message };
  }
}

/** Like one of the project's own that somebody has said yes to: the user has, to its content. */
function toSeen(discovered: DiscoveredSkill, findings: SkillFindings = NO_FINDINGS): SeenSkill {
  const { name, manual, program, hash, text } = discovered;
  return {
    ...findings,
    name,
    hash,
    version: 1,
    description: manual.description,
    tags: manual.tags,
    manual: text,
    language: program?.language ?? "typescript",
    code: program?.code ?? "",
    origin: "discovered",
    savedAt: 0,
    isChecked: true,
    status: findings.problem === undefined ? "ready" : "broken",
    uses: 0,
    successes: 0,
    discovered,
  };
}
