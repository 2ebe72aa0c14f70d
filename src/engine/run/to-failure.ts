import type { KeyholeError } from "../../errors.ts";
import type { UsedSkill } from "../../language/language.ts";
import { type PlaceTable, placeOf } from "../../language/place-table.ts";
import type { EndedProgram, Location, RunFailure, SkillLocation } from "../../run-failure.ts";
import type { RunError, SandboxPlace, StackFrame } from "../../sandbox/sandbox.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { toSourceExcerpt, toSourceLine } from "../../text/position.ts";
import type { OpenLanguages } from "../open-languages.ts";

/** What ran, as far as failures tell of places in it. */
export type RanProgram = {
  /** Where each place of the program that ran stands in the one that was written. */
  readonly places: PlaceTable;
  readonly skills: readonly Pick<UsedSkill, "name" | "places" | "source">[];
  /** The file that is the code of a skill. */
  readonly skillFile: string | undefined;
};

export function toRunFailure(
  { location: ran, source, stack: ranStack, ...error }: RunError,
  program: RanProgram,
): RunFailure {
  const isSaid = source !== undefined && source.skill === undefined;
  // A guest that says where it was in a skill says so of the program, too.
  const isOwn = source !== undefined && program.places.length === 0;
  const came = ran && (isOwn ? ran : placeOf(program.places, ran.line, ran.column));
  const location = isSaid ? toLocation(source) : came;
  const stack = ranStack?.flatMap((frame) => toFrame(frame, program) ?? []);
  const inSkill = isSaid
    ? undefined
    : source === undefined
      ? toSkillLocation(ranStack?.[0], program, placeOf)
      : toSkillLocation(source, program, (_, line, column) => ({ line, column }));
  return {
    ...error,
    ...(location !== undefined && { location }),
    ...(inSkill !== undefined && { inSkill }),
    ...(stack !== undefined && stack.length > 0 && { stack }),
  };
}

function toLocation({ line, column }: Location): Location {
  return { line, column };
}

function toFrame(
  { skill, ...frame }: StackFrame,
  program: RanProgram,
): NonNullable<EndedProgram["stack"]>[number] | undefined {
  const used = program.skills.find(({ name }) => name === skill);
  if (skill !== undefined && used === undefined) return undefined;
  const place = placeOf((used ?? program).places, frame.line, frame.column);
  if (place === undefined) return undefined;
  return { ...frame, ...place, ...(used && { file: toFile(used.name, program) }) };
}

/** @param find the place as it was written, of one that the sandbox tells */
function toSkillLocation(
  frame: SandboxPlace | undefined,
  program: RanProgram,
  find: typeof placeOf,
): SkillLocation | undefined {
  const used = program.skills.find(({ name }) => name === frame?.skill);
  if (used === undefined || frame === undefined) return undefined;
  const place = find(used.places, frame.line, frame.column);
  if (place === undefined) return undefined;
  const text = toSourceLine(used.source, place);
  return { file: toFile(used.name, program), line: place.line, column: place.column, text };
}

function toFile(skill: string, { skillFile }: RanProgram): string {
  return skillFile === undefined ? `skills/${skill}` : `skills/${skill}/${skillFile}`;
}

/** A failure may be about a server whose own name is something else in a program. */
export function withServerNames(error: RunFailure, renamed: string | undefined): RunFailure {
  if (renamed === undefined) return error;
  const { hint } = error;
  return { ...error, hint: hint === undefined ? renamed : `${hint}. ${renamed}` };
}

export const CANCELLED: RunFailure = { kind: "cancelled", message: "The run was cancelled" };

/** Where the language's programs can't run on this machine: why, and what to do about it. */
export function noSandbox({ message, hint }: KeyholeError): RunFailure {
  return { kind: "sandbox", message, ...(hint !== undefined && { hint }) };
}

/** Python's own parser speaks in the sandbox, before anything of the program runs: what it refuses is no program. */
export function withSyntax(failure: RunFailure, code: string): RunFailure {
  if (failure.kind !== "exception" || failure.stack !== undefined || failure.location === undefined)
    return failure;
  if (failure.inSkill !== undefined) return failure;
  if (!SYNTAX_ERRORS.has(failure.name)) return failure;
  const { message, hint, location } = failure;
  const excerpt = toSourceExcerpt(code, location);
  return { kind: "syntax", message, location, excerpt, ...(hint !== undefined && { hint }) };
}

const SYNTAX_ERRORS: ReadonlySet<unknown> = new Set(["SyntaxError", "IndentationError", "TabError"]);

/** The one place where a language is refused. */
export function noLanguage(name = "", { all }: OpenLanguages): RunFailure {
  const titles = all.map(({ title }) => title).join(" or ");
  return {
    kind: "language",
    message: `Programs in ${JSON.stringify(toExcerpt(name, 40))} can't run in this version`,
    hint: `Write the program in ${titles} (language: "${all[0].name}"); the same functions are there`,
  };
}
