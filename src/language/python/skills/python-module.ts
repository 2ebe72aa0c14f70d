import type { SyntaxNode } from "@lezer/common";
import type { SkillExport } from "../../language.ts";
import { findBindings, type PythonBindings } from "../check/bindings.ts";
import { type ParsedPython, parsePython } from "../parse-python.ts";
import { findPythonExports, findListed } from "./exports.ts";
import { findSkillImports, type SkillImports } from "./imports.ts";

/** A skill as far as whoever imports it needs it. */
export type PythonModule = {
  /** The skill's name. */
  readonly name: string;
  /** Of which places are told. */
  readonly source: string;
  readonly parsed: ParsedPython;
  readonly bindings: PythonBindings;
  readonly imports: SkillImports;
  readonly exports: readonly SkillExport[];
  /** What `from skills.name import *` brings, as far as that can be read off it. */
  readonly starred: readonly string[];
  /** It may have names that can't be read off it. */
  readonly isOpen: boolean;
};

/** By these a module gives itself names. */
const OPENING = new Set("exec eval globals locals vars setattr sys __getattr__ __builtins__ builtins".split(" "));

/** Python would take a byte order mark, as blank space, for an indent; and takes all line ends for one kind. */
export function toPythonSource(given: string): string {
  return given.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

export function readPythonModule(name: string, code: string): PythonModule {
  const source = toPythonSource(code);
  const parsed = parsePython(source);
  return toPythonModule(name, source, parsed, findBindings(parsed.tree, parsed.text));
}

export function toPythonModule(
  name: string,
  source: string,
  parsed: ParsedPython,
  bindings: PythonBindings,
): PythonModule {
  const { tree, text } = parsed;
  const exports = findPythonExports(tree, text);
  const isStarred = bindings.imports.some(({ names }) => names?.some((one) => one.name === "*"));
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  return {
    name,
    source,
    parsed,
    bindings,
    imports: findSkillImports(parsed, bindings, name),
    exports,
    starred: findListed(tree, text) ?? [...bindings.names].filter((one) => !one.startsWith("_")),
    isOpen:
      isStarred ||
      parsed.gapAt !== undefined ||
      bindings.names.has("__getattr__") ||
      bindings.reads.some((node) => OPENING.has(textOf(node))),
  };
}

/** The only definition of a name, where it is a function of the module itself and nothing changes it. */
export function moduleFunction({ bindings }: PythonModule, name: string): SyntaxNode | undefined {
  const [only, ...others] = bindings.of(name);
  if (only?.kind !== "function" || others.length > 0) return undefined;
  return only.node.parent?.name === "Script" ? only.node : undefined;
}
