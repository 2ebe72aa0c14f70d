import type { CallNode, Node, TextNode } from "./program-tree.ts";
import { type Binding, bindingOf, lookUp, type NameScope, type Scopes, type Source } from "./scopes.ts";

/** What an expression is, as far as that can be known without running it. */
export type KnownValue = TextValue | NumberValue | PathValue | undefined;

/** `isBuilt`: put together or decoded, so that it does not stand in the program. `isWhole`: not only its beginning. */
export type TextValue = {
  readonly kind: "text";
  readonly text: string;
  readonly isBuilt: boolean;
  readonly isWhole: boolean;
  /** Something that stands for a file, and has methods that change it: `Path("a")`. */
  readonly isPath?: true;
};
export type NumberValue = { readonly kind: "number"; readonly value: number };

/**
 * Where something is found. The first member is, by `root`: a global's name, a module's, a server's; of a `function`, a `class` or a
 * `value` nothing is known but what is taken of it. `*` is a key that is computed.
 */
export type PathValue = {
  readonly kind: "path";
  readonly root: "global" | "module" | "server" | "function" | "class" | "value";
  readonly members: readonly string[];
  /** A name in it is written so that it can't be read off the program. */
  readonly isHidden: boolean;
};

/** What of this is a language's own. */
export type ValueNaming = {
  /** What a name means that the program does not declare. */
  global(name: string): PathValue;
  /** What an import gives. */
  module(specifier: string, imported: string | undefined): PathValue;
  /** A path after something was taken of it: `globalThis.eval` is `eval`. */
  simplify(path: PathValue): PathValue;
  /** What a call of something known gives: `require("fs")`, `atob("…")`, `getattr(a, "b")`. */
  call(callee: PathValue, call: Evaluated): KnownValue;
  /** The same of a method of a text or a list: `"a".concat("b")`. */
  method(receiver: TextValue | readonly KnownValue[], name: string, args: readonly KnownValue[]): KnownValue;
  /** What a text has under a name, and what is in it where there is none. */
  member?(receiver: TextValue, key: string | undefined): KnownValue;
  /** Where a text joins the list it is given: `"".join(["a", "b"])`. */
  join?(separator: string, items: readonly KnownValue[]): KnownValue;
};

export type Evaluated = {
  readonly args: readonly KnownValue[];
  /** The values in a list that is an argument. */
  items(index: number): readonly KnownValue[] | undefined;
};

export type Values = {
  of(node: Node, scope: NameScope): KnownValue;
  ofBinding(binding: Binding): KnownValue;
  /** More work, or deeper, than is done for one program: what follows is unknown. */
  readonly isExhausted: boolean;
};

const MAX_STEPS = 200_000;
const MAX_DEPTH = 150;
const MAX_MEMBERS = 12;
const MAX_TEXT = 4_000;
const MAX_ITEMS = 2_000;

