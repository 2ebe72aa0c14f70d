import { type AssignNode, type FunctionNode, MAX_TREE_DEPTH, type Node } from "./program-tree.ts";

/** Names and what is assigned to them. Each node that opens a scope has its own. */
export type NameScope = {
  readonly outer: NameScope | undefined;
  readonly isFunction: boolean;
  readonly names: Map<string, Binding>;
};

export type Binding = {
  readonly id: number;
  readonly name: string;
  readonly sources: Source[];
  /** More was assigned to it than is kept. */
  isOpen: boolean;
  /** Whoever calls the function may give another value than is assigned to it. */
  isGiven: boolean;
  /** Something is put into it, or taken out. */
  isChanged: boolean;
  /** It is a skill as a whole: what that one's text declares. */
  skill?: NameScope;
};

/** A value: what a node has under a path of keys, none being known where it is `undefined`. */
export type Source =
  | { readonly node: Node; readonly path: readonly (string | Node | undefined)[]; readonly scope: NameScope }
  | { readonly specifier: string; readonly imported: string | undefined };

export type Scopes = {
  readonly top: NameScope;
  /** Of the skills. */
  topOf(skill: string): NameScope | undefined;
  of(node: Node): NameScope;
  /** How many bindings there are: their ids are below it. */
  readonly count: number;
};

const MAX_SOURCES = 6;

/** By their names: what is imported stands before what imports it. */
export type SkillParts = ReadonlyMap<
  string,
  {
    readonly parts: readonly Node[];
    /** What it offers, by the names that this has in it; without them, all that it declares. */
    readonly exports?: ReadonlyMap<string, string>;
  }
>;

