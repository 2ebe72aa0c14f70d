import type { Meaning } from "../../catalog/name-index.ts";
import { couldMean, didYouMean } from "../../text/did-you-mean.ts";
import type { SkillSource } from "../language.ts";
import type { KnownSkills } from "../reading/known-skills.ts";

/** One that is read, with what it imports. */
export type LoadedSkill<Read> = {
  readonly source: SkillSource;
  readonly read: Read;
};

/** Why an import of a skill can't be: said of the place where `spelling` stands, in the program or in the skill `by`. */
export type WrongSkill = {
  readonly spelling: string;
  readonly message: string;
  readonly hint: string;
  /** The skill that imports it; nothing where it is the program. */
  readonly by?: SkillSource;
};

export type SkillReader<Read> = {
  /** By its name. */
  readonly language: string;
  /** As a hint has it. */
  readonly title: string;
  /** A skill's name as an import has it. */
  spell(name: string): string;
  read(source: SkillSource): Read;
  /** As they are spelled. */
  importsOf(read: Read): readonly string[];
};

/** Levels of skills that import skills. */
const MAX_DEPTH = 50;

/**
 * All skills that a program imports, and what these import: what is imported stands before what imports it. One that can't be
 * is told with the import that asks for it.
 * @param self the skill that is read, where it is no program
 */
export async function loadSkills<Read>(
  imports: readonly string[],
  known: Pick<KnownSkills, "find" | "names">,
  reader: SkillReader<Read>,
  self?: string,
): Promise<LoadedSkill<Read>[] | WrongSkill> {
  const reads = new Map<string, LoadedSkill<Read> & { readonly imports: readonly string[] }>();
  let open: { readonly spellings: readonly string[]; readonly by?: SkillSource }[] = [{ spellings: imports }];
  // A level at a time, so that the host is asked as often as there are levels.
  for (let depth = 0; open.some(({ spellings }) => spellings.length > 0); depth++) {
    const meanings = await known.find(open.flatMap(({ spellings }) => spellings));
    const next: typeof open = [];
    for (const { spellings, by } of open) {
      for (const spelling of spellings) {
        // It may not be saved yet.
        if (spelling === self && by === undefined) return { ...toCircle([self, self]), spelling };
        const source = toImportable(spelling, meanings.get(spelling), known, reader);
        if ("message" in source) return { ...source, spelling, ...(by && { by }) };
        if (source.name === self && by === undefined) return { ...toCircle([self, self]), spelling };
        if (source.name === self || reads.has(source.name)) continue;
        if (depth >= MAX_DEPTH)
          return {
            spelling,
            ...(by && { by }),
            message: TOO_DEEP,
            hint: "Import what is needed of them directly",
          };
        const read = reader.read(source);
        const own = reader.importsOf(read);
        reads.set(source.name, { source, read, imports: own });
        next.push({ spellings: own, by: source });
      }
    }
    open = next;
  }
  return inOrder(imports, reads, await known.find([]), self);
}

const TOO_DEEP = `Skills import skills more than ${MAX_DEPTH} levels deep`;

type Refusal = Pick<WrongSkill, "message" | "hint">;

function toImportable<Read>(
  spelling: string,
  meant: Meaning<SkillSource> | undefined,
  known: Pick<KnownSkills, "names">,
  reader: SkillReader<Read>,
): SkillSource | Refusal {
  if (meant?.kind === "one") return usable(meant.value, reader);
  const message = `There is no skill "${shorten(reader.spell(spelling))}"`;
  const { spell } = reader;
  if (meant?.kind === "many")
    return { message, hint: couldMean(meant.values.map(({ name }) => spell(name))) };
  const names = known.names().map(spell);
  return { message, hint: didYouMean(spell(spelling), names) ?? toList(names) };
}

function usable<Read>(source: SkillSource, { language, title }: SkillReader<Read>): SkillSource | Refusal {
  const { name, unavailable } = source;
  if (unavailable !== undefined) {
    const { why, fix = "Use another skill, or write what you need of it into the program" } = unavailable;
    return { message: `Skill "${name}" ${why}`, hint: fix };
  }
  if (source.language === language) return source;
  return {
    message: `Skill "${name}" is written in ${source.language}, which a program in ${title} can't import`,
    hint: `Send the program in ${source.language} (language: "${source.language}"), or save the skill in ${title} under another name`,
  };
}

function toList(names: readonly string[]): string {
  if (names.length === 0) return "There are no skills yet: save one with saveSkill";
  return `Skills: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
}

type Known<Read> = LoadedSkill<Read> & { readonly imports: readonly string[] };

/** Goes down each import once, with a stack of its own. */
function inOrder<Read>(
  imports: readonly string[],
  reads: ReadonlyMap<string, Known<Read>>,
  meanings: ReadonlyMap<string, Meaning<SkillSource>>,
  self: string | undefined,
): LoadedSkill<Read>[] | WrongSkill {
  const done: LoadedSkill<Read>[] = [];
  const state = new Map<string, "open" | "done">();
  const path: { readonly skill?: Known<Read>; readonly left: string[] }[] = [
    { left: [...imports].reverse() },
  ];
  for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
    const spelling = here.left.pop();
    if (spelling === undefined) {
      path.pop();
      if (here.skill === undefined) continue;
      state.set(here.skill.source.name, "done");
      done.push({ source: here.skill.source, read: here.skill.read });
      continue;
    }
    const meant = meanings.get(spelling);
    const name = meant?.kind === "one" ? meant.value.name : "";
    const skill = reads.get(name);
    if (name === self || state.get(name) === "open") {
      const names = path.flatMap((one) => one.skill?.source.name ?? self ?? []);
      const circle = toCircle([...names.slice(names.indexOf(name)), name]);
      return { ...circle, spelling, ...(here.skill && { by: here.skill.source }) };
    }
    if (skill === undefined || state.has(name)) continue;
    state.set(name, "open");
    path.push({ skill, left: [...skill.imports].reverse() });
  }
  return done;
}

function toCircle(names: readonly string[]): Refusal {
  const shown = names.length > 12 ? [...names.slice(0, 10), "…", ...names.slice(-1)] : names;
  return {
    message: `Skills import each other in a circle: ${shown.join(" → ")}`,
    hint: "Put what both need into a skill of its own",
  };
}

function shorten(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
