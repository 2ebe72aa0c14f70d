import type { Catalog } from "../../catalog/catalog.ts";
import type { KeyholeConfig } from "../../config/schema.ts";
import { createSkillNames } from "../../language/skills/skill-names.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { openSkills } from "../../skills/open-skills.ts";
import type { Skill, SkillActor, SkillChange, SkillDraft, Skills } from "../../skills/skill.ts";
import { toSkillOf, toUsableBy } from "../../skills/skill-status.ts";
import type { StateDir } from "../../store/state-dir.ts";
import type { Memory } from "../memory/open-memory.ts";
import { toNeededServers } from "../needed-servers.ts";
import type { OpenLanguages } from "../open-languages.ts";
import type { Judge } from "../policy/judge-program.ts";
import type { Project } from "../project.ts";
import { createSkillCheck, type SkillCheck } from "./check-skill.ts";
import type { DiscoveredSkills } from "./discovered-skills.ts";
import { createDrift } from "./drift.ts";
import { mentionedSkills } from "./mentioned-skills.ts";
import { createOfferedSkills, type OfferedSkills } from "./offered-skills.ts";
import { refusePersonal } from "./refuse-personal.ts";
import { toSaved } from "./save-skill.ts";
import type { RestoredAnswer, SavedSkill } from "./saved-skill.ts";
import { createSeenSkills, type SeenSkills } from "./seen-skills.ts";
import { createSettledSources, type SettledSources } from "./settled-sources.ts";
import type { ImportedSkill } from "./sharing/import-skills.ts";
import { type ApprovalReview, assertApprovable, reviewApproval } from "./sharing/review-approval.ts";
import { createSharing, type SkillSharing } from "./sharing/skill-sharing.ts";
import { createSkillSources } from "./skill-sources.ts";
import { createSkillViews, type SkillViews } from "./skill-views.ts";

/** The skills of a project, put together with what checks them. */
export type EngineSkills = {
  readonly store: Skills;
  /** Before a program is read: what its principal may import of what it will ask for, each as it is then. */
  prepare(code: string, principal: string, signal: AbortSignal): Promise<SettledSources>;
  /** One as it is now, for this principal: of the project, else of another client. */
  find(spelling: string, principal: string): Promise<Skill | undefined>;
  /** Those that this principal may use. */
  namesFor(principal: string): readonly string[];
  /** For whoever searches, or reads `./skills`: those of other clients, too. */
  readonly views: SkillViews;
  readonly offered: OfferedSkills;
  /** @param options `isTried`: it is checked like any other, and nothing is written */
  save(draft: SkillDraft, by: SkillActor, options?: { readonly isTried?: boolean }): Promise<SavedSkill>;
  rollback(name: string, by: SkillActor, version?: number): Promise<RestoredAnswer>;
  /** What a person decides by before everybody may use it as it is now. */
  reviewApproval(skill: Skill, by: SkillActor): Promise<ApprovalReview>;
  /** Says yes to what was reviewed; refused where the check refuses it. */
  approve(review: ApprovalReview, by: SkillActor): Promise<Skill>;
  /** What comes from others and goes to them. */
  readonly sharing: SkillSharing;
  /** A run that imported these has ended. */
  used(names: readonly string[], ok: boolean): Promise<void>;
};

export type EngineSkillsContext = {
  readonly project: Project;
  readonly projectDir: string;
  readonly state: StateDir;
  readonly memory: Memory;
  readonly catalog: Catalog;
  readonly languages: OpenLanguages;
  readonly judge: Judge;
  readonly checkTypes: boolean;
  readonly settings: KeyholeConfig["skills"];
  readonly isTrusted: boolean;
  readonly discovered: DiscoveredSkills;
  privacyOf(principal: string): Promise<Pick<WorkspacePrivacy, "knownIn" | "mask">>;
  onChange(change: SkillChange): void;
  onNotice(text: string): void;
};

