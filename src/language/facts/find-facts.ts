import type { ServerRecord } from "../../catalog/tool.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { createDeeds, type DeedPlace, withoutApply } from "./deeds.ts";
import { createFactBook, type FactText } from "./fact-book.ts";
import { createFlowGraph } from "./flows.ts";
import { findOddNames, findOddText } from "./odd-text.ts";
import {
  type AssignNode,
  type CallNode,
  type FunctionNode,
  MAX_TREE_DEPTH,
  type Node,
  type ProgramTree,
} from "./program-tree.ts";
import { type Binding, bindingOf, lookUp, type NameScope, toScopes } from "./scopes.ts";
import { createValues } from "./values.ts";
import { findWatch, type LanguageNames } from "./watched.ts";

export type FactsInput = {
  readonly source: string;
  readonly tree: ProgramTree;
  /** All that it imports, and what these import: what is imported stands before what imports it. */
  readonly skills?: readonly SkillText[];
  readonly servers: readonly ServerRecord[];
  readonly names: LanguageNames;
};

export type SkillText = {
  readonly name: string;
  readonly source: string;
  readonly tree: ProgramTree;
  /** What it offers, by the names that this has in it; without them, all that it declares. */
  readonly exports?: ReadonlyMap<string, string>;
};

/** Where the walk stands. */
type Here = DeedPlace & {
  /** What values that are read here flow into. */
  readonly into: readonly number[];
  /** Counts the ways through the function around. */
  readonly ways: { count: number };
};

const MAX_FLOWS = 50;
const MAX_OTHER_NAMES = 3;
const MAX_CALL_STEPS = 20_000;

/**
 * What a program does, and what its skills do, from their trees. They are walked twice: names first, then what is done with them.
 */
