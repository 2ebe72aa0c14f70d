import type { SyntaxNode, Tree } from "@lezer/common";
import { childNodes, everyNode, splitAtCommas } from "../syntax-nodes.ts";

/** What gives a name its value. */
export type PythonBinding =
  /** `import a.b`, `import a.b as c`, `from a.b import name as c`; without a name the module itself. */
  | { readonly kind: "import"; readonly module: string; readonly name?: string }
  | { readonly kind: "value"; readonly node: SyntaxNode }
  /** One of what is gone through. */
  | { readonly kind: "each"; readonly node: SyntaxNode }
  | { readonly kind: "function"; readonly node: SyntaxNode }
  | { readonly kind: "other" };

/**
 * All names of a program, wherever they are bound: scopes are not told apart, so a name that is bound twice may be either.
 * That makes some calls unknown that a compiler would know, and none known that it would not.
 */
export type PythonBindings = {
  of(name: string): readonly PythonBinding[];
  readonly names: ReadonlySet<string>;
  /** Where names are read. */
  readonly reads: readonly SyntaxNode[];
  readonly imports: readonly PythonImport[];
};

export type PythonImport = {
  readonly node: SyntaxNode;
  readonly module: string;
  /** Of `from … import`: the names, `*` among them; else nothing. */
  readonly names?: readonly SyntaxNode[];
};

const OTHER: PythonBinding = { kind: "other" };
const TARGETS = new Set(["VariableName", "TupleExpression", "ArrayExpression", "ParenthesizedExpression"]);

