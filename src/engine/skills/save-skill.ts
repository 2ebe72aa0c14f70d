import { PRINTERS } from "../../codegen/printers.ts";
import { KeyholeError } from "../../errors.ts";
import { findLanguage, LANGUAGES } from "../../language/languages.ts";
import type { Skill, SkillDraft, SkillLanguage } from "../../skills/skill.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { Call } from "../call/call.ts";
import type { OwnTool } from "../own-tools/own-tools.ts";
import type { EngineSkills } from "./open-engine-skills.ts";
import type { SavedSkill } from "./saved-skill.ts";

export type SaveSkillContext = Pick<Call, "run" | "session"> & {
  readonly skills: Pick<EngineSkills, "save">;
};

/** `saveSkill` of one program. In a pass that only plans, nothing is written. */
export function createSaveSkill({ run, session, skills }: SaveSkillContext): OwnTool {
  return {
    isRecorded: true,
    async call(args, _signal, own) {
      const draft = readDraft(args, run.request?.language ?? "typescript");
      const plan = run.gate?.plan;
      plan?.pretend();
      if (plan === undefined) own.effect = "unknown";
      const by = { principal: session.principal, session: session.id, run: run.id };
      const saved = await skills.save(draft, by, { isTried: plan !== undefined }).catch((error: unknown) => {
        if (plan === undefined) own.effect = "failed";
        throw withHint(error);
      });
      if (plan === undefined) own.effect = "landed";
      return saved;
    },
  };
}

export function toSaved({ name, version, status, exports, problem, language }: Skill): SavedSkill {
  const values = exports.filter(({ kind }) => kind !== "type").slice(0, MAX_IMPORTED);
  return {
    name,
    version,
    status,
    exports,
    use: values.length === 0 ? "" : PRINTERS[language].importSkill(name, values).line,
    ...(problem !== undefined && { problem }),
  };
}

const MAX_IMPORTED = 10;

const PARTS = ["name", "description", "code", "tags", "language", "tests", "body"];

/** The program's word. Without a language it is that of the program. */
export function readDraft(args: unknown, language: string): SkillDraft {
  if (!isRecord(args)) throw wrong("saveSkill takes { name, description, code, tags }");
  const unknown = Object.keys(args).find((key) => !PARTS.includes(key));
  if (unknown !== undefined)
    throw wrong(
      `A skill has no "${toExcerpt(unknown, 80)}". ${didYouMean(unknown, PARTS) ?? `It has ${PARTS.join(", ")}`}`,
    );
  const { tags, tests, body } = args;
  const text = (key: "name" | "description" | "code"): string => {
    const value = args[key];
    if (typeof value === "string" && value.trim() !== "") return value;
    throw wrong(`saveSkill needs "${key}", a text that is not empty`);
  };
  const isTags = Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
  if (tags !== undefined && tags !== null && !isTags) throw wrong('"tags" must be a list of texts');
  for (const [key, value] of Object.entries({ tests, body }))
    if (value !== undefined && value !== null && typeof value !== "string")
      throw wrong(`"${key}" must be a text`);
  return {
    name: text("name"),
    description: text("description"),
    code: text("code"),
    language: toSkillLanguage(args["language"] ?? language),
    ...(isTags && { tags }),
    ...(typeof tests === "string" && { tests }),
    ...(typeof body === "string" && { body }),
  };
}

function toSkillLanguage(word: unknown): SkillLanguage {
  const found = typeof word === "string" ? findLanguage(word, LANGUAGES)?.name : undefined;
  if (found === "typescript" || found === "python") return found;
  throw wrong('"language" must be "typescript" or "python"');
}

function wrong(message: string): KeyholeError {
  return new KeyholeError("usage", message);
}

/** A program is told one text. */
function withHint(error: unknown): unknown {
  if (!(error instanceof KeyholeError) || error.hint === undefined) return error;
  return new KeyholeError(error.code, `${error.message}. ${error.hint}`, { cause: error });
}
