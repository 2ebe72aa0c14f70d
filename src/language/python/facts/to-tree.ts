import type { SyntaxNode, Tree } from "@lezer/common";
import { MAX_TREE_DEPTH, type Node, type ProgramTree } from "../../facts/program-tree.ts";
import { bodyOf, readInside } from "./read-string.ts";
import { createExpressions } from "./tree-expressions.ts";
import { isOdd, isPunctuation, kids, onlyOne, other, set, toTextNode } from "./tree-parts.ts";
import { createStatements } from "./tree-statements.ts";

/** What imports bring. */
export type Imported = {
  /** Of `from servers.github import *`. */
  namesIn(module: string): readonly string[];
  /** The skill that an import is of, and its name in it. */
  skillIn(module: string, name?: string): { readonly skill: string; readonly name?: string } | undefined;
  /** The skill in `skills.open_issues`, where `skills` is a name for all of them. */
  skillOf(name: string, spelling: string): string | undefined;
};

/** Lezer's syntax tree as the one that facts are read from. */
export function toPythonTree(source: string, tree: Tree, imported: Imported): ProgramTree {
  let depth = 0;
  const held: { readonly node: SyntaxNode; readonly inside: Node[] }[] = [];
  const conversion = { source, textOf, nameOf, to, all };
  const expressions = createExpressions(conversion, imported);
  const { formatted, entries, member, call, binary, unary, comprehension } = expressions;
  const { func, klass, assign, forLoop, named, imports } = createStatements(
    conversion,
    expressions,
    imported,
  );
  const parts = all(kids(tree.topNode));
  // Grows as it goes: what lies deeper still comes after it.
  for (const { node, inside } of held) inside.push(convert(node));
  return { parts, cutAt: undefined };

  function textOf(node: SyntaxNode): string {
    return source.slice(node.from, node.to);
  }

  function nameOf(node: SyntaxNode): string {
    return textOf(node).normalize("NFKC");
  }

  function all(nodes: readonly SyntaxNode[]): Node[] {
    const made: Node[] = [];
    for (const node of nodes) if (!isPunctuation(node)) made.push(to(node));
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
          name: nameOf(node),
          ...(isOdd(textOf(node)) && { isEscaped: true }),
        };
      case "String": {
        const written = textOf(node);
        const { prefix, from, to: end } = bodyOf(written);
        return toTextNode(at, readInside(prefix, written.slice(from, end)));
      }
      case "FormatString":
        return formatted(node);
      case "ContinuedString":
        return { kind: "sum", at, parts: all(kids(node)) };
      case "Number": {
        const value = Number(textOf(node).replaceAll("_", ""));
        // As a text `1.0` is another than 1.
        return /^[\d_]*[.eEjJ]/.test(textOf(node)) || !Number.isSafeInteger(value)
          ? other(at)
          : { kind: "number", at, value };
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
}

const WAYS = new Set(["if", "elif", "except", "MatchClause"]);

function count(node: SyntaxNode, names: ReadonlySet<string>): number {
  return kids(node).filter(({ name }) => names.has(name)).length;
}
