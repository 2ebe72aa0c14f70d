import { errorMessage } from "../../errors.ts";
import type { SkillSource } from "../../language/language.ts";
import { isSkillName, skillNamesOf } from "../../language/skills/skill-names.ts";

/** What may be imported of these spellings, each as it is now. */
export type SettledSources = (asked: readonly string[]) => Promise<readonly SkillSource[]>;

export type SettledSourcesContext = {
  /** Afterwards these are as they are in their folders and records now, and as the tools are that they call. */
  look(names: readonly string[]): Promise<void>;
  sources(): readonly SkillSource[];
  onNotice(text: string): void;
};

/**
 * For one program: nothing that it imports is taken from memory unlooked at, however it is spelled. What the parser found counts,
 * and not what its text looks like.
 * @param guessed what it may import: looked at before anybody waits for it
 */
export async function createSettledSources(
  { look, sources, onNotice }: SettledSourcesContext,
  guessed: readonly string[],
): Promise<SettledSources> {
  const looked = new Set<string>();

  async function lookOnce(names: readonly string[]): Promise<void> {
    await look(names);
    for (const name of names) looked.add(name);
  }

  /** A look may change what a spelling means: until all that is meant was looked at. */
  async function settle(asked: readonly string[]): Promise<readonly SkillSource[]> {
    for (;;) {
      const known = sources();
      const fresh = toMeant(asked, known).filter((name) => !looked.has(name));
      if (fresh.length === 0) return known;
      await lookOnce(fresh);
    }
  }

  // A program can mention them without a use for them: what fails is told when they are asked for.
  if (guessed.length > 0) await lookOnce(guessed).catch(() => {});

  return async (asked) => {
    try {
      return await settle(asked);
    } catch (error) {
      onNotice(`Skills can't be looked at: ${errorMessage(error)}`);
      return toRefused(asked, sources());
    }
  };
}

function toMeant(asked: readonly string[], known: readonly SkillSource[]): string[] {
  const names = skillNamesOf(known);
  const meant = asked.flatMap((spelling) => {
    const one = names.find(spelling);
    return one.kind === "one" ? [spelling, one.value.name] : [spelling];
  });
  return [...new Set(meant)];
}

/** They may have been changed, removed or forbidden since. */
function toRefused(asked: readonly string[], known: readonly SkillSource[]): SkillSource[] {
  const names = new Set([...known.map(({ name }) => name), ...asked.filter(isSkillName)]);
  return [...names].map((name) => ({ name, language: "", code: "", hash: "", unavailable: NOT_LOOKED_AT }));
}

const NOT_LOOKED_AT = {
  why: "can't be used now: what it is by now could not be looked up",
  fix: "Run the program again; the log of the gateway says what is wrong",
};
