import { SourceMap } from "node:module";
import type { ServerRecord } from "../catalog/tool.ts";
import { findEarlyError } from "./early-error.ts";
import { toExports } from "./exports.ts";
import { type ProgramFailure, toFailure } from "./failure.ts";
import { type Declaration, type Edit, toImports } from "./imports.ts";
import { mayNestDeeply } from "./nesting.ts";
import { isolatedOxc, type Oxc, oxc, type Parsed, type Problem } from "./oxc.ts";
import { type Position, toBlank, toExcerpt } from "./position.ts";

/** A program that is ready to run. */
export type Prepared = {
  /** JavaScript: the body of an async function in a module, so in strict mode. Nothing may stand before its first line end. */
  readonly code: string;
  /** The place in the program as it was written of a place in `code`, both from 1; nothing for lines of our own. */
  toSourcePosition(line: number, column: number): Position | undefined;
  /** What the type check reads: the program where it was, after one line of our own. */
  readonly checked: CheckedText;
  /** The modules of Node's that it uses, by their names in ../world/modules.ts. */
  readonly modules: readonly string[];
};

export type CheckedText = {
  readonly text: string;
  readonly parsed: Parsed;
  /** Modules of Node's that it uses without importing them. */
  readonly moduleGlobals: readonly string[];
  /** The place in the program of a place in the text. */
  toSourceOffset(offset: number): number;
};

export type PrepareResult =
  | ({ readonly ok: true } & Prepared)
  | { readonly ok: false; readonly error: ProgramFailure };

const MAX_PROGRAM = 1024 * 1024;
const OPENING = "async () => {";

/** Turns a program as it was written, in TypeScript or JavaScript, into plain JavaScript without imports. */
export async function prepare(source: string, servers: readonly ServerRecord[]): Promise<PrepareResult> {
  if (source.length > MAX_PROGRAM) return tooLarge(`${source.length} characters, more than ${MAX_PROGRAM}`);
  const isDeep = mayNestDeeply(source);
  try {
    return await prepareWith(isDeep ? isolatedOxc : oxc, source, servers);
  } catch (error) {
    if (!isDeep) throw error;
    return tooLarge("it is nested too deeply to be parsed");
  }
}

async function prepareWith(
  reader: Oxc,
  source: string,
  servers: readonly ServerRecord[],
): Promise<PrepareResult> {
  const parsed = await reader.parse(source);
  // Only a program that is whole by itself may be put into a function: "}); evil(); (async () => {" is not.
  const problem = parsed.problems.find((candidate) => !isReturnAtTop(candidate));
  if (problem !== undefined)
    return { ok: false, error: toSyntaxFailure(problem, source, (offset) => offset) };
  const fresh = freshName(source);
  const imports = toImports(source, parsed, servers, fresh);
  if ("kind" in imports) return { ok: false, error: imports };
  const exports = toExports(source, parsed, fresh);
  const opening = `${OPENING}${imports.declarations.map(({ text }) => text).join("")}\n`;
  const toSourceOffset = createOffsets(imports.declarations, opening.length);
  const body = withEdits(withoutHashbang(source), [...imports.edits, ...exports.edits]);
  const text = `${opening}${body}\n${exports.ending}}`;
  const stripped = await reader.strip(text);
  const [failed] = stripped.problems;
  if (failed !== undefined) return { ok: false, error: toSyntaxFailure(failed, source, toSourceOffset) };
  const code = stripped.code.slice(stripped.code.indexOf("{") + 1, stripped.code.lastIndexOf("}"));
  const toSourcePosition = createPositions(stripped.map);
  const early = findEarlyError(code);
  if (early !== undefined) {
    const position = toSourcePosition(early.at.line, early.at.column) ?? { line: 1, column: 1 };
    const excerpt = toExcerpt(source, position);
    return { ok: false, error: { kind: "syntax", message: early.message, ...position, excerpt } };
  }
  return {
    ok: true,
    code,
    toSourcePosition,
    modules: imports.modules,
    checked: { text, parsed, toSourceOffset, moduleGlobals: imports.globals },
  };
}

/** The parser names this error by TypeScript's number. A program may end with `return`: it becomes a function's body. */
function isReturnAtTop(problem: Problem): boolean {
  return /^\s*x TS\(1108\):/.test(problem.codeframe ?? "");
}

function toSyntaxFailure(
  problem: Problem,
  source: string,
  toSourceOffset: (offset: number) => number,
): ProgramFailure {
  return toFailure("syntax", problem.message, source, toSourceOffset(problem.labels[0]?.start ?? 0));
}

/** What went wrong in a declaration of ours is shown at the import that it stands for. */
function createOffsets(declarations: readonly Declaration[], length: number): (offset: number) => number {
  return (offset) => {
    if (offset >= length) return offset - length;
    let end = OPENING.length;
    for (const { text, at } of declarations) {
      end += text.length;
      if (offset < end) return at;
    }
    return 0;
  };
}

function tooLarge(why: string): PrepareResult {
  return { ok: false, error: { kind: "too_large", message: `The program is too large: ${why}` } };
}

function withoutHashbang(source: string): string {
  return source.replace(/^#![^\n\r\u2028\u2029]*/, toBlank);
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

/** The beginning of names that the program can't be using. */
function freshName(source: string): string {
  let name = "$k";
  while (source.includes(name)) name += "k";
  return name;
}

function createPositions(mappings: string): Prepared["toSourcePosition"] {
  let map: SourceMap | undefined;
  return (line, column) => {
    map ??= new SourceMap({
      file: "",
      version: 3,
      sources: ["program.ts"],
      sourcesContent: [],
      names: [],
      mappings,
      sourceRoot: "",
    });
    const entry = map.findEntry(line - 1, column - 1);
    // The map's lines count from 0, and one line of ours stands before the program's first.
    if (!("originalLine" in entry) || entry.originalLine < 1) return undefined;
    return { line: entry.originalLine, column: entry.originalColumn + 1 };
  };
}