export function createValues(scopes: Scopes, naming: ValueNaming): Values {
  const bindings = new Map<Binding, KnownValue>();
  const nodes = new Map<Node, KnownValue>();
  const open = new Set<Binding>();
  let steps = 0;
  let depth = 0;
  let isCut = false;

  function isTooMuch(): boolean {
    const isOver = depth >= MAX_DEPTH || ++steps > MAX_STEPS;
    isCut ||= isOver;
    return isOver;
  }

  function of(node: Node, scope: NameScope): KnownValue {
    if (node.kind === "text") return toText(node);
    const isKept = node.kind === "member" || node.kind === "call" || node.kind === "sum";
    if (isKept && nodes.has(node)) return nodes.get(node);
    if (isTooMuch()) return undefined;
    depth++;
    const value = evaluate(node, scope);
    depth--;
    // What was asked for within itself is not known well enough to be kept.
    if (isKept && open.size === 0) nodes.set(node, value);
    return value;
  }

  function evaluate(node: Node, scope: NameScope): KnownValue {
    switch (node.kind) {
      case "text":
        return toText(node);
      case "number":
        return node;
      case "name": {
        const binding = lookUp(node.name, scope);
        const value = binding ? ofBinding(binding) : naming.global(node.name);
        return node.isEscaped ? toHidden(value) : value;
      }
      case "member":
        return ofMember(node.object, node.key, scope, node.isEscaped === true);
      case "function":
        return FUNCTION;
      case "call":
        return ofCall(node, scope);
      case "either": {
        const options = node.options.map((option) => of(option, scope));
        return isSame(options) ? pick(options) : toPart(pick(options));
      }
      case "sum":
        return sum(node.parts.map((part) => of(part, scope)));
      case "assign":
        return node.value ? of(node.value, scope) : undefined;
      case "other":
        if (node.isClass) return CLASS;
        // A sequence, or something in brackets: the last is its value.
        return node.parts.length === 1 && node.parts[0] ? of(node.parts[0], scope) : undefined;
      case "block": {
        const last = node.parts.at(-1);
        return last ? of(last, scopes.of(node)) : undefined;
      }
      default:
        return undefined;
    }
  }

  function ofBinding(binding: Binding): KnownValue {
    if (bindings.has(binding)) return bindings.get(binding);
    if (open.has(binding)) return undefined;
    open.add(binding);
    const found = binding.sources.map(ofSource);
    const picked = isSame(found) && !binding.isGiven ? pick(found) : toPart(pick(found));
    const isOther = picked === CLASS && (binding.sources.length > 1 || binding.isOpen);
    const value = isOther ? undefined : picked;
    open.delete(binding);
    bindings.set(binding, value);
    return value;
  }

  function ofSource(source: Source): KnownValue {
    if ("specifier" in source) return naming.module(source.specifier, source.imported);
    const { node, path, scope } = source;
    let at: Node | undefined = node;
    let taken = 0;
    // Out of a literal as far as it goes: `const [a] = [eval]`.
    for (; taken < path.length; taken++) {
      const next: Node | undefined = at && itemOf(at, keyOf(path[taken], scope));
      if (!next) break;
      at = next;
    }
    let value = of(at, scope);
    for (const key of path.slice(taken)) value = take(value, keyOf(key, scope));
    return value;
  }

  function keyOf(key: string | Node | undefined, scope: NameScope): TextValue | undefined {
    if (key === undefined) return undefined;
    if (typeof key === "string") return { kind: "text", text: key, isBuilt: false, isWhole: true };
    const value = of(key, scope);
    if (value?.kind === "number")
      return { kind: "text", text: String(value.value), isBuilt: false, isWhole: true };
    return value?.kind === "text" && value.isWhole ? value : undefined;
  }

  function itemOf(node: Node, key: TextValue | undefined): Node | undefined {
    if (!key) return undefined;
    if (node.kind === "list") return node.isSpread ? undefined : node.items[Number(key.text)];
    if (node.kind === "table") return node.entries.find((entry) => entry.key === key.text)?.value;
    return undefined;
  }

  function ofMember(object: Node, written: string | Node, scope: NameScope, isEscaped: boolean): KnownValue {
    const key = keyOf(written, scope);
    const item = itemOf(object, key);
    if (item) return of(item, scope);
    const taken = key && bindingOf(object, scope)?.skill?.names.get(key.text);
    if (taken) return ofBinding(taken);
    const bound = object.kind === "name" ? lookUp(object.name, scope) : undefined;
    const [only] = bound?.sources ?? [];
    // A table or a list that the program keeps something in.
    if (bound?.sources.length === 1 && only && "node" in only && only.path.length === 0) {
      const kept = itemOf(only.node, key);
      if (kept) return bound.isChanged ? toPart(of(kept, only.scope)) : of(kept, only.scope);
    }
    const got = take(of(object, scope), key);
    return isEscaped ? toHidden(got) : got;
  }

  function take(value: KnownValue, key: TextValue | undefined): KnownValue {
    const own = value?.kind === "text" ? naming.member?.(value, key?.text) : undefined;
    if (own) return own;
    const path: PathValue = value?.kind === "path" ? value : ANY;
    if (path.members.length >= MAX_MEMBERS) return path;
    const isHidden = path.isHidden || key?.isBuilt === true;
    return naming.simplify({ ...path, members: [...path.members, key?.text ?? "*"], isHidden });
  }

  function ofCall(node: CallNode, scope: NameScope): KnownValue {
    const { callee } = node;
    const args = () => node.args.map((arg) => of(arg, scope));
    if (callee.kind === "member") {
      const name = keyOf(callee.key, scope)?.text;
      const receiver = of(callee.object, scope);
      const items = receiver === undefined ? itemsOf(callee.object, scope) : undefined;
      const on = receiver?.kind === "text" ? receiver : items;
      const [list] = node.args;
      const joined = name === "join" && receiver?.kind === "text" && list ? itemsOf(list, scope) : undefined;
      if (joined && naming.join && receiver?.kind === "text" && receiver.isWhole && node.args.length === 1)
        return bounded(naming.join(receiver.text, joined));
      if (on && name !== undefined) {
        const made = naming.method(on, name, args());
        if (made) return bounded(made);
      }
    }
    const path = of(callee, scope);
    if (path?.kind !== "path") return undefined;
    const items = (index: number) => {
      const arg = node.args[index];
      return arg && itemsOf(arg, scope);
    };
    return bounded(naming.call(path, { args: args(), items }) ?? toMade(path));
  }

  /** The values of a list that is written out, or was made of a text: `"a,b".split(",")`. */
  function itemsOf(node: Node, scope: NameScope): readonly KnownValue[] | undefined {
    if (isTooMuch()) return undefined;
    if (node.kind === "list") {
      const [only] = node.items;
      if (node.isSpread && only) return lettersOf(only, scope) ?? itemsOf(only, scope);
      return node.items.length > MAX_ITEMS ? undefined : node.items.map((item) => of(item, scope));
    }
    if (node.kind === "name") {
      const binding = lookUp(node.name, scope);
      const [only, ...others] = binding?.isChanged ? [] : (binding?.sources ?? []);
      if (!only || others.length > 0 || !("node" in only) || only.path.length > 0) return undefined;
      return only.node.kind === "name" ? undefined : itemsOf(only.node, only.scope);
    }
    if (node.kind !== "call" || node.callee.kind !== "member") return undefined;
    depth++;
    const made = madeItems(node.callee.object, node.callee.key, node.args, scope);
    depth--;
    return made;
  }

  function madeItems(
    object: Node,
    key: string | Node,
    args: readonly Node[],
    scope: NameScope,
  ): readonly KnownValue[] | undefined {
    const name = keyOf(key, scope)?.text;
    const [first] = args;
    if (name === "map") {
      const path = first && handedTo(first, scope);
      if (!path) return undefined;
      return itemsOf(object, scope)?.map((item) =>
        naming.call(path, { args: [item], items: () => undefined }),
      );
    }
    if (name === "reverse" || name === "toReversed") return itemsOf(object, scope)?.toReversed();
    const receiver = name === "split" ? of(object, scope) : undefined;
    const separator = args[0] && of(args[0], scope);
    if (receiver?.kind !== "text" || separator?.kind !== "text" || !receiver.isWhole) return undefined;
    if (!separator.isWhole || args.length > 1) return undefined;
    return receiver.text
      .split(separator.text)
      .slice(0, MAX_ITEMS)
      .map((text) => ({ kind: "text", text, isBuilt: true, isWhole: true }));
  }

  /** The global to which a function hands its item on, where it does nothing else: `(code) => String.fromCharCode(code)`. */
  function handedTo(called: Node, scope: NameScope): PathValue | undefined {
    let path: KnownValue;
    if (called.kind === "function") {
      const [body] = called.body;
      const inner = body?.kind === "other" ? body.parts[0] : body;
      const [param] = called.params;
      if (inner?.kind !== "call" || param?.kind !== "name" || called.body.length > 1) return undefined;
      const [given] = inner.args;
      if (given?.kind !== "name" || given.name !== param.name) return undefined;
      path = of(inner.callee, scopes.of(called));
    } else path = of(called, scope);
    return path?.kind === "path" && path.root === "global" ? path : undefined;
  }

  function lettersOf(node: Node, scope: NameScope): readonly KnownValue[] | undefined {
    const value = of(node, scope);
    if (value?.kind !== "text" || !value.isWhole) return undefined;
    return [...value.text].slice(0, MAX_ITEMS).map(toBuilt);
  }

  return {
    of,
    ofBinding,
    get isExhausted() {
      return isCut;
    },
  };
}

