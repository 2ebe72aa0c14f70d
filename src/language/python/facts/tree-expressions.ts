import type { SyntaxNode } from "@lezer/common";
import type { AssignNode, CallNode, Node, TableEntry } from "../../facts/program-tree.ts";
import { bodyOf, readInside } from "./read-string.ts";
import type { Imported } from "./to-tree.ts";
import {
  type Conversion,
  isOdd,
  isPunctuation,
  kids,
  onlyOne,
  other,
  set,
  split,
  toTextNode,
} from "./tree-parts.ts";

/** What stands for a skill that is taken of all of them: `skills.open_issues`. */
export function toWholeSkill(skill: string): string {
  return `skills.${skill}`;
}

/** What gives a value. */
export function createExpressions(
  { source, textOf, nameOf, to, all }: Conversion,
  { skillOf }: Pick<Imported, "skillOf">,
) {
  return { formatted, entries, member, call, args, binary, unary, tuple, comprehension };

  function formatted(node: SyntaxNode): Node {
    const { prefix, from, to: end } = bodyOf(textOf(node));
    const puts = node.getChildren("FormatReplacement");
    const parts: Node[] = [];
    let done = node.from + from;
    for (const put of puts) {
      parts.push(...piece(done, put.from));
      parts.push(replacement(put));
      done = put.to;
    }
    parts.push(...piece(done, node.from + end));
    const [only = toTextNode(node.from, { text: "", isBuilt: false })] = parts;
    return puts.length === 0 ? only : { kind: "sum", at: node.from, parts };

    function piece(start: number, stop: number): Node[] {
      const read = readInside(prefix, source.slice(start, stop));
      if (read?.text === "") return [];
      const text = read && { ...read, text: read.text.replaceAll("{{", "{").replaceAll("}}", "}") };
      return [toTextNode(start, text)];
    }
  }

  /** How a value is written out changes it: of `{a:.3}` nobody knows the text. */
  function replacement(put: SyntaxNode): Node {
    const [value, ...rest] = kids(put).filter(
      (one) => one.name === "FormatConversion" || !isPunctuation(one),
    );
    if (!value) return other(put.from);
    return rest.length === 0 ? to(value) : other(put.from, [...all([value, ...rest]), other(put.from)]);
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
    const property = rest.find(({ name }) => name === "PropertyName");
    const skill =
      first?.name === "VariableName" && property ? skillOf(nameOf(first), nameOf(property)) : undefined;
    if (skill !== undefined) return { kind: "name", at, name: toWholeSkill(skill) };
    const object = first ? to(first) : other(at);
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
    const keys = all(inside);
    const [key] = keys;
    // `20.`
    if (!key && object.kind === "number") return object;
    // `a[0, b]`
    if (inside.some(({ name }) => name === ","))
      return { kind: "member", at, object, key: { kind: "list", at, items: keys } };
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
        const name = nameOf(first);
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
}

/** Where an argument would stand that is given by its name: what is opened, called, run or fetched comes first. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ..."file path name command cmd url src source filename top database target base_name stmt"
    .split(" ")
    .map((name) => [name, 0] as const),
  ...["args", "mode", "dst", "arguments", "extract_dir", "package"].map((name) => [name, 1] as const),
]);
const LAST_RANK = 2;

function isJoined(sign: string): boolean {
  return sign === "+" || sign === "and" || sign === "or";
}
