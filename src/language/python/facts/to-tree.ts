import type { SyntaxNode, Tree } from "@lezer/common";
import {
  type AssignNode,
  type CallNode,
  type FunctionNode,
  type ImportEntry,
  MAX_TREE_DEPTH,
  type Node,
  type ProgramTree,
  type TableEntry,
} from "../../facts/program-tree.ts";
import { readString } from "./read-string.ts";

/**
 * Lezer's syntax tree as the one that facts are read from.
 * @param namesIn what `from servers.github import *` brings
 */
export function toPythonTree(
  source: string,
  tree: Tree,
  namesIn: (module: string) => readonly string[],
): ProgramTree {
  let depth = 0;
  const held: { readonly node: SyntaxNode; readonly inside: Node[] }[] = [];
  const parts = all(kids(tree.topNode));
  // Grows as it goes: what lies deeper still comes after it.
  for (const { node, inside } of held) inside.push(convert(node));
  return { parts, cutAt: undefined };

  function textOf(node: SyntaxNode): string {
    return source.slice(node.from, node.to);
  }

  function all(nodes: readonly SyntaxNode[]): Node[] {
    const made: Node[] = [];
    for (const node of nodes) if (!isSign(node)) made.push(to(node));
    return made;
  }

  function to(node: SyntaxNode): Node {
    if (depth >= MAX_TREE_DEPTH) {
      const inside: Node[] = [];
      held.push({ node, inside });
      return other(node.from, inside);
    }
    depth++;
    const made = convert(node);
    depth--;
    return made;
  }

  function convert(node: SyntaxNode): Node {
    const at = node.from;
    switch (node.name) {
      case "VariableName":
        return {
          kind: "name",
          at,
          name: textOf(node).normalize("NFKC"),
          ...(isOdd(textOf(node)) && { isEscaped: true }),
        };
      case "String":
        return { kind: "text", at, ...readString(textOf(node)) };
      case "FormatString":
        return formatted(node);
      case "ContinuedString":
        return { kind: "sum", at, parts: all(kids(node)) };
      case "Number": {
        const value = Number(textOf(node).replaceAll("_", ""));
        return Number.isNaN(value) ? other(at) : { kind: "number", at, value };
      }
      case "ParenthesizedExpression":
      case "AwaitExpression":
      case "ExpressionStatement":
        return onlyOne(at, all(kids(node)));
      case "TupleExpression":
      case "ArrayExpression":
      case "SetExpression":
        return { kind: "list", at, items: all(kids(node)) };
      case "DictionaryExpression":
        return { kind: "table", at, entries: entries(kids(node)) };
      case "MemberExpression":
        return member(node);
      case "CallExpression":
        return call(node);
      case "BinaryExpression":
        return binary(node);
      case "UnaryExpression":
        return unary(node);
      case "ConditionalExpression": {
        const [value, test, otherwise] = all(kids(node));
        const options = [value, otherwise].filter((one) => one !== undefined);
        return { kind: "either", at, ...(test && { test }), options };
      }
      case "LambdaExpression":
      case "FunctionDefinition":
        return func(node);
      case "ClassDefinition":
        return klass(node);
      case "NamedExpression":
      case "AssignStatement":
      case "UpdateStatement":
        return assign(node);
      case "ArrayComprehensionExpression":
      case "ComprehensionExpression":
      case "SetComprehensionExpression":
      case "DictionaryComprehensionExpression":
        return comprehension(node);
      case "ForStatement":
        return forLoop(node);
      case "WhileStatement":
        return { kind: "loop", at, parts: all(kids(node)) };
      case "IfStatement":
      case "TryStatement":
        return { kind: "branch", at, ways: count(node, WAYS), parts: named(node) };
      case "MatchStatement":
        return {
          kind: "branch",
          at,
          ways: count(node.getChild("MatchBody") ?? node, WAYS),
          parts: all(kids(node)),
        };
      case "WithStatement":
        return other(at, named(node));
      case "ImportStatement":
        return imports(node);
      case "TypeDef":
      case "ScopeStatement":
      case "Comment":
        return other(at);
      case "CapturePattern":
        return other(
          at,
          all(kids(node)).map((target) => set(target, undefined)),
        );
      default:
        return other(at, [...all(kids(node)), other(at)]);
    }
  }

  function formatted(node: SyntaxNode): Node {
    const { text, isBuilt } = readString(textOf(node));
    const puts = kids(node);
    const [first] = puts;
    if (!first) return { kind: "text", at: node.from, text, isBuilt };
    const start = readString(`${source.slice(node.from, first.from)}"`).text;
    const parts: Node[] = [{ kind: "text", at: node.from, text: start, isBuilt }];
    let end = first.from;
    for (const put of puts) {
      if (put.from > end) parts.push({ kind: "text", at: end, text: source.slice(end, put.from), isBuilt });
      parts.push(
        ...all(kids(put).filter(({ name }) => name !== "FormatSpec" && name !== "FormatConversion")),
      );
      end = put.to;
    }
    const tail = withoutQuotes(source.slice(end, node.to));
    if (tail !== "") parts.push({ kind: "text", at: end, text: tail, isBuilt });
    return {
      kind: "sum",
      at: node.from,
      parts: parts.filter((part) => part.kind !== "text" || part.text !== ""),
    };
  }

  function entries(nodes: readonly SyntaxNode[]): TableEntry[] {
    return split(nodes, ",").map((part): TableEntry => {
      const [first, sign, value] = part;
      if (!first || first.name === "**") return { key: undefined, value: onlyOne(0, all(part)) };
      if (!value || sign?.name !== ":") return { key: undefined, value: to(first) };
      const key = to(first);
      return { key: key.kind === "text" && !key.isBuilt ? key.text : key, value: to(value) };
    });
  }

  function member(node: SyntaxNode): Node {
    const at = node.from;
    const [first, ...rest] = kids(node);
    const object = first ? to(first) : other(at);
    const property = rest.find(({ name }) => name === "PropertyName");
    if (property) {
      const key = textOf(property).normalize("NFKC");
      return { kind: "member", at, object, key, ...(isOdd(textOf(property)) && { isEscaped: true }) };
    }
    const inside = rest.filter((one) => one.name !== "[" && one.name !== "]");
    if (inside.some(({ name }) => name === ":")) {
      const slice = inside.map(textOf).join("");
      return {
        kind: "call",
        at,
        callee: { kind: "member", at, object, key: `[${slice}]` },
        args: all(inside),
      };
    }
    const [key] = all(inside);
    // `20.`
    if (!key && object.kind === "number") return object;
    if (!key) return { kind: "member", at, object, key: other(at) };
    return { kind: "member", at, object, key: key.kind === "text" && !key.isBuilt ? key.text : key };
  }

  function call(node: SyntaxNode): Node {
    const [callee] = kids(node);
    const list = node.getChild("ArgList");
    return {
      kind: "call",
      at: node.from,
      callee: callee ? to(callee) : other(node.from),
      ...(list ? args(list) : { args: [] }),
    };
  }

  function args(list: SyntaxNode): Pick<CallNode, "args" | "names"> {
    const named: { readonly name: string; readonly rank: number; readonly value: Node }[] = [];
    const made: Node[] = [];
    for (const part of split(kids(list), ",")) {
      const [first, sign, value] = part;
      const parts = all(part);
      if (first && sign?.name === "AssignOp" && value) {
        const name = textOf(first);
        named.push({ name, rank: RANKS.get(name) ?? LAST_RANK, value: to(value) });
      } else if (parts.length > 0) {
        const given = onlyOne(first?.from ?? list.from, parts);
        if (first?.name === "**") named.push({ name: "**", rank: LAST_RANK, value: given });
        else made.push(given);
      }
    }
    named.sort((a, b) => a.rank - b.rank);
    const names = [...made.map(() => undefined), ...named.map(({ name }) => name)];
    return { args: [...made, ...named.map(({ value }) => value)], ...(named.length > 0 && { names }) };
  }

  function binary(node: SyntaxNode): Node {
    const at = node.from;
    const sign = signOf(node);
    const format = sign === "%" && node.firstChild ? to(node.firstChild) : undefined;
    if (format?.kind === "text" && node.lastChild) {
      const put = to(node.lastChild);
      const values = put.kind === "list" ? put.items : [put];
      return { kind: "call", at, callee: { kind: "member", at, object: format, key: "%" }, args: values };
    }
    if (sign === "/" && node.firstChild && node.lastChild) {
      const object = to(node.firstChild);
      return {
        kind: "call",
        at,
        callee: { kind: "member", at, object, key: "/" },
        args: [to(node.lastChild)],
      };
    }
    if ((sign === "in" || sign === "not") && node.firstChild && node.lastChild) {
      // What something has is asked for, and nothing else of it.
      const asked: Node = { kind: "member", at, object: to(node.lastChild), key: "__contains__" };
      return other(at, [to(node.firstChild), asked, other(at)]);
    }
    if (sign !== "+" && sign !== "and" && sign !== "or") return other(at, [...all(kids(node)), other(at)]);
    const right: SyntaxNode[] = [];
    let left = node;
    // Long sums lean to the left.
    while (
      left.name === "BinaryExpression" &&
      (sign === "+") === (signOf(left) === "+") &&
      isJoined(signOf(left))
    ) {
      const last = left.lastChild;
      const first = left.firstChild;
      if (!last || !first) break;
      right.push(last);
      left = first;
    }
    const options = [to(left), ...right.reverse().map(to)];
    return sign === "+" ? { kind: "sum", at, parts: options } : { kind: "either", at, options };
  }

  function signOf(node: SyntaxNode): string {
    const sign = node.firstChild?.nextSibling;
    return sign ? textOf(sign) : "";
  }

  function unary(node: SyntaxNode): Node {
    const parts = all(kids(node).slice(1));
    const [only] = parts;
    const at = node.from;
    if (only?.kind === "number" && source[at] === "-") return { ...only, value: -only.value };
    return other(at, [...parts, other(at)]);
  }

  function func(node: SyntaxNode): FunctionNode {
    const name = node.name === "FunctionDefinition" ? node.getChild("VariableName") : null;
    const params = node.getChild("ParamList");
    const body = node.getChild("Body");
    const last = node.lastChild;
    return {
      kind: "function",
      at: node.from,
      ...(name && { name: { kind: "name", at: name.from, name: textOf(name) } }),
      params: params ? split(kids(params), ",").flatMap(param) : [],
      body: body ? all(kids(body)) : last ? [to(last)] : [],
    };
  }

  function param(part: readonly SyntaxNode[]): Node[] {
    const name = part.find((one) => one.name === "VariableName");
    if (!name) return [];
    const sign = part.findIndex((one) => one.name === "AssignOp");
    const value = sign === -1 ? undefined : part[sign + 1];
    return [value ? { kind: "assign", at: name.from, target: to(name), value: to(value) } : to(name)];
  }

  function klass(node: SyntaxNode): Node {
    const name = node.getChild("VariableName");
    const bases = node.getChild("ArgList");
    const body = node.getChild("Body");
    const value: Node = {
      kind: "other",
      at: node.from,
      parts: [
        ...(bases ? args(bases).args : []),
        ...(body ? all(kids(body)).map((part) => handed(name ? withClass(part, to(name)) : part)) : []),
        other(node.from),
      ],
      isClass: true,
    };
    return name ? set(to(name), value) : value;
  }

  /** What a class keeps is had by whoever has the class. */
  function handed(part: Node): Node {
    return part.kind === "assign" && part.value ? other(part.at, [part, part.value]) : part;
  }

  /** A method's `cls` is the class. */
  function withClass(part: Node, owner: Node): Node {
    const method = part.kind === "other" ? part.parts.find(({ kind }) => kind === "function") : part;
    if (method?.kind !== "function" || method.params[0]?.kind !== "name") return part;
    const [cls, ...params] = method.params;
    if (cls.name !== "cls") return part;
    const known: FunctionNode = {
      ...method,
      params: [{ kind: "assign", at: cls.at, target: cls, value: owner }, ...params],
    };
    if (part.kind !== "other") return known;
    return { ...part, parts: part.parts.map((one) => (one === method ? known : one)) };
  }

  /** `a = b = c`, `a, b = c`, `a += b`, `(a := b)`. */
  function assign(node: SyntaxNode): Node {
    const groups: SyntaxNode[][] = [[]];
    for (const one of kids(node)) {
      if (one.name === "AssignOp" || one.name === "UpdateOp") groups.push([]);
      else if (one.name !== "TypeDef") groups.at(-1)?.push(one);
    }
    const last = groups.length > 1 ? groups.pop() : undefined;
    const value = last && tuple(last);
    const isUpdate = node.name === "UpdateStatement";
    const made = groups.map((group): Node => {
      const target = tuple(group);
      return set(target, isUpdate && value ? { kind: "sum", at: node.from, parts: [target, value] } : value);
    });
    return onlyOne(node.from, made);
  }

  function tuple(nodes: readonly SyntaxNode[]): Node {
    const made = all(nodes);
    const [only] = made;
    if (only && made.length === 1 && !nodes.some(({ name }) => name === ",")) return only;
    return { kind: "list", at: nodes[0]?.from ?? 0, items: made };
  }

  function comprehension(node: SyntaxNode): Node {
    const parts = kids(node);
    const first = parts.findIndex((one) => one.name === "for");
    let inner = all(parts.slice(0, first).filter((one) => one.name !== "async"));
    const clauses: SyntaxNode[][] = [];
    for (const one of parts.slice(first)) {
      if (one.name === "for") clauses.push([]);
      else if (one.name !== "async") clauses.at(-1)?.push(one);
    }
    for (const clause of clauses.reverse()) {
      const at = clause.findIndex((one) => one.name === "in");
      const [over, ...tests] = all(clause.slice(at + 1));
      const each: AssignNode = { ...set(tuple(clause.slice(0, at)), over), declares: "block" };
      inner = [{ kind: "loop", at: node.from, each, parts: [...tests, ...inner] }];
    }
    return onlyOne(node.from, inner);
  }

  function forLoop(node: SyntaxNode): Node {
    const parts = kids(node).filter((one) => one.name !== "async" && one.name !== "for");
    const at = parts.findIndex((one) => one.name === "in");
    const end = parts.findIndex((one) => one.name === "Body");
    const each = set(tuple(parts.slice(0, at)), tuple(parts.slice(at + 1, end)));
    return { kind: "loop", at: node.from, each, parts: all(parts.slice(end)) };
  }

  /** `with open(…) as f`, `except Error as e`. */
  function named(node: SyntaxNode): Node[] {
    const made: Node[] = [];
    const parts = kids(node);
    for (const [place, one] of parts.entries()) {
      if (isSign(one) || parts[place - 1]?.name === "as") continue;
      const name = parts[place + 1]?.name === "as" ? parts[place + 2] : undefined;
      made.push(name ? set(to(name), to(one)) : to(one));
    }
    return made;
  }

  function imports(node: SyntaxNode): Node {
    const parts = kids(node);
    const at = node.from;
    const cut = parts.findIndex((one) => one.name === "import");
    const from = parts
      .slice(0, cut)
      .filter((one) => one.name !== "from")
      .map(textOf)
      .join("");
    const groups = split(parts.slice(cut + 1), ",").filter((group) => group.length > 0);
    if (parts[0]?.name !== "from") return other(at, [...groups.map((group) => whole(group, at)), other(at)]);
    const isStar = groups.some(([first]) => first && textOf(first) === "*");
    if (isStar) {
      const known = namesIn(from).map((name) => ({ imported: name, local: name }));
      return { kind: "import", at, specifier: from, entries: known, isStar };
    }
    const entries = groups.flatMap((group): ImportEntry[] => {
      const [first] = group;
      return first ? [{ imported: textOf(first), local: textOf(asName(group) ?? first) }] : [];
    });
    return { kind: "import", at, specifier: from, entries };
  }

  /** `import a.b` gives `a`, `import a.b as c` gives `a.b`. */
  function whole(group: readonly SyntaxNode[], at: number): Node {
    const alias = asName(group);
    const end = group.findIndex((one) => one.name === "as");
    const path = (end === -1 ? group : group.slice(0, end)).map(textOf).join("");
    const [first = ""] = path.split(".");
    const entries: ImportEntry[] = [{ imported: undefined, local: alias ? textOf(alias) : first }];
    // What is named is told of, also where but its beginning is bound.
    const rest: Node[] =
      alias || path === first ? [] : [{ kind: "import", at, specifier: path, entries: [] }];
    return other(at, [{ kind: "import", at, specifier: alias ? path : first, entries }, ...rest, other(at)]);
  }

  function asName(group: readonly SyntaxNode[]): SyntaxNode | undefined {
    const place = group.findIndex((one) => one.name === "as");
    return place === -1 ? undefined : group[place + 1];
  }
}

