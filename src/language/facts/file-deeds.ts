import type { FactBook } from "./fact-book.ts";
import { isOutside } from "./outside.ts";
import type { CallNode, Node } from "./program-tree.ts";
import type { NameScope } from "./scopes.ts";
import type { KnownValue, Values } from "./values.ts";
import type { FileArgument, LanguageNames } from "./watched.ts";

type Access = FileArgument["access"];

/** Writes down what is done to files, by functions and by methods of what stands for them. */
export type FileDeeds = {
  file(path: KnownValue, access: Access, at: number): void;
  /** A file is named, and nothing done to it yet. */
  outside(path: KnownValue, at: number): void;
  /** What a file is opened for, by the mode at a place or given by its name. */
  opens(node: CallNode, place: number, scope: NameScope): Access;
  fileArguments(files: readonly FileArgument[], args: readonly Node[], at: number, scope: NameScope): void;
  callMethod(node: CallNode, scope: NameScope): void;
};

/** Of SQLite: another file than that which was opened. */
const MAKES_FILE = /\b(?:vacuum\b[^;]*\binto|attach)\b/i;
const WRITING = ["w", "a", "x", "+"];
const MODE = /^[rwaxbtU+]{1,4}$/;

export function createFileDeeds({
  values,
  book,
  names,
}: {
  readonly values: Values;
  readonly book: FactBook;
  readonly names: LanguageNames;
}): FileDeeds {
  return { file, outside, opens, fileArguments, callMethod };

  function callMethod(node: CallNode, scope: NameScope): void {
    const { callee, args } = node;
    if (callee.kind !== "member" || typeof callee.key !== "string") return;
    const statement = names.fileMethods && callee.key.startsWith("execute") && args[0];
    const sql = statement ? values.of(statement, scope) : undefined;
    if (sql?.kind === "text" && MAKES_FILE.test(sql.text)) file(undefined, "write", callee.at);
    const method = names.fileMethods?.get(callee.key);
    const owner = method && values.of(callee.object, scope);
    if (!method) return;
    const isPath = owner?.kind === "text" && owner.isPath === true;
    const isUnknown = owner === undefined || (owner.kind === "path" && owner.root === "value");
    const isSure = method.sure === true || (args.length === method.sure && node.names === undefined);
    if (!isPath && !(isUnknown && isSure)) return;
    if (method.access === "open") {
      const mode = args[0] && values.of(args[0], scope);
      const isMode = isPath || (mode?.kind === "text" && MODE.test(mode.text));
      if (isMode) file(owner, opens(node, 0, scope), node.callee.at);
    } else file(owner, method.access, node.callee.at);
    if (method.other) fileArguments([method.other], args, node.callee.at, scope);
  }

  /** A mode that nobody knows may be one to write. */
  function opens({ args, names: given = [] }: CallNode, place: number, scope: NameScope): "read" | "write" {
    const named = given.findIndex((name) => name === "mode" || name === "**" || name === "inplace");
    const arg = named === -1 ? (given[place] === undefined ? args[place] : undefined) : args[named];
    if (arg === undefined) return "read";
    const mode = values.of(arg, scope);
    if (mode?.kind !== "text" || !mode.isWhole) return "write";
    // `r:xz` reads what is packed.
    const [way = ""] = mode.text.split(/[:|]/);
    return WRITING.some((letter) => way.includes(letter)) ? "write" : "read";
  }

  function fileArguments(
    files: readonly FileArgument[],
    args: readonly Node[],
    at: number,
    scope: NameScope,
  ): void {
    for (const { index: place, access } of files) {
      const arg = args[place];
      if (arg) file(values.of(arg, scope), access, at);
      else if (place === -1) file(undefined, access, at);
    }
  }

  function file(path: KnownValue, access: "read" | "write" | "delete", at: number): void {
    const text = path?.kind === "text" ? path : undefined;
    if (text?.text === ":memory:") return;
    book.file(text?.isWhole ? text.text : undefined, access, at);
    outside(path, at);
  }

  function outside(path: KnownValue, at: number): void {
    if (path?.kind === "text" && isOutside(path.text)) book.hit("file-outside", at, path.text);
  }
}
