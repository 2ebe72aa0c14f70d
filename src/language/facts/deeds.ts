import { findTool, nameIndexOf } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import type { UsedTool } from "../../policy/program-facts.ts";
import { createDecoding } from "./decoding.ts";
import type { FactBook } from "./fact-book.ts";
import { createFileDeeds } from "./file-deeds.ts";
import type { CallNode, NameNode, Node } from "./program-tree.ts";
import { type Binding, lookUp, type NameScope, type Scopes } from "./scopes.ts";
import { type KnownValue, MADE_CODE, type PathValue, type Values } from "./values.ts";
import { findWatch, type LanguageNames, type NameWatch, type Walk } from "./watched.ts";

/** Where in a program something is done. */
export type DeedPlace = {
  readonly scope: NameScope;
  readonly inLoop: boolean;
  /** The functions around, by the names that they have. */
  readonly functions: readonly Binding[];
};

/** Writes down what it means that something is named, called or changed. */
export type Deeds = {
  /** Something is named: that may be enough. */
  mention(value: KnownValue, at: number, here: DeedPlace, isImport?: boolean): void;
  mentionName(node: NameNode, here: DeedPlace): void;
  call(path: PathValue, args: readonly Node[], node: CallNode, here: DeedPlace): void;
  changes(value: KnownValue, at: number): void;
  importData(specifier: string, at: number): void;
  findInFormat(node: CallNode, scope: NameScope): void;
  /** A file is changed by a method of what stands for it. */
  callMethod(node: CallNode, scope: NameScope): void;
  /** What a call gave is handed on. */
  handOnMade(value: KnownValue, at: number, here: DeedPlace): void;
  toolOf(path: PathValue): UsedTool | undefined;
  /** A server, the globals as a whole, or a way out: by whatever name. */
  isFollowed(node: Node, scope: NameScope): boolean;
};

export type DeedsInput = {
  readonly scopes: Scopes;
  readonly values: Values;
  readonly book: FactBook;
  readonly servers: readonly ServerRecord[];
  readonly names: LanguageNames;
};

/** Builtins whose prototype is everybody's. */
const SHARED = new Set(
  "Object Array String Number Boolean Function Promise Map Set Date RegExp Error Symbol JSON".split(" "),
);
/** What runs after one of these can call any tool. */
const OPENING = new Set(
  "dynamic-eval decoded-eval hidden-name constructor-walk computed-global computed-import".split(" "),
);
const ANY_PATH: PathValue = { kind: "path", root: "value", members: [], isHidden: false };
/** What every object has, and nobody calls a tool by. */
const PLAIN_MEMBERS = new Set(
  "__name__ __doc__ __all__ __file__ __package__ __qualname__ __module__ __contains__ __call__".split(" "),
);

/** How a path is called. */
type Called = { readonly args: readonly Node[]; readonly isNew: boolean; readonly scope: NameScope };

