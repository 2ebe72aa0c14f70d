import type { SkillExport } from "../language/skill-export.ts";

export type SkillLanguage = "typescript" | "python";

/** A tool that a skill calls, and the hash of its definition when the skill was checked. */
export type SkillTool = { readonly server: string; readonly tool: string; readonly hash: string };

/**
 * `quarantined`: saved, and usable by its author alone until somebody approves it (config `skills.approval`). `broken`: what it
 * calls is not as it was, or it can't be read. `untrusted`: lies in a folder, and nobody has said yes to what it is there.
 */
export type SkillStatus = "ready" | "quarantined" | "broken" | "untrusted";

/** Of a skill that is ready for one principal: whether it is for others, too. */
export type UsableBy = "author" | "everybody";

/** `own`: of this project. `discovered`: in the folder of another client. `imported`: from a pack. `team`: from a library. */
export type SkillOrigin = "own" | "discovered" | "imported" | "team";

/** The files of a skill: what a version is made of, and what its hash is of. */
export type SkillFiles = {
  /** SKILL.md, as it stands there. */
  readonly manual: string;
  readonly language: SkillLanguage;
  /** index.ts or __init__.py; empty where it is instructions alone. */
  readonly code: string;
  /** tests.ts or tests.py: a program that fails when the skill is wrong. */
  readonly tests?: string;
};

/** What the check of a skill's code found out. */
export type SkillFindings = {
  readonly exports: readonly SkillExport[];
  readonly tools: readonly SkillTool[];
  /** Skills that it imports itself, by name. */
  readonly skills: readonly string[];
  /** Why it can't be used: what the check says, in full. */
  readonly problem?: string;
};

/** One text of a skill. The latest is the skill itself; earlier ones are kept, to be looked at and gone back to. */
export type SkillVersion = SkillFiles &
  SkillFindings & {
    readonly name: string;
    readonly version: number;
    readonly description: string;
    readonly tags: readonly string[];
    /** Of its files. */
    readonly hash: string;
    readonly origin: SkillOrigin;
    /** The principal who saved it; nothing where it was found in the folder. */
    readonly author?: string;
    /** Milliseconds since 1970. */
    readonly savedAt: number;
    /** Whether its code was checked: what nobody has said yes to is not. */
    readonly isChecked: boolean;
    /** Who has said yes to these very files, for everybody. */
    readonly approvedBy?: string;
  };

export type Skill = SkillVersion & {
  readonly status: SkillStatus;
  /** Runs that imported it, and those of them that ended well. */
  readonly uses: number;
  readonly successes: number;
};

/** What somebody wants to have saved. */
export type SkillDraft = {
  readonly name: string;
  readonly description: string;
  readonly code: string;
  readonly language: SkillLanguage;
  readonly tags?: readonly string[] | undefined;
  /** Kept as it was where nothing is said; none by an empty text. */
  readonly tests?: string | undefined;
  /** Of SKILL.md; written by Keyhole where nothing is said. */
  readonly body?: string | undefined;
  /** `own` when nothing is said. */
  readonly origin?: SkillOrigin | undefined;
};

/** What somebody else wrote, and what was found of it here. */
export type TakenSkill = {
  readonly name: string;
  readonly files: SkillFiles;
  readonly origin: "imported" | "team";
  readonly findings: SkillFindings;
  /** Whose word counts as a yes for everybody: a key that the user trusts. */
  readonly approvedBy?: string | undefined;
};

/** On whose behalf something is done, and in which run. */
export type SkillActor = {
  readonly principal: string;
  readonly session?: string | undefined;
  readonly run?: string | undefined;
};

/** What became of a skill. `edited`, `gone`: in its folder, by hand. `broken`, `repaired`: what it calls has changed. */
export type SkillChange = {
  readonly skill: string;
  readonly change:
    | "saved"
    /** From a pack; from the team's library. */
    | "imported"
    | "received"
    /** Into a pack; into the team's library. */
    | "exported"
    | "published"
    | "restored"
    | "removed"
    | "approved"
    | "revoked"
    | "edited"
    | "gone"
    | "broken"
    | "repaired";
  /** Of its files. */
  readonly hash: string;
  /** Nothing where nobody asked for it. */
  readonly by?: SkillActor;
};

/** A version that the check refuses as things are now. */
export type RefusedVersion = { readonly version: number; readonly problem: string };

/** Which version's text it has now, and those that were passed over. */
export type RestoredSkill = Skill & {
  readonly restored: number;
  readonly refused: readonly RefusedVersion[];
};

/** Where skills are kept: versions in the database, which is the record, the latest in the folder `skills/<name>/`. */
export type Skills = {
  /** All there are, by name, as of the last look: also those that can't be used. The same list as long as nothing changed. */
  list(): readonly Skill[];
  /** By its name, or any spelling that means one alone: `sum_up` and `sumUp` are `sum-up`. */
  get(name: string): Skill | undefined;
  /**
   * As they are for one principal: its own are not quarantined for it. Of what nobody has said yes to, it is told that it is
   * there, and no word that its author wrote.
   */
  visibleTo(principal: string): readonly Skill[];
  /** Told after each change, also by others. */
  onUpdate(listener: () => void): () => void;
  /** Takes up what people and other processes changed; of all skills, or of these and what they import. */
  look(names?: readonly string[]): Promise<void>;
  /** What lies in `skills/` and can't be taken for a skill, and why, by the folder's name. */
  faults(): ReadonlyMap<string, string>;
  /** Refused where the check refuses it: then nothing is changed. */
  save(draft: SkillDraft, by: SkillActor): Promise<Skill>;
  /** Keeps it as it is, also where it does not fit what is here; quarantined for everybody, unless somebody's word counts. */
  take(skill: TakenSkill, by: SkillActor): Promise<Skill>;
  /** What `save` would come to. */
  trySave(draft: SkillDraft, by: SkillActor): Promise<Skill>;
  /** The latest first; also of one that was removed. */
  versions(name: string): Promise<readonly SkillVersion[]>;
  /**
   * Saves an earlier version again, as the latest. Without a number the newest of those before the text that it has now, each time
   * further back, or the last one of a removed skill; what the check refuses is passed over.
   */
  rollback(name: string, by: SkillActor, version?: number): Promise<RestoredSkill>;
  /** Its versions are kept: `rollback` brings it back. */
  remove(name: string, by: SkillActor): Promise<void>;
  /** Says yes, for everybody, to its files as they were shown. */
  approve(name: string, by: SkillActor, hash: string): Promise<Skill>;
  /** All who have said yes to anything, also to what is not the latest. */
  approvers(): Promise<readonly string[]>;
  /** Takes back every yes of this principal; tells how many skills that concerns. */
  revoke(by: SkillActor): Promise<number>;
  /** What a later check found of these files: a problem makes them broken, none makes them ready again. */
  checked(name: string, hash: string, findings: SkillFindings): Promise<void>;
  /** A run that imported them has ended. */
  counted(names: readonly string[], ok: boolean): Promise<void>;
};
