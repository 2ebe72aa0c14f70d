import type { ServerRecord } from "../../../catalog/tool.ts";
import { createOffsetOf, createPositionOf, toBlank, toSourceExcerpt } from "../../../text/position.ts";
import { toFencedText, toProgramText } from "../../../text/program-text.ts";
import { withNeeds } from "../../../world/modules.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import type { UsedServers } from "../../language.ts";
import { type PlaceTable, placeOf } from "../../place-table.ts";
import { MAX_PROGRAM } from "../../reading/limits.ts";
import { isReturnAtTop } from "../oxc-0.155.ts";
import { exportSkill, type SkillExports } from "../skills/export-skill.ts";
import type { ImportedSkills, ModuleExport } from "../skills/skill-module.ts";
import { findEarlyError } from "./early-error.ts";
import { defaultNameOf, toExports } from "./exports.ts";
import { type Declaration, type Edit, toImports } from "./imports.ts";
import { insert } from "./insertions.ts";
import { insteadOfProgram } from "./no-program.ts";
import { toOutline } from "./outline.ts";
import { type Parsed, type Problem, parse as parseText, strip } from "./oxc.ts";
import { toResultValue } from "./result-value.ts";
import { toPlaceTable } from "./source-map.ts";
import type { SyntaxNode } from "./syntax-path.ts";
import { toUsedServers } from "./used-servers.ts";

/** A text that was parsed: what it imports of skills can be found before it is read. */
export type OpenedText = {
  readonly source: string;
  /** What of it is the program: it may have stood between fences. */
  readonly text: string;
  readonly parsed: Parsed;
};

/** What a program, or a skill, is read against. */
export type PrepareWorld = {
  readonly servers: readonly ServerRecord[];
  readonly skills?: ImportedSkills;
  /** The name of the skill that it is; nothing for a program. */
  readonly skill?: string | undefined;
};

/** A program that can be read. What runs is made by `finish`, once; the type check has it made while it waits. */
export type Prepared = {
  /** What the type check reads: the program where it was, after one line of our own. */
  readonly checked: CheckedText;
  /** Of a skill. */
  readonly exports: readonly ModuleExport[];
  finish(): FinishResult;
};

/** A program that is ready to run. */
export type Finished = {
  /** JavaScript: the body of an async function in a module, so in strict mode. Nothing may stand before its first line end. */
  readonly code: string;
  /** Where its places were in the program as it was written. */
  readonly places: PlaceTable;
  readonly uses: UsedServers;
  /** The modules of Node's that it uses, by their names in ../world/modules.ts. */
  readonly modules: readonly string[];
  /** What to write instead, should the program return and print nothing. */
  readonly hint?: string;
};

export type CheckedText = {
  readonly text: string;
  readonly parsed: Parsed;
  /** Modules of Node's that it uses without importing them. */
  readonly moduleGlobals: readonly string[];
  /** The place in the program of a place in the text. */
  toSourceOffset(offset: number): number;
};

type Refused = { readonly ok: false; readonly error: ProgramFailure };
/** `parsed` where it is a program, and imports what there is not. */
export type PrepareResult = ({ readonly ok: true } & Prepared) | (Refused & { readonly parsed?: Parsed });
export type FinishResult = ({ readonly ok: true } & Finished) | Refused;

const OPENING = "async () => {";

/** Parses a text, or says why it is none. */
export function openText(source: string, isSkill = false): OpenedText | Refused {
  if (source.length > MAX_PROGRAM) return tooLarge(`${source.length} characters, more than ${MAX_PROGRAM}`);
  try {
    const opened = { source, ...parse(source) };
    // Only a text that is whole by itself may be put into a function: "}); evil(); (async () => {" is not.
    const problem = opened.parsed.problems.find((one) => isSkill || !isReturnAtTop(one));
    if (problem === undefined) return opened;
    return { ok: false, error: toSyntaxFailure(problem, source, (offset) => offset) };
  } catch (error) {
    return tooDeep(error);
  }
}

/** Reads a program as it was written, in TypeScript or JavaScript. */
export function prepare(source: string, servers: readonly ServerRecord[]): PrepareResult {
  const opened = openText(source);
  return "ok" in opened ? opened : prepareOpened(opened, { servers });
}