function toText({ text, isBuilt }: TextNode): TextValue {
  return { kind: "text", text, isBuilt, isWhole: true };
}

/** Of a function what is computed may be its constructor, and what that gives is code. */
function toMade(path: PathValue): PathValue | undefined {
  const { root, members } = path;
  const taken =
    root === "function"
      ? 0
      : root === "server"
        ? 2
        : members[0] === "Function" && members[1] === "prototype"
          ? 2
          : -1;
  return taken >= 0 && members[taken] === "*" ? { ...path, members: [...members, MADE_CODE] } : undefined;
}

/** Behind a call of something that may make code. */
export const MADE_CODE = "()";

const FUNCTION: PathValue = { kind: "path", root: "function", members: [], isHidden: false };
const CLASS: PathValue = { kind: "path", root: "class", members: [], isHidden: false };
const ANY: PathValue = { kind: "path", root: "value", members: [], isHidden: false };

function toHidden(value: KnownValue): KnownValue {
  return value?.kind === "path" ? { ...value, isHidden: true } : value;
}

/** Of what it may be, what says the most: a path that begins somewhere, then a text. */
function pick(values: readonly KnownValue[]): KnownValue {
  const paths = values.filter((value) => value?.kind === "path");
  return (
    paths.find(({ root }) => root !== "value" && root !== "function" && root !== "class") ??
    paths.find(({ members }) => members.length > 0) ??
    paths[0] ??
    values.find((value) => value !== undefined)
  );
}