export function createDeeds({ scopes, values, book, servers, names }: DeedsInput): Deeds {
  const index = nameIndexOf(servers);
  const byName = new Map(servers.map((server) => [server.name, server]));
  const { isDecoded } = createDecoding(scopes, values, names);
  const { file, outside, opens, fileArguments, callMethod } = createFileDeeds({ values, book, names });

  return {
    mention,
    mentionName,
    call,
    changes,
    importData,
    findInFormat,
    callMethod,
    handOnMade,
    toolOf,
    isFollowed,
  };

  function mention(value: KnownValue, at: number, here: DeedPlace, isImport = false): void {
    if (value?.kind !== "path") return;
    const watch = findWatch(names, value);
    if (watch?.rule !== undefined && (watch.on === "mention" || isImport)) hit(watch.rule, value, at);
    if (watch?.does === "evaluate" && value.isHidden) hit("hidden-name", value, at);
    walk(value, at);
    if (isImport) return;
    useTool(value, at, here);
    handOn(value, at);
  }

  /** Who gets `fetch` as a value calls it with what nobody knows. */
  function handOn(path: PathValue, at: number): void {
    if (path.root !== "global" && path.root !== "module") return;
    const watch = findWatch(names, path);
    const handed = handedRule(path);
    if (handed !== undefined) {
      hit(handed, path, at);
      if (handed === "process") book.command([], at, true);
    } else if (watch?.does === "call-tool" || isMaybeGlobals(path)) book.dynamic(at);
    else if (watch?.does === "import" && watch.rule !== undefined) hit(watch.rule, path, at);
    else if (watch && isWayOut(watch)) {
      if (watch.does === "fetch") book.host(undefined, at, isPrevented(watch));
      else book.command([], at, isPrevented(watch));
      if (watch.rule !== undefined) hit(watch.rule, path, at);
    } else if (watch && changesFiles(watch, path)) {
      for (const access of accessesOf(watch)) file(undefined, access, at);
    } else if (isGlobals(path) || (path.root === "global" && path.members[0] === "*"))
      hit("computed-global", path, at);
  }

  function handedRule({ root, members }: PathValue): string | undefined {
    return root === "module" ? names.handedModules?.get(members.join(".")) : undefined;
  }

  function handOnMade(value: KnownValue, at: number, here: DeedPlace): void {
    if (value?.kind !== "path") return;
    const isServer = value.root === "server" && value.members.length === 1;
    if (isServer) useTool(value, at, here);
    else if (isGlobals(value) || handedRule(value) !== undefined) handOn(value, at);
  }

  /** What was assigned to a name has been told of where it stands; what was taken apart for it has not. */
  function mentionName(node: NameNode, here: DeedPlace): void {
    const { name, at } = node;
    const binding = lookUp(name, here.scope);
    const value = values.of(node, here.scope);
    const isTold = binding?.sources.every((source) => !("node" in source) || source.path.length === 0);
    if (isTold !== true) mention(value, at, here);
    else if (value?.kind === "path") {
      useTool(value, at, here);
      handOn(value, at);
    }
  }

  function useTool(path: PathValue, at: number, here: DeedPlace): void {
    if (path.root !== "server") return;
    // All of the servers, or one that is computed.
    if (path.members[0] === "*") {
      book.dynamic(at);
      return;
    }
    if (path.members.some((member) => names.internals?.has(member))) {
      hit("keyhole-internals", path, at);
      book.dynamic(at);
    }
    const tool = toolOf(path);
    const [name, member] = path.members;
    // What a function has of its own says which tool it calls.
    const isOpened = path.members.slice(2).some((one) => one.startsWith("_") && !PLAIN_MEMBERS.has(one));
    if (tool) book.tool(tool, at, here.inLoop, here.functions);
    if (tool && isOpened) book.dynamic(at, name);
    if (tool) return;
    // The server itself handed on, or a function of it that is computed.
    if (member === undefined || member === "*" || path.isHidden) book.dynamic(at, name);
    // By what all objects have, to any function of it.
    else if (member.startsWith("__") && !PLAIN_MEMBERS.has(member)) book.dynamic(at, name);
  }

  function call(path: PathValue, args: readonly Node[], node: CallNode, here: DeedPlace): void {
    const at = node.callee.at;
    const watch = findWatch(names, path);
    if (watch) callWatched(watch, path, args, node, here);
    else if (path.root === "global" && path.members[0] === "*") {
      hit(isDecoded(keyOf(node.callee), here.scope) ? "hidden-name" : "computed-global", path, at);
    }
    walk(path, at, { args, isNew: node.isNew === true, scope: here.scope });
    const last = path.members.at(-1);
    if (last === MADE_CODE) hit("dynamic-eval", { ...path, members: path.members.slice(0, -1) }, at);
    if (last === "__defineGetter__" || last === "__defineSetter__" || last === "__setattr__")
      changes({ ...path, members: path.members.slice(0, -1) }, at, true);
    useTool(path, at, here);
  }

  function callWatched(
    watch: NameWatch,
    path: PathValue,
    args: readonly Node[],
    node: CallNode,
    here: DeedPlace,
  ): void {
    const at = node.callee.at;
    const [first] = args;
    const value = first && values.of(first, here.scope);
    const text = value?.kind === "text" ? value : undefined;
    switch (watch.does) {
      case "evaluate":
        if (args.some((arg) => isDecoded(arg, here.scope))) hit("decoded-eval", path, at);
        break;
      case "evaluate-text":
        if (text) hit(isDecoded(first, here.scope) ? "decoded-eval" : "dynamic-eval", path, at);
        return;
      case "evaluate-unknown": {
        const isCode = (arg: Node) => values.of(arg, here.scope)?.kind === "text";
        const isFunction = value?.kind === "path" && value.root !== "value" && value.root !== "global";
        if (!args.some(isCode) && (first === undefined || isFunction)) return;
        hit(args.some((arg) => isDecoded(arg, here.scope)) ? "decoded-eval" : "dynamic-eval", path, at);
        return;
      }
      case "evaluate-annotations":
        if (node.names?.some((name) => name === "eval_str" || name === "**")) hit("dynamic-eval", path, at);
        return;
      case "log": {
        const place = node.names?.findIndex((name) => name === "filename" || name === "**") ?? -1;
        const log = args[place];
        if (log) file(values.of(log, here.scope), "write", at);
        return;
      }
      case "fetch":
        book.host(
          text && (text.isWhole || text.text.split("/").length > 3) ? text.text : undefined,
          at,
          isPrevented(watch),
        );
        break;
      case "command":
        book.command(wordsOf(args, here.scope), at, isPrevented(watch));
        break;
      case "call-tool": {
        const found = text?.isWhole ? index.tool(text.text) : undefined;
        if (found?.kind === "one")
          book.tool(
            { server: found.value.server.name, tool: found.value.tool.name },
            at,
            here.inLoop,
            here.functions,
          );
        else book.dynamic(at);
        break;
      }
      case "import":
        if (text) importData(text.text, at);
        if (!text?.isWhole) break;
        mention({ ...names.module(text.text, undefined), isHidden: text.isBuilt }, at, here, true);
        return;
      case "apply":
        if (value?.kind === "path") call(value, args.slice(1), node, here);
        break;
      case "take":
        mention(values.of(node, here.scope), at, here);
        if (text?.isPath) file(text, "write", at);
        break;
      case "take-path":
        if (text) walk({ ...ANY_PATH, members: text.text.split("."), isHidden: text.isBuilt }, at);
        break;
      case "extend":
        changes(value, at, true);
        break;
      case "parse-json":
        if (text?.text.includes('"__proto__"')) book.hit("prototype-pollution", at, "__proto__");
        break;
      case "open":
        file(value, opens(node, 1, here.scope), at);
        break;
      case "open-flags": {
        const flags = args[1] && values.of(args[1], here.scope);
        const isRead = flags?.kind === "path" && flags.members.at(-1) === "O_RDONLY";
        file(value, isRead ? "read" : "write", at);
        break;
      }
      case "name-file":
        for (const arg of args) outside(values.of(arg, here.scope), at);
        break;
    }
    fileArguments(watch.files ?? [], args, at, here.scope);
    if (watch.rule !== undefined) hit(watch.rule, path, at);
  }

  function wordsOf([command, list]: readonly Node[], scope: NameScope): (string | undefined)[] {
    const wordOf = (node: Node) => {
      const value = values.of(node, scope);
      return value?.kind === "text" && value.isWhole ? value.text : undefined;
    };
    // A list that is computed has any words.
    const args = list === undefined ? [] : list.kind === "list" ? list.items.map(wordOf) : [undefined];
    return [command && wordOf(command), ...args];
  }

  /** Ways to what a program was not given: by constructors, by dunder names. */
  function walk(path: PathValue, at: number, called?: Called): void {
    const { members, isHidden } = path;
    const kinds: Walk[] = [];
    for (const member of members) {
      const kind = names.walks.get(member);
      if (kind) kinds.push(kind);
    }
    const last = members.at(-1);
    const before = members.at(-2);
    // What is derived from a class of the program's own is its own.
    if (path.root === "class" && members.length === 1 && last === "__subclasses__") return;
    if (kinds.includes("never") || kinds.length > 1) {
      hit("constructor-walk", path, at);
      return;
    }
    if (last !== "constructor") return;
    const isTwice = before === "constructor";
    if (isTwice || (called !== undefined && isOfFunction(path, called))) hit("constructor-walk", path, at);
    else if (isHidden) hit("hidden-name", path, at);
  }

  /** Of a function the constructor is `Function`, also of one that came along: `[].map.constructor("…")`. */
  function isOfFunction({ root, members }: PathValue, { args, isNew, scope }: Called): boolean {
    const before = members.at(-2);
    if (root === "function" || (before !== undefined && names.iterating.has(before))) return true;
    if (isNew) return false;
    if (root === "server" && members.length > 2) return true;
    return args.some((arg) => values.of(arg, scope)?.kind === "text");
  }

  /** Names in a format are attributes: `"{0.__class__.__base__}".format(x)`. */
  function findInFormat({ callee, at }: CallNode, scope: NameScope): void {
    if (callee.kind !== "member" || (callee.key !== "format" && callee.key !== "format_map")) return;
    const format = values.of(callee.object, scope);
    if (format?.kind !== "text") return;
    for (const put of format.text.split("{").slice(1))
      walk({ ...ANY_PATH, members: (put.split("}")[0] ?? "").split(/[.[\]:!]/) }, at);
  }

  /** A module that is a text, not a file. */
  function importData(specifier: string, at: number): void {
    if (!specifier.startsWith("data:") && !specifier.startsWith("blob:")) return;
    book.hit(specifier.includes(";base64") ? "decoded-eval" : "dynamic-eval", at, "import");
    book.dynamic(at);
  }

  /** Something of everybody's is changed. */
  function changes(value: KnownValue, at: number, isWhole = false): void {
    if (value?.kind !== "path") return;
    const { members, root } = value;
    const inside = isWhole ? members : members.slice(0, -1);
    const isShared =
      inside.includes("__proto__") ||
      (root === "global" && SHARED.has(members[0] ?? "") && inside[1] === "prototype") ||
      inside.some((member, place) => member === "constructor" && inside[place + 1] === "prototype");
    if (isShared) hit("prototype-pollution", value, at);
    // By the name that a function has, another tool would be called.
    if (root === "server" && inside.length > 1) book.dynamic(at, members[0] === "*" ? undefined : members[0]);
    if (members.at(-1) === "__code__") hit("constructor-walk", value, at);
    if (root === "global" && members[0] === "__keyhole") hit("keyhole-internals", value, at);
  }

  function hit(rule: string, path: PathValue, at: number): void {
    const what = path.members.join(".");
    const told = path.isHidden && rule !== "constructor-walk" ? "hidden-name" : rule;
    book.hit(told, at, what);
    if (OPENING.has(told)) book.dynamic(at);
  }

  function toolOf(path: PathValue): UsedTool | undefined {
    const [name, spelling] = path.members;
    const server = path.root === "server" ? byName.get(name ?? "") : undefined;
    if (!server || spelling === undefined) return undefined;
    const tool = findTool(server, spelling);
    return tool.kind === "one" ? { server: server.name, tool: tool.value.name } : undefined;
  }

  function isGlobals({ root, members }: PathValue): boolean {
    return root === "global" && names.globals.has(members.join("."));
  }

  function isMaybeGlobals({ root, members }: PathValue): boolean {
    return root === "global" && members.length === 1 && names.maybeGlobals.has(members[0] ?? "");
  }

  function isFollowed(node: Node, scope: NameScope): boolean {
    const isNamed = node.kind === "name" || node.kind === "member" || node.kind === "call";
    const value = isNamed ? values.of(node, scope) : undefined;
    if (value?.kind !== "path") return false;
    const watch = findWatch(names, value);
    if (
      watch &&
      node.kind !== "call" &&
      (isWayOut(watch) || watch.does === "call-tool" || watch.does === "import" || changesFiles(watch, value))
    )
      return true;
    if (handedRule(value) !== undefined) return true;
    return (
      (value.root === "server" && value.members.length === 1) || isGlobals(value) || isMaybeGlobals(value)
    );
  }
}