export function prepareOpened(opened: OpenedText, world: PrepareWorld): PrepareResult {
  try {
    const prepared = read(opened, world);
    if (!prepared.ok) return prepared;
    let finished: FinishResult | undefined;
    const finish = () => {
      finished ??= orTooDeep(prepared.finish);
      return finished;
    };
    return { ...prepared, finish };
  } catch (error) {
    return tooDeep(error);
  }
}

function orTooDeep(work: () => FinishResult): FinishResult {
  try {
    return work();
  } catch (error) {
    return tooDeep(error);
  }
}

/** Walking a tree that is deep enough takes all of the stack; the parser, which has more of it, may have come through. */
function tooDeep(error: unknown): Refused {
  if (error instanceof RangeError) return tooLarge("it is nested too deeply to be read");
  throw error;
}

function read(
  { source, text, parsed }: OpenedText,
  { servers, skills = NO_SKILLS, skill }: PrepareWorld,
): PrepareResult {
  const fresh = freshName(source);
  const isSkill = skill !== undefined;
  const world = { servers, skills, skill, fresh };
  const imports = toImports(text, parsed, world);
  if ("kind" in imports) return { ok: false, error: imports, parsed };
  const exports = toExports(text, parsed, fresh);
  const module = isSkill ? exportSkill(text, parsed, world, defaultNameOf(fresh)) : NO_MODULE;
  if ("kind" in module) return { ok: false, error: module, parsed };
  const declarations = [...imports.declarations, ...module.declarations];
  const opened = { text: OPENING, at: 0 };
  const runs = [opened, ...imports.running, ...module.running, ...declarations];
  const body = withEdits(text, [...imports.edits, ...exports.edits]);
  // A skill is checked as the module that it is, with what it exports.
  const head = [...imports.checked, ...(isSkill ? [] : [opened]), ...declarations, ...module.checked];
  const checkedBody = isSkill ? withEdits(text, [...imports.edits, ...module.edits]) : body;
  const checkedOpening = toText(head);
  return {
    ok: true,
    exports: module.exports,
    checked: {
      text: `${checkedOpening}${checkedBody}\n${isSkill ? "" : "}"}`,
      parsed,
      toSourceOffset: createOffsets(head, checkedOpening.length),
      moduleGlobals: imports.globals,
    },
    finish: () =>
      finish({
        source,
        servers,
        parsed,
        opening: toText(runs),
        body,
        toSourceOffset: createOffsets(runs, toText(runs).length),
        fresh,
        defaultName: exports.defaultName,
        modules:
          module.modules.length === 0
            ? imports.modules
            : withNeeds([...imports.modules, ...module.modules], text),
        module: isSkill ? { name: skill, ending: module.ending } : undefined,
      }),
  };
}

const NO_SKILLS: ImportedSkills = new Map();
const NO_MODULE: SkillExports = {
  exports: [],
  declarations: [],
  running: [],
  checked: [],
  edits: [],
  modules: [],
  ending: "",
};

function toText(declarations: readonly Declaration[]): string {
  return `${declarations.map(({ text }) => text).join("")}\n`;
}

/** What is no program by itself may have one between Markdown fences. */
function parse(source: string): { text: string; parsed: Parsed } {
  const text = toProgramText(source);
  const first = { text, parsed: parseText(text) };
  if (first.parsed.problems.every(isReturnAtTop)) return first;
  const fenced = toFencedText(source);
  if (fenced === undefined) return first;
  const second = { text: fenced, parsed: parseText(fenced) };
  return second.parsed.problems.every(isReturnAtTop) ? second : first;
}

type Reading = {
  readonly source: string;
  readonly servers: readonly ServerRecord[];
  readonly parsed: Parsed;
  readonly opening: string;
  readonly body: string;
  toSourceOffset(offset: number): number;
  readonly fresh: string;
  readonly defaultName: string | undefined;
  readonly modules: readonly string[];
  /** Of a skill, which gives its module and no other result. */
  readonly module: { readonly name: string; readonly ending: string } | undefined;
};

