import type { SyntaxNode } from "@lezer/common";
import type { SkillExport } from "../../skill-export.ts";
import { findBindings, type PythonBindings } from "../check/bindings.ts";
import { type ParsedPython, parsePython } from "../parse-python.ts";
import { outerNodes } from "../syntax-nodes.ts";
import { findListed, findPythonExports } from "./exports.ts";
import { findSkillImports, type SkillImports } from "./imports.ts";

/** A text with what it imports of skills: a program, or a skill. */
export type ImportingText = {
  /** Of which places are told. */
  readonly source: string;
  readonly parsed: ParsedPython;
  readonly bindings: PythonBindings;
  readonly imports: SkillImports;
};

/** A skill as far as whoever imports it needs it. */
export type PythonModule = ImportingText & {
  readonly name: string;
  /** What gives names to the module itself, and not within a function or a class. */
  readonly own: PythonBindings;
  readonly exports: readonly SkillExport[];
  /** What `from skills.name import *` brings, as far as that can be read off it. */
  readonly starred: readonly string[];
  /** Names that functions of it give the module when they are called. */
  readonly late: ReadonlySet<string>;
  /** It may have names that can't be read off it. */
  readonly isOpen: boolean;
};

/** By these a module gives itself names. */
const OPENING = new Set(
  "exec eval globals locals vars setattr sys __getattr__ __builtins__ builtins".split(" "),
);

/** A function that gives the module a name. */
const GLOBAL = /(?:^|[;:])[^\S\n]*global\s+([\w, \t]+)/gmu;

/** Python would take a byte order mark, as blank space, for an indent; and takes all line ends for one kind. */
export function toPythonSource(given: string): string {
  return given.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

export function readPythonModule(name: string, code: string): PythonModule {
  const source = toPythonSource(code);
  const parsed = parsePython(source);
  const bindings = findBindings(parsed.tree, parsed.text);
  const { tree, text } = parsed;
  const own = findBindings(tree, text, outerNodes(tree));
  const isStarred = own.imports.some(({ names }) => names?.some((one) => one.name === "*"));
  return {
    ...{ name, source, parsed, bindings, own },
    late: new Set([...text.matchAll(GLOBAL)].flatMap(([, names = ""]) => names.match(/\w+/gu) ?? [])),
    imports: findSkillImports(parsed, bindings, name),
    exports: findPythonExports(tree, text),
    starred: findListed(tree, text) ?? [...own.names].filter((one) => !one.startsWith("_")),
    isOpen:
      isStarred ||
      parsed.gapAt !== undefined ||
      own.names.has("__getattr__") ||
      bindings.reads.some(({ from, to }) => OPENING.has(text.slice(from, to))),
  };
}

/** Whether `from skills.name import …` can work. */
export function mayHave({ own, late, isOpen }: PythonModule, name: string): boolean {
  return isOpen || name === "*" || name.startsWith("__") || own.names.has(name) || late.has(name);
}

/** The only definition of a name, where it is a function of the module itself and nothing changes it. */
export function moduleFunction({ own, late, isOpen }: PythonModule, name: string): SyntaxNode | undefined {
  const [only, ...others] = own.of(name);
  if (only?.kind !== "function" || others.length > 0 || late.has(name) || isOpen) return undefined;
  return only.node.parent?.name === "Script" ? only.node : undefined;
}
