import { findTool, nameIndexOf } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import type { ProgramFacts, UsedTool } from "../../policy/program-facts.ts";
import { createFactBook } from "./fact-book.ts";
import { createFlowGraph } from "./flows.ts";
import { findOddNames, findOddText } from "./odd-text.ts";
import { isOutside } from "./outside.ts";
import {
  type AssignNode,
  type CallNode,
  type FunctionNode,
  MAX_TREE_DEPTH,
  type NameNode,
  type Node,
  type ProgramTree,
} from "./program-tree.ts";
import { type Binding, lookUp, type NameScope, toScopes } from "./scopes.ts";
import { createValues, type KnownValue, type PathValue } from "./values.ts";
import { findWatch, type LanguageNames, type NameWatch, type Walk } from "./watched.ts";

export type FactsInput = {
  readonly source: string;
  readonly tree: ProgramTree;
  readonly servers: readonly ServerRecord[];
  readonly names: LanguageNames;
};

/** Where the walk stands. */
type Here = {
  readonly scope: NameScope;
  readonly inLoop: boolean;
  /** What values that are read here flow into. */
  readonly into: readonly number[];
  /** The functions around, by the names that they have. */
  readonly functions: readonly Binding[];
  /** Counts the ways through the function around. */
  readonly ways: { count: number };
};

/** Builtins whose prototype is everybody's. */
const SHARED = new Set(
  "Object Array String Number Boolean Function Promise Map Set Date RegExp Error Symbol JSON".split(" "),
);
/** What runs after one of these can call any tool. */
const OPENING = new Set(
  "dynamic-eval decoded-eval hidden-name constructor-walk computed-global computed-import".split(" "),
);
const MAX_FLOWS = 50;
const ANY_PATH: PathValue = { kind: "path", root: "value", members: [], isHidden: false };

/** How a path is called. */
type Called = { readonly args: readonly Node[]; readonly isNew: boolean; readonly scope: NameScope };

