/** What a module of a skill has for others. */
export type SkillExport = {
  readonly name: string;
  readonly kind: "function" | "value" | "type";
  /** As its language writes it. */
  readonly signature: string;
  /** The first sentence of what is written above it. */
  readonly description?: string;
};
