import type { ServerRecord } from "../catalog/tool.ts";
import type { Printer } from "../codegen/printer.ts";
import type { ProgramFacts } from "../policy/program-facts.ts";
import type { RefusedProgram, WrongTypes } from "../run-failure.ts";
import type { GuestSpec } from "../sandbox/guest-spec.ts";
import type { PlaceTable } from "./place-table.ts";
import type { Unavailable } from "./reading/unavailable.ts";
import type { SkillExport } from "./skill-export.ts";

/** A language that programs can be written in: all that the engine knows of it. How to add one is in docs/language.md. */
export type Language = {
  readonly name: string;
  /** As a person writes it. */
  readonly title: string;
  /** What else people and models call it. */
  readonly aliases: readonly string[];
  /** How tools are named and written in it: `./servers`, `keyhole generate`, signatures. */
  readonly printer: Printer;
  /** What runs its programs. */
  readonly guest: GuestSpec;
  /** The file that is the code of a skill, where it has skills: `index.ts` in `skills/<name>/`. */
  readonly skillFile?: string;
  /** What makes a program of a text and checks it. The texts are hostile: no parser or compiler works in this process. */
  createReaders(world: ReaderWorld): Readers;
  /** A program that gives the version of what runs it, where a machine may have several. */
  readonly versionProgram?: string;
  /** Whether a text for which no language is named can't be meant to be anything else. By a look at it, without a parser. */
  looksLike?(text: string): boolean;
  /** Begins with what takes longest, for whoever knows that a program comes before there is an engine. */
  startEarly?(): void;
};

/** What a program is read against. */
export type ReaderWorld = {
  /** What there is now; asked for each program. */
  servers(): readonly ServerRecord[];
  unavailable?(): Unavailable;
  /** Whether types will be checked: then what checks them is started along. */
  readonly types?: boolean;
  /** Whether Keyhole stays for more programs: then the time between them is used to read those after as fast as can be. */
  readonly stays?: boolean;
};

export type Readers = {
  read(source: string, options: ReadingOptions): Promise<ReadResult>;
  /** Starts what the first program would otherwise wait for. */
  warm(): Promise<void>;
  /** Of the processes that read. */
  readonly pids: readonly number[];
  close(): void;
};

export type ReadingOptions = {
  readonly types: boolean;
  /** Whose program it is: who has used more time waits behind who has used less. */
  readonly turn?: string;
  /**
   * What it may import, and what it may not and why. Asked for each level of what it imports, with the spellings that the parser
   * found there, and only for a program that imports a skill; the same list as long as nothing has changed, since names are looked
   * up in what is made of it.
   */
  skills?(asked: readonly string[]): readonly SkillSource[] | Promise<readonly SkillSource[]>;
  /** Read as the module of the skill of this name, not as a program. */
  readonly skill?: string;
};

/** A skill as it was written. */
export type SkillSource = {
  /** Of the letters a to z, digits and single hyphens. Programs may spell it as their language does. */
  readonly name: string;
  /** By the name of its `Language`. */
  readonly language: string;
  readonly code: string;
  readonly hash: string;
  /** Why programs can't import it; then its code is not looked at. */
  readonly unavailable?: {
    /** What comes after its name: `is quarantined until somebody else approves it`. */
    readonly why: string;
    readonly fix?: string;
  };
};

export type ReadResult = (ReadProgram | ReadFailure) & {
  /** What to write for a server whose name is something else in programs, should the program fail. */
  readonly renamed?: string;
  /** What it does, wherever it could be parsed. */
  readonly facts?: ProgramFacts;
  /** Of what was read as a skill. */
  readonly exports?: readonly SkillExport[];
  /** Of the time that it took, what went into the type check. */
  readonly checkMs: number;
};

/** A program that is ready to run. */
export type ReadProgram = {
  readonly ok: true;
  /** What the language's guest runs. */
  readonly code: string;
  readonly places: PlaceTable;
  /** Its skills' too, as are the modules. */
  readonly uses: UsedServers;
  /** Modules of the guest's own that it uses. */
  readonly modules: readonly string[];
  /** All that it imports, and what these import, each once: what is imported stands before what imports it. */
  readonly skills: readonly UsedSkill[];
  /** What to write instead, should the program return and print nothing. */
  readonly hint?: string;
  /** Why the types were not checked. */
  readonly skipped?: string;
  /** What does not fit results as they were observed. */
  readonly hints?: readonly string[];
};

/** A skill that is ready to run. */
export type UsedSkill = {
  readonly name: string;
  /** Of the source. */
  readonly hash: string;
  readonly source: string;
  /** What the language's guest makes a module of. */
  readonly code: string;
  readonly places: PlaceTable;
};

export type ReadFailure = { readonly ok: false; readonly error: RefusedProgram | WrongTypes };

/** The servers that a program can reach, as plain data. */
export type UsedServers = {
  /** Configured names. */
  readonly servers: readonly string[];
  /** Each other spelling that the program uses, and the identifier of what it means. */
  readonly aliases: readonly (readonly [alias: string, identifier: string])[];
  /** The program can put a name together and look it up: then it can mean any server. */
  readonly isOpen: boolean;
};