/** Adds to the program what gives its result and says where it waits, and takes its types away. */
function finish(reading: Reading): FinishResult {
  const { source, servers, parsed, opening, body, fresh } = reading;
  const outline = toOutline(parsed);
  const namespace = outline.statements.find(isNamespace);
  if (namespace !== undefined) return { ok: false, error: noNamespace(source, namespace.start) };
  const value =
    reading.module === undefined
      ? toResultValue(outline, reading.defaultName, fresh)
      : { opening: "", insertions: [], ending: reading.module.ending };
  const toPlace = createPositionOf(source);
  const place = reading.module === undefined ? "" : ` ${reading.module.name}`;
  const awaits = outline.awaited.flatMap(({ start, end }) => {
    const { line, column } = toPlace(start);
    return [
      { at: start, text: `${fresh}a("${line}:${column}${place}",` },
      { at: end, text: ")" },
    ];
  });
  const noting = awaits.length === 0 ? "" : `const ${fresh}a=globalThis.__keyhole.awaiting;`;
  const start = `${opening.slice(0, -1)}${noting}${value.opening}\n`;
  const inserted = insert(body, [...awaits, ...value.insertions]);
  const stripped = strip(`${start}${inserted.text}\n${value.ending}}`);
  /** Of the text that was stripped. */
  const toSourceOffset = (offset: number) =>
    offset < start.length
      ? reading.toSourceOffset(Math.min(offset, opening.length - 1))
      : inserted.toOldOffset(offset - start.length);
  const [failed] = stripped.problems;
  if (failed !== undefined) return { ok: false, error: toSyntaxFailure(failed, source, toSourceOffset) };
  const code = stripped.code.slice(stripped.code.indexOf("{") + 1, stripped.code.lastIndexOf("}"));
  const toOffset = createOffsetOf(inserted.text);
  const places = toPlaceTable(stripped.map, ({ line, column }) =>
    // One line of ours stands before the program's first.
    line < 2 ? undefined : toPlace(inserted.toOldOffset(toOffset({ line: line - 1, column }))),
  );
  const early = outline.hasUsing ? undefined : findEarlyError(code);
  if (early !== undefined) {
    const location = placeOf(places, early.at.line, early.at.column) ?? { line: 1, column: 1 };
    const excerpt = toSourceExcerpt(source, location);
    return { ok: false, error: { kind: "syntax", message: early.message, location, excerpt } };
  }
  const uses = toUsedServers(code, servers);
  return {
    ok: true,
    code,
    places,
    uses,
    modules: reading.modules,
    ...("hint" in value && value.hint !== undefined ? { hint: value.hint } : {}),
  };
}

/** It would have to stand outside of the function that a program becomes. `declare` ones are types. */
function isNamespace(statement: SyntaxNode): boolean {
  return statement.type === "TSModuleDeclaration" && !("declare" in statement && statement.declare === true);
}

function noNamespace(source: string, at: number): ProgramFailure {
  const hint = "Write an object instead: const Ids = { make(n: number) { … } }";
  return toFailure("syntax", "A program can't have a namespace", source, at, hint);
}

function toSyntaxFailure(
  problem: Problem,
  source: string,
  toSourceOffset: (offset: number) => number,
): ProgramFailure {
  const at = toSourceOffset(problem.labels[0]?.start ?? 0);
  return toFailure("syntax", problem.message, source, at, insteadOfProgram(source));
}

/** What went wrong in a declaration of ours is shown at the import that it stands for. */
function createOffsets(declarations: readonly Declaration[], length: number): (offset: number) => number {
  return (offset) => {
    if (offset >= length) return offset - length;
    let end = 0;
    for (const { text, at } of declarations) {
      end += text.length;
      if (offset < end) return at;
    }
    return 0;
  };
}

function tooLarge(why: string): Refused {
  return { ok: false, error: { kind: "too_large", message: `The program is too large: ${why}` } };
}

/** Replaces stretches of the text so that everything else keeps its place. */
function withEdits(source: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    result += source.slice(done, start) + text + toBlank(source.slice(start + text.length, end));
    done = end;
  }
  return result + source.slice(done);
}

/** The beginning of names that the program can't be using; short, since it is put in many times. */
function freshName(source: string): string {
  if (!source.includes("$k")) return "$k";
  const taken = new Set(source.match(/\$k\d+_/g));
  let number = 0;
  while (taken.has(`$k${number}_`)) number++;
  return `$k${number}_`;
}