/** @param nodes where they are looked for */
export function findBindings(
  tree: Tree,
  text: string,
  nodes: Iterable<SyntaxNode> = everyNode(tree),
): PythonBindings {
  const bindings = new Map<string, PythonBinding[]>();
  const bound = new Set<number>();
  const candidates: SyntaxNode[] = [];
  const imports: PythonImport[] = [];
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to).normalize("NFKC");

  for (const node of nodes) visit(node);
  return {
    of: (name) => bindings.get(name) ?? [],
    names: new Set(bindings.keys()),
    reads: candidates.filter(({ from }) => !bound.has(from)),
    imports,
  };

  function visit(node: SyntaxNode): void {
    switch (node.name) {
      case "VariableName":
        candidates.push(node);
        return;
      case "ImportStatement":
        bindImports(node);
        return;
      case "AssignStatement":
      case "NamedExpression":
        bindAssigned(node);
        return;
      case "UpdateStatement":
        bindAll(childNodes(node).slice(0, 1));
        return;
      case "DeleteStatement":
        bindAll(childNodes(node));
        return;
      case "ForStatement":
      case "ArrayComprehensionExpression":
      case "ComprehensionExpression":
      case "SetComprehensionExpression":
      case "DictionaryComprehensionExpression":
      case "ArgList":
        bindLoops(childNodes(node));
        return;
      case "WithStatement":
      case "TryStatement":
      case "AsPattern":
        bindNamed(childNodes(node));
        return;
      case "FunctionDefinition":
        bindOwnName(node, { kind: "function", node });
        return;
      case "ClassDefinition":
      case "TypeDefinition":
      case "TypeParam":
      case "CapturePattern":
        bindOwnName(node, OTHER);
        return;
      case "ParamList":
        bindParams(node);
        return;
      // `@functools.cache`: but for the first they are taken of it.
      case "Decorator":
        for (const child of childNodes(node).slice(2))
          if (child.name === "VariableName") bound.add(child.from);
        return;
      case "ScopeStatement":
      case "KeywordPattern":
        for (const child of childNodes(node)) if (child.name === "VariableName") bound.add(child.from);
        return;
    }
  }

  function bind(node: SyntaxNode, binding: PythonBinding): void {
    bound.add(node.from);
    const name = textOf(node);
    const known = bindings.get(name);
    if (known) known.push(binding);
    else bindings.set(name, [binding]);
  }

  function bindOwnName(node: SyntaxNode, binding: PythonBinding): void {
    const name = node.getChild("VariableName");
    if (name) bind(name, binding);
  }

  /** The names in a target; what is taken of something else is no name. */
  function bindAll(nodes: readonly SyntaxNode[], binding: PythonBinding = OTHER): void {
    const [only] = nodes;
    const isOne = nodes.length === 1 && only?.name === "VariableName";
    if (isOne) bind(only, binding);
    const pending = isOne ? [] : [...nodes];
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (node.name === "VariableName") bind(node, OTHER);
      else if (TARGETS.has(node.name)) pending.push(...childNodes(node));
    }
  }

  /** `a = b = c`, `a, b = c`, `a: T = c`, `(a := c)`. */
  function bindAssigned(node: SyntaxNode): void {
    const groups: SyntaxNode[][] = [[]];
    for (const child of childNodes(node)) {
      if (child.name === "AssignOp") groups.push([]);
      else if (child.name !== "TypeDef" && child.name !== "Comment") groups.at(-1)?.push(child);
    }
    const value = groups.length > 1 ? groups.pop() : undefined;
    const [only, ...others] = value ?? [];
    for (const group of groups) {
      const [target] = group;
      const isPlain = only && others.length === 0 && group.length === 1 && target?.name === "VariableName";
      if (isPlain) bind(target, { kind: "value", node: only });
      else bindAll(group);
    }
  }

  /** `for a in b`, also several times in one comprehension. */
  function bindLoops(nodes: readonly SyntaxNode[]): void {
    for (const [place, { name }] of nodes.entries()) {
      if (name !== "for") continue;
      const end = nodes.findIndex((one, at) => at > place && one.name === "in");
      const targets = nodes.slice(place + 1, end === -1 ? undefined : end);
      const over = nodes[end + 1];
      const isOne = over !== undefined && end !== -1 && nodes[end + 2]?.name !== ",";
      if (targets.length === 1 && isOne) bindAll(targets, { kind: "each", node: over });
      else bindAll(targets);
    }
  }

  /** `with a as b`, `except a as b`. */
  function bindNamed(nodes: readonly SyntaxNode[]): void {
    for (const [place, { name }] of nodes.entries()) {
      const target = name === "as" ? nodes[place + 1] : undefined;
      if (target) bindAll([target]);
    }
  }

  function bindParams(list: SyntaxNode): void {
    for (const part of splitAtCommas(childNodes(list))) {
      const name = part.find((one) => one.name === "VariableName");
      if (name) bind(name, OTHER);
    }
  }

  function bindImports(node: SyntaxNode): void {
    const parts = childNodes(node);
    const cut = parts.findIndex(({ name }) => name === "import");
    const written = (nodes: readonly SyntaxNode[]) => nodes.map(textOf).join("");
    for (const part of parts) if (part.name === "VariableName") bound.add(part.from);
    const groups = splitAtCommas(parts.slice(cut + 1));
    if (parts[0]?.name === "from") {
      const module = written(parts.slice(1, cut));
      const names = groups.flatMap(([name]) => name ?? []);
      imports.push({ node, module, names });
      for (const group of groups) {
        const [name] = group;
        const local = aliasOf(group) ?? name;
        if (name && local?.name === "VariableName")
          bind(local, { kind: "import", module, name: textOf(name) });
      }
      return;
    }
    for (const group of groups) {
      const alias = aliasOf(group);
      const end = group.findIndex(({ name }) => name === "as");
      const path = end === -1 ? group : group.slice(0, end);
      const module = written(path);
      imports.push({ node: path[0] ?? node, module });
      const [first] = path;
      if (alias) bind(alias, { kind: "import", module });
      else if (first) bind(first, { kind: "import", module: textOf(first) });
    }
  }
}

function aliasOf(group: readonly SyntaxNode[]): SyntaxNode | undefined {
  const place = group.findIndex(({ name }) => name === "as");
  return place === -1 ? undefined : group[place + 1];
}
