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
  /** Told when what everybody may use is another. */
  onUpdate(listener: () => void): () => void;
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

/** Whoever has no skills of their own. */
const ANYBODY = "";

export function createOfferedSkills(skills: SeenSkills): OfferedSkills {
  const known = new WeakMap<readonly SeenSkill[], readonly OfferedSkill[]>();
  const offeredTo = (principal: string) => {
    const seen = skills.visibleTo(principal);
    const offered = known.get(seen) ?? seen.filter(({ status }) => status === "ready").map(toOffered);
    known.set(seen, offered);
    return offered;
  };
  const listeners = new Set<() => void>();
  /** Of what was seen first: until then nobody can have been told anything. */
  let stamp: string | undefined;
  skills.onUpdate(() => {
    const before = stamp;
    stamp = JSON.stringify(skills.visibleTo(ANYBODY).map(({ name, hash, status }) => [name, hash, status]));
    if (before !== undefined && before !== stamp) for (const listener of listeners) listener();
  });

  return {
    async list(principal) {
      await skills.look();
      return offeredTo(principal);
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function toOffered(skill: SeenSkill): OfferedSkill {
  const { name, description, manual, language, code, exports } = skill;
  const printer = ALL_PRINTERS.find((one) => one.name === language);
  const names = exports.filter(({ kind }) => kind !== "type").map((one) => one.name);
  return {
    name,
    description,
    head: readManualHead(manual) ?? {},
    body: toManualBody(manual),
    ...(code !== "" && printer && { importLine: printer.importSkill(name, names) }),
    files: toInFolder(skill).files,
  };
}
