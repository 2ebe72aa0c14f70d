import type { Catalog } from "../../catalog/catalog.ts";
import { KeyholeError } from "../../errors.ts";
import type { ReadResult, SkillSource } from "../../language/language.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import type { RunFailure } from "../../run-failure.ts";
import type { SkillFiles, SkillFindings, SkillTool } from "../../skills/skill.ts";
import type { OpenLanguages } from "../open-languages.ts";
import { createToolOf, type Judge } from "../policy/judge-program.ts";

export type SkillCheckContext = {
  readonly catalog: Pick<Catalog, "entry">;
  readonly languages: Pick<OpenLanguages, "find">;
  readonly judge: Judge;
  readonly checkTypes: boolean;
  sources(principal: string): readonly SkillSource[];
};

/** @param others what comes along with it, and is not kept yet: it counts before what is here */
export type SkillCheck = (
  name: string,
  files: SkillFiles,
  principal: string,
  others?: readonly SkillSource[],
) => Promise<SkillFindings>;

const NOTHING: SkillFindings = { exports: [], tools: [], skills: [] };

/** Reads a skill as a program is read: its syntax, its types against the tools and skills that it uses, the rules for code. Nothing runs. */
export function createSkillCheck(context: SkillCheckContext): SkillCheck {
  const { catalog, languages, judge, checkTypes, sources } = context;
  const toolOf = createToolOf(catalog);

  /** Each tool once, with its definition as it is now; empty where there is none of the name. */
  function toTools({ tools }: ProgramFacts): SkillTool[] {
    const used = new Map(tools.map(({ server, tool }) => [JSON.stringify([server, tool]), { server, tool }]));
    return [...used.values()].map(({ server, tool }) => ({
      server,
      tool,
      hash: toolOf(server, tool)?.hash ?? "",
    }));
  }

  return async (name, { code, language }, principal, others = []) => {
    // Instructions alone.
    if (code.trim() === "") return NOTHING;
    const opened = languages.find(language);
    if (opened === undefined)
      throw new KeyholeError("usage", `Skills in ${language} can't be checked on this machine`);
    const file = `skills/${name}/${opened.skillFile ?? ""}`;
    const read = await opened.readers.read(code, {
      types: checkTypes,
      skill: name,
      skills: () => withOthers(others, sources(principal)),
    });
    const findings: SkillFindings = {
      exports: read.exports ?? [],
      tools: read.facts === undefined ? [] : toTools(read.facts),
      skills: read.ok ? read.skills.map((used) => used.name) : [],
    };
    const problem = findProblem(read, file) ?? (read.facts && findRefusal(judge(read.facts, language), file));
    return problem === undefined ? findings : { ...findings, problem };
  };
}

export function withOthers(
  others: readonly SkillSource[],
  here: readonly SkillSource[],
): readonly SkillSource[] {
  if (others.length === 0) return here;
  const names = new Set(others.map(({ name }) => name));
  return [...others, ...here.filter(({ name }) => !names.has(name))];
}

function findProblem(read: ReadResult, file: string): string | undefined {
  if (!read.ok) return toProblem(read.error, file);
  if (read.exports?.some(({ kind }) => kind !== "type")) return undefined;
  return `${file} exports nothing that a program could use: write "export" before its functions, or "def" at the top level in Python`;
}

function findRefusal({ refusal }: ReturnType<Judge>, file: string): string | undefined {
  return refusal && toProblem(refusal, file);
}

/** In one text, each line with its place in the skill's file. */
function toProblem(error: RunFailure, file: string): string {
  if (error.kind === "types")
    return error.errors
      .map(({ line, column, message, hint }) => `${file}:${line}:${column}: ${withHint(message, hint)}`)
      .join("\n");
  if (error.kind === "denied" && error.findings.length > 0)
    return error.findings
      .map(({ line, column, message, fix }) => `${file}:${line}:${column}: ${withHint(message, fix)}`)
      .join("\n");
  const { location, message, hint } = error;
  const place = location === undefined ? file : `${file}:${location.line}:${location.column}`;
  return `${place}: ${withHint(message, hint)}`;
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} (${hint})`;
}