/** What a program does, from its tree. It is walked twice: names first, then what is done with them. */
export function findFacts({ source, tree, servers, names }: FactsInput): ProgramFacts {
  const scopes = toScopes(tree.parts);
  const values = createValues(scopes, names);
  const graph = createFlowGraph(scopes.count);
  const book = createFactBook(source);
  const index = nameIndexOf(servers);
  const byName = new Map(servers.map((server) => [server.name, server]));
  const functions = new Map<FunctionNode, Binding>();
  const calledBy = new Map<Binding, Set<Binding>>();
  const repeated = new Set<Binding>();
  let depth = 0;
  const held: { readonly node: Node; readonly here: Here }[] = [];

  const top: Here = { scope: scopes.top, inLoop: false, into: [], functions: [], ways: { count: 1 } };
  visitAll(tree.parts, top);
  for (const { node, here } of held) visit(node, here);
  book.ways(top.ways.count);
  for (const odd of findOddText(source)) book.hit(odd.rule, odd.at, odd.what);
  for (const odd of findOddNames(book.names, names.legible)) book.hit(odd.rule, odd.at, odd.what);
  const unseen = tree.cutAt ?? (values.isExhausted || graph.isFull ? 0 : undefined);
  if (unseen !== undefined) {
    book.hit("not-examined", unseen);
    book.dynamic(unseen);
  }
  book.flows(graph.flows(MAX_FLOWS));
  return book.finish(toRepeated());

  function visitAll(nodes: readonly Node[], here: Here): void {
    for (const node of nodes) visit(node, here);
  }

  function visit(node: Node, here: Here): void {
    deeper(node, here, enter);
  }

  /** What lies too deep for the stack is looked at afterwards. */
  function deeper(node: Node, here: Here, look: (node: Node, here: Here) => void): void {
    if (depth >= MAX_TREE_DEPTH) {
      held.push({ node, here });
      return;
    }
    depth++;
    look(node, here);
    depth--;
  }

  function enter(node: Node, here: Here): void {
    switch (node.kind) {
      case "text":
      case "number":
        return;
      case "name":
        book.name(node.name, node.at);
        read(node.name, here);
        mentionName(node, here);
        return;
      case "member":
        mention(values.of(node, here.scope), node.at, here);
        visitObject(node, here);
        return;
      case "call":
        visitCall(node, here);
        return;
      case "list":
        visitAll(node.items, here);
        return;
      case "table":
        for (const { key, value } of node.entries) {
          if (typeof key === "object") visit(key, here);
          visit(value, here);
        }
        return;
      case "function":
        visitFunction(node, here);
        return;
      case "assign":
        visitAssign(node, here);
        return;
      case "loop": {
        here.ways.count++;
        const inside = { ...here, scope: scopes.of(node), inLoop: true };
        // What is gone through is asked for once.
        if (node.each) visitAssign(node.each, { ...inside, inLoop: here.inLoop });
        visitAll(node.parts, inside);
        return;
      }
      case "branch":
        here.ways.count += node.ways;
        visitAll(node.parts, here);
        return;
      case "block":
        visitAll(node.parts, { ...here, scope: scopes.of(node) });
        return;
      case "either":
        here.ways.count += node.options.length - 1;
        if (node.test) visit(node.test, here);
        visitAll(node.options, here);
        return;
      case "import":
        for (const { imported, local } of node.entries) {
          book.name(local, node.at);
          mention(names.module(node.specifier, imported), node.at, here, true);
        }
        if (node.entries.length === 0) mention(names.module(node.specifier, undefined), node.at, here, true);
        importData(node.specifier, node.at);
        return;
      case "sum":
      case "other":
        visitAll(node.parts, here);
        return;
    }
  }

  /** What something is taken of: it is told of with the whole. */
  function visitObject(node: Node, here: Here): void {
    deeper(node, here, enterObject);
  }

  function enterObject(node: Node, here: Here): void {
    if (node.kind === "name") {
      book.name(node.name, node.at);
      read(node.name, here);
    } else if (node.kind === "member") {
      if (typeof node.key === "string") book.name(node.key, node.at);
      else visit(node.key, here);
      visitObject(node.object, here);
    } else visit(node, here);
  }

  /** A name's value flows to where it is read; a function's name is a call of it. */
  function read(name: string, { scope, into, inLoop, functions: around }: Here): void {
    const binding = lookUp(name, scope);
    if (!binding) return;
    for (const target of into) graph.connect(binding.id, target);
    if (!binding.sources.some((source) => "node" in source && source.node.kind === "function")) return;
    if (inLoop) repeated.add(binding);
    for (const caller of around) {
      const known = calledBy.get(caller) ?? new Set();
      calledBy.set(caller, known.add(binding));
    }
  }

  function visitFunction(node: FunctionNode, here: Here, isRepeated = here.inLoop): void {
    const own = scopes.of(node);
    const binding = node.name ? lookUp(node.name.name, here.scope) : functions.get(node);
    if (node.name) book.name(node.name.name, node.name.at);
    const around = binding ? [...here.functions, binding].slice(-8) : here.functions;
    const ways = { count: 1 };
    const into = node.name && binding ? [binding.id] : here.into;
    // A function that has a name runs where it is called.
    const inLoop = node.name || functions.has(node) ? false : isRepeated;
    const inside: Here = { scope: own, inLoop, into, functions: around, ways };
    for (const param of node.params) visitTarget(param, inside);
    visitAll(node.body, inside);
    book.ways(ways.count);
  }

  function visitAssign({ target, value }: AssignNode, here: Here): void {
    const targets = visitTarget(target, here);
    if (target.kind === "name" && value?.kind === "function") {
      const binding = lookUp(target.name, here.scope);
      if (binding) functions.set(value, binding);
    }
    if (!value) return;
    const inside = { ...here, into: targets.length > 0 ? targets : here.into };
    // Another name for it hands it to nobody: what is done by that name is seen.
    const isAlias =
      (target.kind === "name" && lookUp(target.name, here.scope) !== undefined) || target.kind === "table";
    if (isAlias && isFollowed(value, here.scope)) visitObject(value, inside);
    else visit(value, inside);
  }

  /** A server, the globals as a whole, or a way out: by whatever name. */
  function isFollowed(node: Node, scope: NameScope): boolean {
    const value = node.kind === "name" || node.kind === "member" ? values.of(node, scope) : undefined;
    if (value?.kind !== "path") return false;
    const watch = findWatch(names, value);
    if (watch && isWayOut(watch)) return true;
    return (value.root === "server" && value.members.length === 1) || isGlobals(value);
  }

  function isWayOut({ does, on }: NameWatch): boolean {
    return does === "command" || (does === "fetch" && on === "call");
  }

  /** Both `fetch` and `runCommand` may be granted. */
  function isPrevented({ on }: NameWatch): boolean {
    return on === "mention";
  }

  function isGlobals({ root, members }: PathValue): boolean {
    return root === "global" && members.length === 1 && names.globals.has(members[0] ?? "");
  }

  /** Defaults and computed keys are values; names are bound. Returns what flows there. */
  function visitTarget(target: Node, here: Here): number[] {
    switch (target.kind) {
      case "name": {
        book.name(target.name, target.at);
        const binding = lookUp(target.name, here.scope);
        return binding ? [binding.id] : [];
      }
      case "list":
        return target.items.flatMap((item) => visitTarget(item, here));
      case "table":
        return target.entries.flatMap(({ key, value }) => {
          if (typeof key === "object") visit(key, here);
          return visitTarget(value, here);
        });
      case "assign": {
        if (target.value) visit(target.value, here);
        return visitTarget(target.target, here);
      }
      case "member": {
        changes(values.of(target, here.scope), target.at);
        visitObject(target, here);
        const root = rootOf(target, here.scope);
        return root ? [root.id] : [];
      }
      default:
        visit(target, here);
        return [];
    }
  }

  function visitCall(node: CallNode, here: Here): void {
    const callee = values.of(node.callee, here.scope);
    const called = callee?.kind === "path" ? withoutApply(callee, node) : undefined;
    const tool = called && called.path.kind === "path" ? toolOf(called.path) : undefined;
    if (called) call(called.path, called.args, node, here);
    findInFormat(node, here.scope);
    const given = tool ? graph.addCall(tool, node.callee.at) : undefined;
    const does = called && findWatch(names, called.path)?.does;
    const isTaking = does === "take";
    const isListing = does === "list-names";
    const receiver = node.callee.kind === "member" ? rootOf(node.callee, here.scope) : undefined;
    const own = functionOf(node.callee, here.scope);
    const passed = graph.add();
    const objectInto = [...here.into, passed];
    visitObject(node.callee, { ...here, into: objectInto });
    const method = node.callee.kind === "member" ? node.callee.key : undefined;
    const isIterating =
      (typeof method === "string" && names.iterating.has(method)) ||
      (node.callee.kind === "name" && names.iterating.has(node.callee.name));
    const into =
      given !== undefined ? [given] : receiver === undefined ? objectInto : [...objectInto, receiver.id];
    if (given !== undefined) for (const target of here.into) graph.connect(given, target);
    for (const param of own?.params ?? []) flowInto(param, passed, scopes.of(own ?? node));
    const there = { ...here, into };
    for (const [place, arg] of node.args.entries()) {
      if ((isTaking || isListing) && place === 0) visitObject(arg, there);
      else if (arg.kind !== "function") {
        visit(arg, isIterating && arg.kind === "name" ? { ...there, inLoop: true } : there);
      } else {
        for (const param of arg.params) flowInto(param, passed, scopes.of(arg));
        visitFunction(arg, there, here.inLoop || isIterating);
      }
    }
  }

  function flowInto(param: Node, from: number, scope: NameScope): void {
    if (param.kind === "name") {
      const binding = lookUp(param.name, scope);
      if (binding) graph.connect(from, binding.id);
    } else if (param.kind === "list") for (const item of param.items) flowInto(item, from, scope);
    else if (param.kind === "table") for (const { value } of param.entries) flowInto(value, from, scope);
    else if (param.kind === "assign") flowInto(param.target, from, scope);
    else if (param.kind === "other") for (const part of param.parts) flowInto(part, from, scope);
  }

  function functionOf(callee: Node, scope: NameScope): FunctionNode | undefined {
    if (callee.kind === "function") return callee;
    const [only] = (callee.kind === "name" && lookUp(callee.name, scope)?.sources) || [];
    return only && "node" in only && only.node.kind === "function" ? only.node : undefined;
  }

  /** `f.call(a, b)` is a call of `f`. */
  function withoutApply(path: PathValue, node: CallNode): { path: PathValue; args: readonly Node[] } {
    const last = path.members.at(-1);
    if (path.members.length < 2 || (last !== "call" && last !== "apply" && last !== "bind"))
      return { path, args: node.args };
    const members = path.members.slice(0, -1);
    const [, ...rest] = node.args;
    const [list] = rest;
    const args = last === "apply" && list?.kind === "list" ? list.items : rest;
    return { path: { ...path, members }, args };
  }

  function toolOf(path: PathValue): UsedTool | undefined {
    const [name, spelling] = path.members;
    const server = path.root === "server" ? byName.get(name ?? "") : undefined;
    if (!server || spelling === undefined) return undefined;
    const tool = findTool(server, spelling);
    return tool.kind === "one" ? { server: server.name, tool: tool.value.name } : undefined;
  }

  /** Something is named: that may be enough. */
  function mention(value: KnownValue, at: number, here: Here, isImport = false): void {
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
    if (watch && isWayOut(watch)) {
      if (watch.does === "fetch") book.host(undefined, at, isPrevented(watch));
      else book.command([], at, isPrevented(watch));
      if (watch.rule !== undefined) hit(watch.rule, path, at);
    } else if (isGlobals(path) || (path.root === "global" && path.members[0] === "*"))
      hit("computed-global", path, at);
  }

  /** What was assigned to a name has been told of where it stands; what was taken apart for it has not. */
  function mentionName(node: NameNode, here: Here): void {
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

  function useTool(path: PathValue, at: number, here: Here): void {
    if (path.root !== "server") return;
    const tool = toolOf(path);
    if (tool) book.tool(tool, at, here.inLoop, here.functions);
    // The server itself handed on, or a function of it that is computed.
    else if (path.members[1] === undefined || path.members[1] === "*") book.dynamic(at, path.members[0]);
  }

  function call(path: PathValue, args: readonly Node[], node: CallNode, here: Here): void {
    const at = node.callee.at;
    const watch = findWatch(names, path);
    if (watch) callWatched(watch, path, args, node, here);
    else if (path.root === "global" && path.members[0] === "*") {
      hit(isDecoded(keyOf(node.callee), here.scope) ? "hidden-name" : "computed-global", path, at);
    }
    walk(path, at, { args, isNew: node.isNew === true, scope: here.scope });
    const last = path.members.at(-1);
    if (last === "__defineGetter__" || last === "__defineSetter__")
      changes({ ...path, members: path.members.slice(0, -1) }, at, true);
    useTool(path, at, here);
  }

  function callWatched(
    watch: NameWatch,
    path: PathValue,
    args: readonly Node[],
    node: CallNode,
    here: Here,
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
      case "open": {
        const mode = args[1] && values.of(args[1], here.scope);
        const writes = mode?.kind === "text" && WRITING.some((letter) => mode.text.includes(letter));
        file(value, writes ? "write" : "read", at);
        break;
      }
    }
    for (const { index: place, access } of watch.files ?? []) {
      const arg = args[place];
      if (arg) file(values.of(arg, here.scope), access, at);
    }
    if (watch.rule !== undefined) hit(watch.rule, path, at);
  }

  function file(path: KnownValue, access: "read" | "write" | "delete", at: number): void {
    const text = path?.kind === "text" ? path : undefined;
    book.file(text?.isWhole ? text.text : undefined, access, at);
    if (text && isOutside(text.text)) book.hit("file-outside", at, text.text);
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
    if (members.at(-1) === "__code__") hit("constructor-walk", value, at);
    if (root === "global" && members[0] === "__keyhole") hit("keyhole-internals", value, at);
  }

  function hit(rule: string, path: PathValue, at: number): void {
    const what = path.members.join(".");
    const told = path.isHidden && rule !== "constructor-walk" ? "hidden-name" : rule;
    book.hit(told, at, what);
    if (OPENING.has(told)) book.dynamic(at);
  }

  /** Whether a text was decoded on its way here. */
  function isDecoded(node: Node | undefined, scope: NameScope, left = { nodes: 400 }): boolean {
    if (!node || left.nodes-- <= 0) return false;
    const inside = (nodes: readonly Node[]) => nodes.some((one) => isDecoded(one, scope, left));
    switch (node.kind) {
      case "name":
        return (lookUp(node.name, scope)?.sources ?? []).some(
          (source) => "node" in source && source.node !== node && isDecoded(source.node, source.scope, left),
        );
      case "call": {
        // Also where it is handed on: `map(chr, codes)`.
        if ([node.callee, ...node.args].some((one) => isDecoding(one, scope))) return true;
        return isDecoded(node.callee, scope, left) || inside(node.args);
      }
      case "member":
        return isDecoded(node.object, scope, left);
      case "loop":
        return node.parts.some((one) => isDecoded(one, scopes.of(node), left));
      case "function":
        return node.body.some((one) => isDecoded(one, scopes.of(node), left));
      case "list":
        return inside(node.items);
      case "either":
        return inside(node.options);
      case "assign":
        return isDecoded(node.value, scope, left);
      case "sum":
      case "other":
        return inside(node.parts);
      default:
        return false;
    }
  }

  function isDecoding(node: Node, scope: NameScope): boolean {
    const value = node.kind === "name" || node.kind === "member" ? values.of(node, scope) : undefined;
    return value?.kind === "path" && findWatch(names, value)?.does === "decode";
  }

  /** What is taken, where that is computed: of `a[b]`, of `getattr(a, b)`. */
  function keyOf(node: Node): Node | undefined {
    if (node.kind === "member") return typeof node.key === "string" ? keyOf(node.object) : node.key;
    return node.kind === "call" ? node.args[1] : undefined;
  }

  function rootOf(node: Node, scope: NameScope): Binding | undefined {
    let at: Node = node;
    while (at.kind === "member") at = at.object;
    return at.kind === "name" ? lookUp(at.name, scope) : undefined;
  }

  /** Functions that run once for each of something, and those that they call. */
  function toRepeated(): ReadonlySet<Binding> {
    for (const binding of repeated) for (const called of calledBy.get(binding) ?? []) repeated.add(called);
    return repeated;
  }
}

const WRITING = ["w", "a", "x", "+"];