export function openEngineSkills(context: EngineSkillsContext): EngineSkills {
  const { projectDir, state, memory, catalog, settings, isTrusted, onNotice } = context;
  const store = openSkills({
    ...{ projectDir, state, isTrusted, onNotice },
    ...{ approval: settings.approval, maxVersions: settings.maxVersions },
    database: memory.database,
    onWritten: memory.wrote,
    check: (name, files, principal) => checkNow(name, files, principal),
    onChange(change) {
      context.onChange(change);
      if (ALTERED.includes(change.change)) follow(change.skill);
    },
  });
  const check = createSkillCheck({ ...context, sources: (principal) => sources(principal) });
  const seen = createSeenSkills(store, context.discovered, check);
  const sources = createSkillSources(store, seen);
  const drift = createDrift({ catalog, store, check });
  /** What the catalogue remembers of a server may be what it was yesterday: that is no reason to refuse. */
  const checkNow: SkillCheck = async (name, files, principal) => {
    const findings = await check(name, files, principal);
    if (findings.problem === undefined) return findings;
    const named = toNeededServers(files.code, catalog.entries());
    return (await drift.bringUpToDate(named)) ? check(name, files, principal) : findings;
  };

  let following: Promise<void> = Promise.resolve();

  /** Those that import it are held to what it is now. */
  function follow(name: string): void {
    following = following
      .then(() => store.look([name]))
      .then(() => drift.dependents(name))
      // What can't be checked now is told by the program that uses it.
      .catch(() => {});
  }

  /** Those that import it and can be used. */
  const importing = (name: string): string[] =>
    store
      .list()
      .filter(({ skills, status }) => skills.includes(name) && status !== "broken")
      .map((skill) => skill.name);

  /** Which of these are broken, once all that follows from a change was looked at. */
  async function brokenOf(names: readonly string[]): Promise<{ breaks?: readonly string[] }> {
    await following;
    const breaks = names.filter((name) => store.get(name)?.status === "broken");
    return breaks.length > 0 ? { breaks } : {};
  }

  function toAnswer(skill: Skill, { principal }: SkillActor): SavedSkill {
    const seen = toSkillOf(skill, principal, settings.approval);
    const usableBy = toUsableBy(skill, seen);
    return { ...toSaved(seen), ...(usableBy && { usableBy }) };
  }

  async function lookFor(names: readonly string[], signal: AbortSignal): Promise<void> {
    await sharing.freshen(signal);
    await store.look(names);
    await following;
    await drift.settle(names, signal);
  }

  const sharing = createSharing({
    ...{ project: context.project, store, check, sources, onNotice },
    onChange: context.onChange,
    privacyOf: context.privacyOf,
  });

  /** Of those that others gave, what they took back is gone. */
  const fresh: SeenSkills = {
    ...seen,
    async look() {
      await sharing.freshen();
      await seen.look();
    },
  };

  return {
    store,
    async find(spelling, principal) {
      await lookFor([spelling], never);
      const found = store.get(spelling);
      if (found !== undefined) return store.visibleTo(principal).find(({ name }) => name === found.name);
      await seen.look();
      const others = seen.visibleTo(principal).filter(({ origin }) => origin === "discovered");
      const meant = createSkillNames(others).find(spelling);
      return meant.kind === "one" ? meant.value : undefined;
    },
    namesFor: (principal) =>
      seen
        .visibleTo(principal)
        .filter(({ status }) => status === "ready")
        .map(({ name }) => name),
    sharing: {
      ...sharing,
      async take(review, by) {
        const taken = await sharing.take(review, by);
        await following;
        return taken.map((one) => withState(one, store.get(one.name)));
      },
    },
    views: createSkillViews(fresh),
    offered: createOfferedSkills(fresh),
    prepare: (code, principal, signal) =>
      createSettledSources(
        { look: (names) => lookFor(names, signal), sources: () => sources(principal), onNotice },
        mentionedSkills(code),
      ),
    async save(draft, by, { isTried = false } = {}) {
      refusePersonal(draft, await context.privacyOf(by.principal));
      if (isTried) return toSaved(await store.trySave(draft, by));
      const usable = importing(draft.name);
      const saved = toAnswer(await store.save(draft, by), by);
      return { ...saved, ...(await brokenOf(usable)) };
    },
    async rollback(name, by, version) {
      const usable = importing(store.get(name)?.name ?? name);
      const gone = await store.rollback(name, by, version);
      const { restored, refused } = gone;
      return { ...toAnswer(gone, by), restored, refused, ...(await brokenOf(usable)) };
    },
    reviewApproval: (skill, by) =>
      reviewApproval({ project: context.project, store, check: checkNow, sources }, skill, by),
    async approve(review, by) {
      assertApprovable(review);
      const { skill, findings } = review;
      await store.approve(skill.name, by, skill.hash);
      await store.checked(skill.name, skill.hash, findings);
      await following;
      return store.get(skill.name) ?? skill;
    },
    used: (names, ok) => store.counted(names, ok),
  };
}

const never = new AbortController().signal;

const ALTERED: readonly SkillChange["change"][] = [
  ...(["saved", "approved", "restored", "edited", "removed", "gone"] as const),
  ...(["imported", "received"] as const),
];

/** What came with it can have mended it since. */
function withState(
  { name, version, state, ...before }: ImportedSkill,
  now: Skill | undefined,
): ImportedSkill {
  const { status, problem } = now ?? before;
  return { name, version, status, state, ...(problem !== undefined && { problem }) };
}
