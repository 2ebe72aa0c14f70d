import type { ServerRecord } from "../../../catalog/tool.ts";
import type { SkillText } from "../../facts/find-facts.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import type { ReadProgram, SkillSource, UsedServers } from "../../language.ts";
import type { KnownSkills } from "../../reading/known-skills.ts";
import { loadSkills, type SkillReader, type WrongSkill } from "../../skills/load-skills.ts";
import { toFactSkill } from "../facts/skill-facts.ts";
import {
  type Finished,
  type OpenedText,
  openText,
  type Prepared,
  prepareOpened,
} from "../prepare/prepare.ts";
import { findMentionedSkills, type MentionedSkill } from "./mentioned-skills.ts";
import type { ImportedSkills, SkillModule } from "./skill-module.ts";

/** A skill that a program imports, read. */
export type ReadSkill = SkillModule & {
  readonly source: SkillSource;
  readonly prepared: Prepared;
  readonly imports: ImportedSkills;
  /** As facts are found in it. */
  text(): SkillText;
  finish(): Finished;
};

export type ReadSkills = {
  /** What is imported stands before what imports it. */
  readonly all: readonly ReadSkill[];
  /** Those that the text itself imports, by its spellings. */
  readonly imports: ImportedSkills;
};

type Opened = { readonly opened: OpenedText; readonly mentioned: readonly MentionedSkill[] };
type Failure = { readonly error: ProgramFailure };

/** Characters of texts that are kept as they were parsed. */
const MAX_KEPT = 4 * 1024 * 1024;
const NONE: ReadSkills = { all: [], imports: new Map() };

export type SkillsReader = {
  /** @param self the skill that the text is, where it is no program */
  load(text: OpenedText, self?: string): Promise<ReadSkills | Failure>;
};

/** Reads the skills that programs import; each text once, as long as what it is read against stays the same. */
export function createSkillsReader(
  known: Pick<KnownSkills, "find" | "names">,
  servers: () => readonly ServerRecord[],
): SkillsReader {
  const texts = createTexts();
  const reader: SkillReader<Opened | Failure> = {
    language: "typescript",
    title: "TypeScript",
    spell: (name) => name,
    read: ({ code, name }) => texts.open(code, name),
    importsOf: (one) => ("error" in one ? [] : one.mentioned.map(({ spelling }) => spelling)),
  };
  return {
    async load(text, self) {
      const mentioned = findMentionedSkills(text.text, text.parsed, self !== undefined);
      if (mentioned.length === 0) return NONE;
      const spellings = mentioned.map(({ spelling }) => spelling);
      const loaded = await loadSkills(spellings, known, reader, self);
      if ("message" in loaded) return { error: toWrong(loaded, text, mentioned) };
      const meanings = await known.find([]);
      const read = new Map<string, ReadSkill>();
      const importsOf = (names: readonly MentionedSkill[]) =>
        new Map(
          names.flatMap(({ spelling }) => {
            const meant = meanings.get(spelling);
            const skill = meant?.kind === "one" ? read.get(meant.value.name) : undefined;
            return skill === undefined ? [] : [[spelling, skill] as const];
          }),
        );
      for (const { source, read: one } of loaded) {
        const skill = "error" in one ? one : texts.prepare(source, one, importsOf(one.mentioned), servers());
        if ("error" in skill) return { error: toBroken(skill.error, source, text, mentioned) };
        read.set(source.name, skill);
      }
      return { all: [...read.values()], imports: importsOf(mentioned) };
    },
  };
}

type Kept = {
  readonly name: string;
  readonly servers: readonly ServerRecord[];
  readonly hash: string;
  readonly imports: ImportedSkills;
  readonly skill: ReadSkill | Failure;
};

function createTexts() {
  let kept = new Map<string, Opened | Failure>();
  let characters = 0;
  const prepared = new WeakMap<Opened, Kept>();

  return {
    open(code: string, name: string): Opened | Failure {
      // The same text may be several skills.
      const key = `${name}\n${code}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const opened = openText(code, true);
      const made =
        "ok" in opened
          ? opened
          : { opened, mentioned: findMentionedSkills(opened.text, opened.parsed, true) };
      if (characters > MAX_KEPT) {
        kept = new Map();
        characters = 0;
      }
      kept.set(key, made);
      characters += code.length;
      return made;
    },
    prepare(
      source: SkillSource,
      one: Opened,
      imports: ImportedSkills,
      servers: readonly ServerRecord[],
    ): ReadSkill | Failure {
      const known = prepared.get(one);
      const isSame =
        known?.servers === servers && known.hash === source.hash && isEqual(known.imports, imports);
      if (known !== undefined && isSame) return known.skill;
      const skill = readSkill(source, one.opened, imports, servers);
      prepared.set(one, { name: source.name, servers, hash: source.hash, imports, skill });
      return skill;
    },
  };
}

function isEqual(some: ImportedSkills, others: ImportedSkills): boolean {
  return some.size === others.size && [...some].every(([spelling, skill]) => others.get(spelling) === skill);
}

function readSkill(
  source: SkillSource,
  opened: OpenedText,
  imports: ImportedSkills,
  servers: readonly ServerRecord[],
): ReadSkill | Failure {
  const prepared = prepareOpened(opened, { servers, skills: imports, skill: source.name });
  if (!prepared.ok) return prepared;
  const finished = prepared.finish();
  if (!finished.ok) return finished;
  let text: SkillText | undefined;
  return {
    name: source.name,
    exports: prepared.exports,
    source,
    prepared,
    imports,
    finish: () => finished,
    text() {
      text ??= toFactSkill({ name: source.name, exports: prepared.exports }, opened, imports);
      return text;
    },
  };
}

/** What the guest needs of skills, and what they use, with what the program uses. */
export function withUsedSkills(program: Finished, skills: readonly ReadSkill[]): ReadProgram {
  if (skills.length === 0) return { ...program, ok: true, skills: [] };
  const finished = skills.map((skill) => skill.finish());
  const all = [program, ...finished];
  return {
    ...program,
    ok: true,
    modules: [...new Set(all.flatMap(({ modules }) => modules))],
    uses: joinUses(all.map(({ uses }) => uses)),
    skills: skills.map(({ source: { name, hash, code: source } }, at) => {
      const { code = "", places = new Int32Array() } = finished[at] ?? {};
      return { name, hash, source, code, places };
    }),
  };
}

function joinUses(all: readonly UsedServers[]): UsedServers {
  return {
    servers: [...new Set(all.flatMap(({ servers }) => servers))],
    aliases: [...new Map(all.flatMap(({ aliases }) => aliases))],
    isOpen: all.some(({ isOpen }) => isOpen),
  };
}

function toWrong(
  { spelling, message, hint, by }: WrongSkill,
  { source }: OpenedText,
  mentioned: readonly MentionedSkill[],
): ProgramFailure {
  const own = by === undefined ? mentioned.find((one) => one.spelling === spelling) : mentioned[0];
  const whole = by === undefined ? message : `${message} (imported by skill "${by.name}")`;
  return toFailure("import", whole, source, own?.at ?? 0, hint);
}

/** A skill that was in order when it was saved, and is not any more. */
function toBroken(
  { message, location, hint }: ProgramFailure,
  { name }: SkillSource,
  { source }: OpenedText,
  mentioned: readonly MentionedSkill[],
): ProgramFailure {
  const place = location === undefined ? "" : `:${location.line}:${location.column}`;
  const at = mentioned[0]?.at ?? 0;
  return toFailure(
    "import",
    `Skill "${name}" can't be used: ${message} (skills/${name}/index.ts${place})`,
    source,
    at,
    hint,
  );
}