/** A first walk: all names, before any is looked up, since functions see what is declared after them. */
export function toScopes(parts: readonly Node[], skills: SkillParts = new Map()): Scopes {
  const byNode = new Map<Node, NameScope>();
  let count = 0;
  let depth = 0;
  const held: { readonly node: Node; readonly scope: NameScope }[] = [];
  const changed: { readonly name: string; readonly scope: NameScope }[] = [];
  const tops = new Map<string, NameScope>();
  /** What whoever imports a skill finds in it. */
  const offered = new Map<string, NameScope>();
  for (const [skill, { parts: own, exports }] of skills) {
    const scope = toTop(own);
    tops.set(skill, scope);
    offered.set(skill, exports === undefined ? scope : toOffer(scope, exports));
  }
  const top = toTop(parts);
  for (const { name, scope } of changed) {
    const binding = lookUp(name, scope);
    if (binding) binding.isChanged = true;
  }

  function toTop(own: readonly Node[]): NameScope {
    const scope = open(undefined, true);
    for (const part of own) visit(part, scope);
    for (const { node, scope: inside } of held) visit(node, inside);
    held.length = 0;
    return scope;
  }

  function toOffer(scope: NameScope, exports: ReadonlyMap<string, string>): NameScope {
    const names = new Map<string, Binding>();
    for (const [name, local] of exports) {
      const own = scope.names.get(local);
      const binding = own ?? declare(`offered ${name}`, scope);
      // What it does not declare is everybody's: `export { fetch }`.
      if (!own) add(binding, { node: { kind: "name", at: 0, name: local }, path: [], scope });
      names.set(name, binding);
    }
    return { ...scope, names };
  }

  function open(outer: NameScope | undefined, isFunction: boolean): NameScope {
    return { outer, isFunction, names: new Map() };
  }

  function inner(node: Node, outer: NameScope, isFunction: boolean): NameScope {
    const scope = open(outer, isFunction);
    byNode.set(node, scope);
    return scope;
  }

  function visitAll(nodes: readonly Node[], scope: NameScope): void {
    for (const node of nodes) visit(node, scope);
  }

  function visit(node: Node, scope: NameScope): void {
    if (depth >= MAX_TREE_DEPTH) {
      held.push({ node, scope });
      return;
    }
    depth++;
    enter(node, scope);
    depth--;
  }

  function enter(node: Node, scope: NameScope): void {
    switch (node.kind) {
      case "name":
      case "text":
      case "number":
        return;
      case "member":
        visit(node.object, scope);
        if (typeof node.key !== "string") visit(node.key, scope);
        return;
      case "call":
        visit(node.callee, scope);
        visitAll(node.args, scope);
        if (node.callee.kind === "member" && isChanging(node.callee.key)) change(node.callee.object, scope);
        return;
      case "list":
        visitAll(node.items, scope);
        return;
      case "table":
        for (const { key, value } of node.entries) {
          if (typeof key === "object") visit(key, scope);
          visit(value, scope);
        }
        return;
      case "function":
        visitFunction(node, scope);
        return;
      case "assign":
        visitAssign(node, scope);
        return;
      case "loop": {
        const own = inner(node, scope, false);
        if (node.each) visitAssign(node.each, own, [undefined]);
        visitAll(node.parts, own);
        return;
      }
      case "block":
        visitAll(node.parts, inner(node, scope, false));
        return;
      case "either":
        if (node.test) visit(node.test, scope);
        visitAll(node.options, scope);
        return;
      case "import":
        for (const { imported, local } of node.entries) {
          if (node.skill === undefined) add(declare(local, scope), { specifier: node.specifier, imported });
          else importSkill(offered.get(node.skill), imported, local, scope);
        }
        return;
      case "branch":
      case "sum":
      case "other":
        visitAll(node.parts, scope);
        return;
    }
  }

  /** What is taken of a skill is that one's own name for it: what is done by it, is done there. */
  function importSkill(
    skill: NameScope | undefined,
    imported: string | undefined,
    local: string,
    scope: NameScope,
  ): void {
    const own = imported === undefined ? undefined : skill?.names.get(imported);
    const known = scope.names.get(local);
    if (own && !known) scope.names.set(local, own);
    else if (own && known) for (const source of own.sources) add(known, source);
    else {
      const binding = declare(local, scope);
      if (imported === undefined && skill) binding.skill = skill;
      else binding.isOpen = true;
    }
  }

  function visitFunction(node: FunctionNode, scope: NameScope): void {
    if (node.name) add(declare(node.name.name, scope), { node, path: [], scope });
    visitAll(node.around ?? [], scope);
    const own = inner(node, scope, true);
    for (const param of node.params) bind(param, undefined, [], own, own);
    visitAll(node.body, own);
  }

  function visitAssign(
    { target, value, declares }: AssignNode,
    scope: NameScope,
    path: readonly undefined[] = [],
  ): void {
    if (value) visit(value, scope);
    const home = declares === undefined ? undefined : declares === "block" ? scope : functionOf(scope);
    bind(target, value, path, scope, home);
  }

  /** @param home where the names are declared; nothing where they are there already */
  function bind(
    target: Node,
    value: Node | undefined,
    path: readonly (string | Node | undefined)[],
    scope: NameScope,
    home: NameScope | undefined,
  ): void {
    if (target.kind === "name") {
      const binding = home ? declare(target.name, home) : lookUp(target.name, scope);
      if (binding && value) add(binding, { node: value, path, scope });
    } else if (target.kind === "list") {
      for (const [index, item] of target.items.entries())
        bind(item, value, [...path, String(index)], scope, home);
    } else if (target.kind === "table") {
      for (const { key, value: item } of target.entries) {
        if (typeof key === "object") visit(key, scope);
        bind(item, value, key === undefined ? path : [...path, key], scope, home);
      }
    } else if (target.kind === "assign") {
      bind(target.target, value, path, scope, home);
      const given = value === undefined && target.target.kind === "name" ? target.target.name : undefined;
      if (given !== undefined && home) declare(given, home).isGiven = true;
      if (target.value) {
        visit(target.value, scope);
        bind(target.target, target.value, [], scope, home);
      }
    } else {
      if (target.kind === "member") change(target.object, scope);
      // A function of a skill is exchanged for another one.
      const taken = bindingOf(target, scope);
      if (taken && value) add(taken, { node: value, path, scope });
      visit(target, scope);
    }
  }

  function change(object: Node, scope: NameScope): void {
    if (object.kind === "name") changed.push({ name: object.name, scope });
  }

  function declare(name: string, scope: NameScope): Binding {
    const known = scope.names.get(name);
    if (known) return known;
    const binding: Binding = {
      id: count++,
      name,
      sources: [],
      isOpen: false,
      isGiven: false,
      isChanged: false,
    };
    scope.names.set(name, binding);
    return binding;
  }

  return {
    top,
    topOf: (skill) => tops.get(skill),
    of: (node) => byNode.get(node) ?? top,
    get count() {
      return count;
    },
  };
}

const CHANGING = new Set(
  "append extend insert clear pop remove sort reverse update setdefault push splice unshift shift fill".split(
    " ",
  ),
);

function isChanging(key: string | Node): boolean {
  return typeof key !== "string" || CHANGING.has(key);
}

function add(binding: Binding, source: Source): void {
  if (binding.sources.length < MAX_SOURCES) binding.sources.push(source);
  else binding.isOpen = true;
}

function functionOf(scope: NameScope): NameScope {
  let found = scope;
  while (!found.isFunction && found.outer) found = found.outer;
  return found;
}

/** What a name means, and what is taken of a skill by its name: `skill.f`. */
export function bindingOf(node: Node, scope: NameScope): Binding | undefined {
  if (node.kind === "name") return lookUp(node.name, scope);
  if (node.kind !== "member" || typeof node.key !== "string") return undefined;
  return bindingOf(node.object, scope)?.skill?.names.get(node.key);
}

export function lookUp(name: string, scope: NameScope): Binding | undefined {
  for (let one: NameScope | undefined = scope; one; one = one.outer) {
    const found = one.names.get(name);
    if (found) return found;
  }
  return undefined;
}