export function findFacts({ source, tree, skills = [], servers, names }: FactsInput): ProgramFacts {
  const scopes = toScopes(
    tree.parts,
    new Map(
      skills.map(({ name, tree: { parts }, exports }) => [name, { parts, ...(exports && { exports }) }]),
    ),
  );
  const values = createValues(scopes, names);
  const graph = createFlowGraph(scopes.count);
  const book = createFactBook();
  const deeds = createDeeds({ scopes, values, book, servers, names });
  const functions = new Map<FunctionNode, Binding>();
  const calledBy = new Map<Binding, Set<Binding>>();
  const repeated = new Set<Binding>();
  /** What is read once for each of something. */
  const readInLoops = new Set<Binding>();
  let depth = 0;
  let held: { readonly node: Node; readonly here: Here }[] = [];

  for (const skill of skills) {
    const scope = scopes.topOf(skill.name);
    if (scope) look({ source: skill.source, skill: skill.name }, skill.tree, scope);
  }
  look({ source }, tree, scopes.top);
  book.flows(graph.flows(MAX_FLOWS));
  return book.finish(toRepeated());

  function look(text: FactText, { parts, cutAt }: ProgramTree, scope: NameScope): void {
    const top: Here = { scope, inLoop: false, into: [], functions: [], ways: { count: 1 } };
    book.enter(text);
    visitAll(parts, top);
    // Grows as it goes: what lies deeper still comes after it.
    for (const { node, here } of held) visit(node, here);
    held = [];
    book.ways(top.ways.count);
    for (const odd of findOddText(text.source)) book.hit(odd.rule, odd.at, odd.what);
    for (const odd of findOddNames(book.names, names.legible)) book.hit(odd.rule, odd.at, odd.what);
    const unseen = cutAt ?? (values.isExhausted || graph.isFull ? 0 : undefined);
    if (unseen === undefined) return;
    book.hit("not-examined", unseen);
    book.dynamic(unseen);
  }

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
        deeds.mentionName(node, here);
        return;
      case "member":
        deeds.mention(values.of(node, here.scope), node.at, here);
        visitObject(node, here);
        return;
      case "call":
        visitCall(node, here);
        deeds.handOnMade(values.of(node, here.scope), node.at, here);
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
          if (node.skill !== undefined) continue;
          if (!node.isStar) deeds.mention(names.module(node.specifier, imported), node.at, here, true);
        }
        if (node.skill !== undefined) return;
        if (node.entries.length === 0 || node.isStar)
          deeds.mention(names.module(node.specifier, undefined), node.at, here, true);
        deeds.importData(node.specifier, node.at);
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
      if (skills.length > 0) readBinding(bindingOf(node, here.scope), here);
      if (typeof node.key === "string") book.name(node.key, node.at);
      else visit(node.key, here);
      visitObject(node.object, here);
    } else if (node.kind === "call") visitCall(node, here);
    else visit(node, here);
  }

  /** A name's value flows to where it is read; a function's name is a call of it. */
  function read(name: string, here: Here): void {
    readBinding(lookUp(name, here.scope), here);
  }

  function readBinding(binding: Binding | undefined, here: Here): void {
    if (!binding) return;
    for (const target of here.into) graph.connect(binding.id, target);
    if (here.inLoop) readInLoops.add(binding);
    readFunction(binding, here);
  }

  /** A function, also by another name for it. */
  function readFunction(binding: Binding, here: Here, names = 0): void {
    const { inLoop, functions: around } = here;
    if (binding.sources.some((source) => "node" in source && source.node.kind === "function")) {
      if (inLoop) repeated.add(binding);
      for (const caller of around) {
        const known = calledBy.get(caller) ?? new Set();
        calledBy.set(caller, known.add(binding));
      }
    }
    if (names >= MAX_OTHER_NAMES) return;
    for (const source of binding.sources) {
      const other = "node" in source && source.path.length === 0 && bindingOf(source.node, source.scope);
      if (other && other !== binding) readFunction(other, here, names + 1);
    }
  }

  function visitFunction(node: FunctionNode, here: Here, isRepeated = here.inLoop): void {
    visitAll(node.around ?? [], here);
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
    if (isAlias && deeds.isFollowed(value, here.scope)) visitObject(value, inside);
    else visit(value, inside);
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
        deeds.changes(values.of(target, here.scope), target.at);
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
    const tool = called && called.path.kind === "path" ? deeds.toolOf(called.path) : undefined;
    if (called) deeds.call(called.path, called.args, node, here);
    deeds.findInFormat(node, here.scope);
    deeds.callMethod(node, here.scope);
    const given = tool ? graph.addCall(tool, book.place(node.callee.at)) : undefined;
    const does = called && findWatch(names, called.path)?.does;
    const isTaking = does === "take";
    const isListing = does === "list-names";
    const receiver = node.callee.kind === "member" ? rootOf(node.callee, here.scope) : undefined;
    const own = functionOf(node.callee, here.scope);
    const passed = graph.add();
    const objectInto = [...here.into, passed];
    visitObject(node.callee, { ...here, into: objectInto });
    const method = node.callee.kind === "member" ? node.callee.key : undefined;
    const isApplied = method === "call" || method === "apply" || method === "bind";
    // What is put into a text is only read.
    const isFormat = method === "format" || method === "format_map" || method === "%";
    // What a tool's function is called of does not matter.
    const isOwn = (arg: Node) =>
      tool !== undefined || (arg.kind === "name" && names.maybeGlobals.has(arg.name));
    const isIterating =
      (typeof method === "string" && names.iterating.has(method)) ||
      (node.callee.kind === "name" && names.iterating.has(node.callee.name));
    const into =
      given !== undefined ? [given] : receiver === undefined ? objectInto : [...objectInto, receiver.id];
    if (given !== undefined) for (const target of here.into) graph.connect(given, target);
    for (const param of own?.params ?? []) flowInto(param, passed, scopes.of(own ?? node));
    const there = { ...here, into };
    for (const [place, arg] of node.args.entries()) {
      const isListed = isListing && (arg.kind === "name" || deeds.isFollowed(arg, here.scope));
      const isLookedAt = isTaking || isListed || (isApplied && isOwn(arg));
      const isRepeated = isIterating || (own !== undefined && isReadInLoop(own, place));
      if ((isLookedAt && place === 0) || (isFormat && arg.kind === "call")) visitObject(arg, there);
      else if (arg.kind !== "function") {
        const isHandedOn = arg.kind === "name" || arg.kind === "member";
        visit(arg, isRepeated && isHandedOn ? { ...there, inLoop: true } : there);
      } else {
        for (const param of arg.params) flowInto(param, passed, scopes.of(arg));
        visitFunction(arg, there, here.inLoop || isRepeated);
      }
    }
  }

  /** `each(items, f)`, a function of the program's own. */
  function isReadInLoop(own: FunctionNode, place: number): boolean {
    const param = own.params[place];
    const binding = param?.kind === "name" ? lookUp(param.name, scopes.of(own)) : undefined;
    return binding !== undefined && readInLoops.has(binding);
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
    const [only] = bindingOf(callee, scope)?.sources ?? [];
    return only && "node" in only && only.node.kind === "function" ? only.node : undefined;
  }

  function rootOf(node: Node, scope: NameScope): Binding | undefined {
    let at: Node = node;
    while (at.kind === "member") {
      const taken = skills.length > 0 ? bindingOf(at, scope) : undefined;
      if (taken) return taken;
      at = at.object;
    }
    return at.kind === "name" ? lookUp(at.name, scope) : undefined;
  }

  /** Functions that run once for each of something or call themselves, and those that they call. */
  function toRepeated(): ReadonlySet<Binding> {
    const left = { steps: MAX_CALL_STEPS };
    for (const binding of calledBy.keys()) if (callsItself(binding, left)) repeated.add(binding);
    for (const binding of repeated) for (const called of calledBy.get(binding) ?? []) repeated.add(called);
    return repeated;
  }

  function callsItself(binding: Binding, left: { steps: number }): boolean {
    const seen = new Set<Binding>();
    const open = [binding];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const called of calledBy.get(one) ?? []) {
        if (called === binding) return true;
        if (left.steps-- <= 0 || seen.has(called)) continue;
        seen.add(called);
        open.push(called);
      }
    }
    return false;
  }
}