function isWayOut({ does, on }: NameWatch): boolean {
  return does === "command" || (does === "fetch" && on === "call");
}

/** A function that does so, not a class: that is named in other places, too. */
function changesFiles(watch: NameWatch, { members }: PathValue): boolean {
  const last = members.at(-1) ?? "";
  return accessesOf(watch).length > 0 && /^[a-z_]/.test(last);
}

function accessesOf({ does, files = [] }: NameWatch): ("write" | "delete")[] {
  const opened = does === "open" || does === "open-flags" ? ["write" as const] : [];
  return [...opened, ...files.flatMap(({ access }) => (access === "read" ? [] : [access]))];
}

/** Both `fetch` and `runCommand` may be granted. */
function isPrevented({ on }: NameWatch): boolean {
  return on === "mention";
}

/** `f.call(a, b)` is a call of `f`. */
export function withoutApply(path: PathValue, node: CallNode): { path: PathValue; args: readonly Node[] } {
  const last = path.members.at(-1);
  if (path.members.length < 2 || (last !== "call" && last !== "apply" && last !== "bind"))
    return { path, args: node.args };
  const members = path.members.slice(0, -1);
  const [, ...rest] = node.args;
  const [list] = rest;
  const args = last === "apply" && list?.kind === "list" ? list.items : rest;
  return { path: { ...path, members }, args };
}

/** What is taken, where that is computed: of `a[b]`, of `getattr(a, b)`. */
function keyOf(node: Node): Node | undefined {
  if (node.kind === "member") return typeof node.key === "string" ? keyOf(node.object) : node.key;
  return node.kind === "call" ? node.args[1] : undefined;
}
