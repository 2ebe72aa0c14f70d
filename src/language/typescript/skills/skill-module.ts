/** What a skill offers, as far as whoever imports it has to know before it runs. */
export type SkillModule = {
  readonly name: string;
  readonly exports: readonly ModuleExport[];
};

export type ModuleExport = {
  readonly name: string;
  /** It is gone when the program runs. */
  readonly isType: boolean;
};

/** The skills that a text imports, by the spellings that it has for them. */
export type ImportedSkills = ReadonlyMap<string, SkillModule>;

/** Where the type check finds a skill, from the program and from other skills. */
export function toCheckedModule(name: string): string {
  return `./skill-${name}`;
}

/** What imports it where it runs. */
export function toRunningModule(name: string): string {
  return `await globalThis.__keyhole.importSkill("${name}")`;
}
