import type { SkillSource } from "../language.ts";
import { isImportable, skillNamesOf } from "../skills/skill-names.ts";
import { MAX_PROGRAM, MAX_SKILLS, MAX_SKILLS_TEXT } from "./limits.ts";

/** What one process that reads programs has been told of skills: a text goes there once, however many programs import it. */
export type ToldSkills = {
  /** Another program begins to ask. */
  begin(): void;
  /** What this program was given: a process that was taken over can't name what it likes. */
  given(name: string): SkillSource | undefined;
  /** JSON and texts of what it asks for. */
  answer(
    asked: readonly string[],
    skills: readonly SkillSource[],
  ): { readonly header: SkillsHeader; readonly texts: readonly Buffer[] };
};

/** What the host says of skills. */
export type SkillsHeader = {
  readonly kind: "skills";
  /** All texts that were told before are forgotten. */
  readonly isFresh?: true;
  readonly found: readonly (readonly [asked: string, meant: readonly ToldSkill[]])[];
  /** The numbers of the texts that come along. */
  readonly texts: readonly number[];
  /** All that can be imported, where one that was asked for is none: whoever may not use one is not told that it is there. */
  readonly names?: readonly string[];
};

/** `text` is its number; one that can't be imported has none. */
export type ToldSkill = Omit<SkillSource, "code"> & { readonly text?: number };

/** Characters of texts that a process is left with. */
const MAX_KEPT = 32 * 1024 * 1024;
/** Of one question. */
export const MAX_ASKED = 500;
const MAX_MEANT = 10;
const MAX_NAMES = 20_000;
const TOO_LARGE = { why: `is larger than ${MAX_PROGRAM} characters` };
const TOO_MANY = { why: `comes after the ${MAX_SKILLS} skills that a program can import` };
const TOO_MUCH = {
  why: `and the others that the program imports are larger than ${MAX_SKILLS_TEXT} characters`,
};

export function createToldSkills(): ToldSkills {
  let told = new Map<string, number>();
  let kept = 0;
  let next = 1;
  let given = new Map<string, SkillSource>();
  let givenCharacters = 0;

  /** Why this program gets no more. */
  function excess({ name, code }: SkillSource): SkillSource["unavailable"] {
    if (given.has(name)) return undefined;
    if (code.length > MAX_PROGRAM) return TOO_LARGE;
    if (given.size >= MAX_SKILLS) return TOO_MANY;
    return givenCharacters + code.length > MAX_SKILLS_TEXT ? TOO_MUCH : undefined;
  }

  return {
    begin() {
      given = new Map();
      givenCharacters = 0;
    },
    given: (name) => given.get(name),
    answer(asked, skills) {
      const names = skillNamesOf(skills);
      const fresh = kept > MAX_KEPT ? { isFresh: true as const } : {};
      if (fresh.isFresh) {
        told = new Map();
        kept = 0;
      }
      const texts = new Map<number, string>();
      const numberOf = (code: string) => {
        const known = told.get(code);
        if (known !== undefined) return known;
        const number = next++;
        told.set(code, number);
        texts.set(number, code);
        kept += code.length;
        return number;
      };
      const toTold = (found: SkillSource): ToldSkill => {
        // What a program imports twice is the same: as it was when it first asked.
        const skill = given.get(found.name) ?? found;
        const { code, name, language, hash } = skill;
        const unavailable = skill.unavailable ?? excess(skill);
        if (unavailable !== undefined) return { name, language, hash, unavailable };
        if (!given.has(name)) givenCharacters += code.length;
        given.set(name, skill);
        return { name, language, hash, text: numberOf(code) };
      };
      const found = asked.slice(0, MAX_ASKED).map((spelling): SkillsHeader["found"][number] => {
        const meant = names.find(spelling);
        if (meant.kind === "one") return [spelling, [toTold(meant.value)]];
        // Which one is meant is not known: their names are all that is told.
        const many = meant.kind === "many" ? meant.values.slice(0, MAX_MEANT) : [];
        return [spelling, many.map(({ name, language, hash }) => ({ name, language, hash }))];
      });
      const isOneMissing = found.some(([, meant]) => meant.length === 0);
      return {
        header: {
          kind: "skills",
          ...fresh,
          found,
          texts: [...texts.keys()],
          ...(isOneMissing && { names: namesOf(skills.filter(isImportable)) }),
        },
        texts: [...texts.values()].map((text) => Buffer.from(text)),
      };
    },
  };
}

function namesOf(skills: readonly SkillSource[]): string[] {
  return skills.slice(0, MAX_NAMES).map(({ name }) => name);
}
