import type { Printer } from "../../codegen/printer.ts";
import { PRINTERS } from "../../codegen/printers.ts";
import { toLines, toOneLine } from "../../text/doc-text.ts";
import { cutToTokens, estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { Detail, FoundSkill, SearchableSkill } from "../answer.ts";
import type { SkillHit } from "../skills/skill-index.ts";
import { toSentence } from "./first-sentence.ts";

export type ShownSkills = {
  readonly lines: readonly string[];
  readonly tokens: number;
  /** Those that had room. */
  readonly shown: readonly SkillHit[];
  /** As data: whole of those that are shown, else by name. */
  toData(hit: SkillHit): FoundSkill;
};

type ShownSkill = {
  readonly hit: SkillHit;
  readonly text: string;
  readonly tokens: number;
  readonly found: FoundSkill;
};

/** In a short answer. */
const MAX_SHORT = 3;
/** Signatures of one skill, unless all of it is asked for. */
const MAX_SIGNATURES = 3;
const MAX_ALL_SIGNATURES = 40;
const MAX_SIGNATURE = 300;
const MAX_DESCRIPTION = 160;
const MAX_FULL_DESCRIPTION = 1_024;
const MAX_PROBLEM = 200;
const MAX_FULL_PROBLEM = 1_000;
const MAX_BODY = 6_000;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Skills as they are shown at a level of detail, within so many tokens. */
export function showSkills(
  hits: readonly SkillHit[],
  { detail, printer, room }: { detail: Detail | "default"; printer: Printer; room: number },
): ShownSkills {
  const show = {
    name: toName,
    description: describe,
    full: define(printer, true),
    default: define(printer, false),
  };
  const most = detail === "default" ? MAX_SHORT : hits.length;
  const shown = toFitting(hits.slice(0, most).map(show[detail]), room);
  const texts = shown.map(({ text }) => text);
  const found = new Map(shown.map((one) => [one.hit, one.found]));
  return {
    lines: detail === "name" && texts.length > 0 ? [`skills: ${texts.join(" ")}`] : texts,
    tokens: shown.reduce((sum, { tokens }) => sum + tokens, 0),
    shown: shown.map(({ hit }) => hit),
    toData: (hit) => found.get(hit) ?? toFound(hit),
  };
}

function toFound({ skill }: SkillHit): FoundSkill {
  const { name, language, problem } = skill;
  return {
    skill: name,
    ...(language !== undefined && { language }),
    function: toImportable(skill)[0]?.name ?? name,
    ...(problem !== undefined && { problem: toOneLine(problem, MAX_FULL_PROBLEM) }),
  };
}

function toName(hit: SkillHit): ShownSkill {
  const { name } = hit.skill;
  return { hit, text: name, tokens: estimateTokens(name) + 1, found: toFound(hit) };
}

/** One line: what it does, and what is wrong with it. */
function describe(hit: SkillHit): ShownSkill {
  const { skill } = hit;
  const description = toSentence(skill.description, MAX_DESCRIPTION);
  const text = `skill ${skill.name}${toState(skill, MAX_PROBLEM)}: ${description}`;
  return { hit, text, tokens: estimateTokens(text), found: { ...toFound(hit), description } };
}

/**
 * What a program can be written from: the line that imports it, and signatures. Each line that has text of the skill's author in it
 * begins with a mark or a name of ours, so that none can be taken for Keyhole's own.
 */
function define(asked: Printer, isFull: boolean): (hit: SkillHit) => ShownSkill {
  return (hit) => {
    const { skill } = hit;
    const printer = Object.values(PRINTERS).find(({ name }) => name === skill.language) ?? asked;
    const description = isFull
      ? toOneLine(skill.description, MAX_FULL_DESCRIPTION)
      : toSentence(skill.description, MAX_DESCRIPTION);
    const state = toState(skill, isFull ? MAX_FULL_PROBLEM : MAX_PROBLEM);
    const language = skill.language === undefined || printer === asked ? "" : ` in ${printer.name}`;
    const definition = toDefinition(skill, printer, isFull);
    const body = isFull ? toLines(skill.body, MAX_BODY).map((line) => printer.comment(`  ${line}`)) : [];
    const text = [printer.comment(`skill${language}${state}: ${description}`), definition, ...body].join(
      "\n",
    );
    return { hit, text, tokens: estimateTokens(text), found: { ...toFound(hit), description, definition } };
  };
}

/** All of them that fit; of the first at least the beginning. */
function toFitting(shown: readonly ShownSkill[], room: number): ShownSkill[] {
  const fitting: ShownSkill[] = [];
  let left = room;
  for (const one of shown) {
    const isFitting = one.tokens <= left;
    if (!isFitting && fitting.length > 0) continue;
    fitting.push(isFitting ? one : { ...one, text: cutToTokens(one.text, left), tokens: left });
    left -= one.tokens;
  }
  return fitting;
}

function toDefinition(skill: SearchableSkill, printer: Printer, isFull: boolean): string {
  if (skill.language === undefined)
    return `./skills/${skill.name}/SKILL.md has its instructions: read it in a program`;
  const all = toImportable(skill);
  const shown = all.slice(0, isFull ? MAX_ALL_SIGNATURES : MAX_SIGNATURES);
  const { line: importing, names } = printer.importSkill(skill.name, shown);
  const signatures = shown.flatMap(({ name, signature, description = "" }) => {
    const local = names.get(name) ?? name;
    // What has no name of its own is written with that under which it is exported.
    const line = toOneLine(signature, MAX_SIGNATURE).replace(/^default(?=[(<:])/, local);
    const said =
      isFull && description !== "" ? [printer.comment(toOneLine(description, MAX_FULL_DESCRIPTION))] : [];
    return [...said, line.startsWith(local) ? line : local];
  });
  const rest = all.slice(shown.length).map(({ name }) => name);
  const more =
    rest.length > 0 ? [printer.comment(`and ${rest.length} more: ${rest.slice(0, 8).join(", ")}`)] : [];
  return [importing, ...signatures, ...more].join("\n");
}

/** Whatever an author calls a function, it is one word. */
function toImportable({ exports }: SearchableSkill): SearchableSkill["exports"] {
  return exports.filter(({ name }) => name.length <= 100 && IDENTIFIER.test(name));
}

function toState({ problem, isQuarantined }: SearchableSkill, max: number): string {
  if (problem !== undefined) return ` (broken: ${toSentence(problem, max)})`;
  return isQuarantined ? " (waits for approval: you alone can use it)" : "";
}