function isSame([first, ...others]: readonly KnownValue[]): boolean {
  return others.every(
    (one) =>
      one?.kind === "text" &&
      first?.kind === "text" &&
      one.text === first.text &&
      one.isWhole === first.isWhole,
  );
}

/** One of several: a text that it may be is not all that it may be. */
function toPart(value: KnownValue): KnownValue {
  if (value?.kind === "number") return undefined;
  return value?.kind === "text" ? { ...value, isWhole: false } : value;
}

function sum(values: readonly KnownValue[]): KnownValue {
  let text = "";
  let isWhole = true;
  for (const value of values) {
    if (value?.kind === "number" && isWhole) text += String(value.value);
    else if (value?.kind === "text" && isWhole) {
      text += value.text;
      isWhole = value.isWhole;
    } else isWhole = false;
    if (text.length > MAX_TEXT) break;
  }
  if (!isWhole && text === "") return undefined;
  return bounded({ kind: "text", text, isBuilt: true, isWhole });
}

function bounded(value: KnownValue): KnownValue {
  if (value?.kind !== "text" || value.text.length <= MAX_TEXT) return value;
  return { ...value, text: value.text.slice(0, MAX_TEXT), isWhole: false };
}

/** Joins texts: `["ev", "al"].join("")`. */
export function joinTexts(items: readonly KnownValue[], separator: string): KnownValue {
  const texts: string[] = [];
  for (const item of items) {
    if (item?.kind === "number") texts.push(String(item.value));
    else if (item?.kind === "text" && item.isWhole) texts.push(item.text);
    else return undefined;
  }
  return { kind: "text", text: texts.join(separator), isBuilt: true, isWhole: true };
}

/** Parts of a path, as far as they are known from its beginning. */
export function joinPaths(parts: readonly KnownValue[], isReset: boolean): KnownValue {
  let text = "";
  for (const [at, part] of parts.entries()) {
    if (part?.kind !== "text") return text === "" ? undefined : { ...toBuilt(text), isWhole: false };
    const isFirst = at === 0 || (isReset && part.text.startsWith("/"));
    text = isFirst ? part.text : `${text}/${part.text}`;
    if (!part.isWhole) return { ...toBuilt(text), isWhole: false };
  }
  return toBuilt(text);
}

export function toBuilt(text: string): TextValue {
  return { kind: "text", text, isBuilt: true, isWhole: true };
}
