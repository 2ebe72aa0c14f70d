import type { Meaning } from "../../catalog/name-index.ts";
import type { SkillSource } from "../language.ts";
import type { SkillsHeader } from "./told-skills.ts";

/** What the process that reads programs knows of skills: nothing, until it asks. */
export type KnownSkills = {
  /** What spellings mean. What was asked before of the same program is not asked again. */
  find(spellings: Iterable<string>): Promise<ReadonlyMap<string, Meaning<SkillSource>>>;
  /** All that can be imported, once one was asked for that is none. */
  names(): readonly string[];
};

/** @param ask sends the question; the answer comes by `learn` */
export function createKnownSkills(ask: (spellings: readonly string[]) => void): KnownSkills & {
  /** Another program: it may import others, and the same ones may have changed. */
  begin(): void;
  learn(header: SkillsHeader, texts: readonly Buffer[]): void;
} {
  const codes = new Map<number, string>();
  let meanings = new Map<string, Meaning<SkillSource>>();
  let names: readonly string[] = [];
  let gotAnswer = () => {};

  return {
    begin() {
      meanings = new Map();
      names = [];
    },
    async find(spellings) {
      const missing = [...new Set(spellings)].filter((spelling) => !meanings.has(spelling));
      if (missing.length > 0) {
        await new Promise<void>((done) => {
          gotAnswer = done;
          ask(missing);
        });
      }
      return meanings;
    },
    names: () => names,
    learn({ isFresh, texts: numbers, found, names: all = names }, texts) {
      if (isFresh) codes.clear();
      for (const [at, number] of numbers.entries()) codes.set(number, String(texts[at] ?? ""));
      for (const [spelling, meant] of found) {
        const values = meant.map(
          ({ text, ...skill }): SkillSource => ({
            ...skill,
            code: text === undefined ? "" : (codes.get(text) ?? ""),
          }),
        );
        meanings.set(spelling, toMeaning(values));
      }
      names = all;
      gotAnswer();
    },
  };
}

function toMeaning(values: readonly SkillSource[]): Meaning<SkillSource> {
  const [value] = values;
  if (value === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "one", value } : { kind: "many", values };
}
