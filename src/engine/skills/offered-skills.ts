import type { JsonObject } from "../../config/files/json-value.ts";
import { ALL_PRINTERS } from "../../language/languages.ts";
import { readManualHead, toManualBody } from "../../skills/skill-manual.ts";
import type { FileOfSkill } from "../own-tools/skills-folder.ts";
import type { SeenSkills } from "./seen-skills.ts";
import { type SeenSkill, toInFolder } from "./skill-views.ts";

/** Skills as they are handed to clients. */
export type OfferedSkills = {
  /** Those that this principal may use, by name. */
  list(principal: string): Promise<readonly OfferedSkill[]>;
  /** Told when what this principal may use is another than it was last told of, or has listed. */
  onUpdate(principal: string, listener: () => void): () => void;
};

export type OfferedSkill = {
  readonly name: string;
  readonly description: string;
  /** The head of its SKILL.md, as it stands there. */
  readonly head: JsonObject;
  /** Of its SKILL.md, below the head. */
  readonly body: string;
  /** The line by which a program imports it; nothing for instructions alone. */
  readonly importLine?: string;
  readonly files: readonly FileOfSkill[];
};

/** Whoever has no skills of their own: what this one sees, everybody does. */
export const ANYBODY = "";

export function createOfferedSkills(skills: SeenSkills): OfferedSkills {
  const known = new WeakMap<readonly SeenSkill[], readonly OfferedSkill[]>();
  const offeredTo = (principal: string) => {
    const seen = skills.visibleTo(principal);
    const offered = known.get(seen) ?? seen.filter(({ status }) => status === "ready").map(toOffered);
    known.set(seen, offered);
    return offered;
  };
  const listeners = new Map<() => void, string>();
  const stamps = new Map<string, string>();
  const stampOf = (principal: string) =>
    JSON.stringify(skills.visibleTo(principal).map(({ name, hash, status }) => [name, hash, status]));

  skills.onUpdate(() => {
    for (const principal of new Set(listeners.values())) {
      const before = stamps.get(principal);
      const now = stampOf(principal);
      stamps.set(principal, now);
      // Who has listed nothing yet has nothing that could be old.
      if (before === undefined || before === now) continue;
      for (const [listener, whose] of listeners) if (whose === principal) listener();
    }
  });

  return {
    async list(principal) {
      await skills.look();
      if (!stamps.has(principal)) stamps.set(principal, stampOf(principal));
      return offeredTo(principal);
    },
    onUpdate(principal, listener) {
      listeners.set(listener, principal);
      return () => void listeners.delete(listener);
    },
  };
}

function toOffered(skill: SeenSkill): OfferedSkill {
  const { name, description, manual, language, code, exports } = skill;
  const printer = ALL_PRINTERS.find((one) => one.name === language);
  const values = exports.filter(({ kind }) => kind !== "type");
  return {
    name,
    description,
    head: readManualHead(manual) ?? {},
    body: toManualBody(manual),
    ...(code !== "" && printer && { importLine: printer.importSkill(name, values).line }),
    files: toInFolder(skill).files,
  };
}