function kids(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** Punctuation and words of the language have their own text for a name; all else has a capital. */
function isSign({ name }: SyntaxNode): boolean {
  const first = name.charCodeAt(0);
  return !(first >= 65 && first <= 90) || SIGNS.has(name);
}

const SIGNS = new Set(["AssignOp", "UpdateOp", "ArithOp", "CompareOp", "BitOp", "At", "Comment"]);
/** Where an argument would stand that is given by its name: what is opened, called, run or fetched comes first. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ..."file path name command cmd url src source filename top database target base_name stmt"
    .split(" ")
    .map((name) => [name, 0] as const),
  ...["args", "mode", "dst", "arguments", "extract_dir", "package"].map((name) => [name, 1] as const),
]);
const LAST_RANK = 2;
const WAYS = new Set(["if", "elif", "except", "MatchClause"]);

function count(node: SyntaxNode, names: ReadonlySet<string>): number {
  return kids(node).filter(({ name }) => names.has(name)).length;
}

function split(nodes: readonly SyntaxNode[], sign: string): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === sign) groups.push([]);
    else if (
      node.name !== "(" &&
      node.name !== ")" &&
      node.name !== "{" &&
      node.name !== "}" &&
      node.name !== "Comment"
    )
      groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
}

function set(target: Node, value: Node | undefined): AssignNode {
  return { kind: "assign", at: target.at, target, value, declares: "function" };
}

function other(at: number, parts: readonly Node[] = []): Node {
  return { kind: "other", at, parts };
}

function onlyOne(at: number, parts: readonly Node[]): Node {
  const [only] = parts;
  return only && parts.length === 1 ? only : other(at, [...parts, other(at)]);
}

function isJoined(sign: string): boolean {
  return sign === "+" || sign === "and" || sign === "or";
}

/** Letters that Python takes for others: `𝘦val` is `eval`. */
function isOdd(name: string): boolean {
  return name.normalize("NFKC") !== name;
}

function withoutQuotes(text: string): string {
  for (const quote of ['"""', "'''", '"', "'"]) if (text.endsWith(quote)) return text.slice(0, -quote.length);
  return text;
}
