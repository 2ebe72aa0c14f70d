import type { SyntaxNode, Tree } from "@lezer/common";
import { parser } from "@lezer/python";
import { toProgramText } from "../../text/program-text.ts";
import { withoutBrackets } from "./with-brackets.ts";

export type ParsedPython = {
  /** What was parsed: each place in it is that of the source. */
  readonly text: string;
  readonly tree: Tree;
  /** The first place that is no Python. */
  readonly wrongAt?: number;
  /** The first place that may be Python, in a form that the grammar does not know. */
  readonly gapAt?: number;
};

/** The grammar lacks some forms of Python. Those that are ordinary are read all the same, of the others it is told where. */
export function parsePython(source: string): ParsedPython {
  const text = withoutFormFeeds(toProgramText(source));
  const parsed = parseText(text);
  if (parsed.wrongAt === undefined && parsed.gapAt === undefined) return parsed;
  const plain = withoutBrackets(text, parsed.tree);
  return plain === text ? parsed : parseText(plain);
}

function parseText(text: string): ParsedPython {
  const tree = parser.parse(text);
  const error = findError(tree);
  if (!error) return { text, tree };
  return { text, tree, ...(isGap(error, text) ? { gapAt: error.from } : { wrongAt: error.from }) };
}

/** The first thing that the grammar does not know; the parser goes on behind it. */
function findError(tree: Tree): SyntaxNode | undefined {
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError && !isWhole(cursor.node)) return cursor.node;
  } while (cursor.next());
  return undefined;
}

/** Nothing is lacking, but for the grammar: `yield` alone, `case int():`, `case ():`, `20.`. */
function isWhole({ parent, from, to, prevSibling, nextSibling, firstChild }: SyntaxNode): boolean {
  if (!parent || nextSibling) return false;
  if (parent.name === "PatternArgList" || parent.name === "SequencePattern")
    return (
      prevSibling?.name === "(" && firstChild?.name === ")" && firstChild.from === from && to === from + 1
    );
  if (from !== to) return false;
  switch (parent.name) {
    case "YieldStatement":
    case "YieldExpression":
      return parent.firstChild?.nextSibling?.type.isError === true;
    case "LiteralPattern":
      return (
        parent.from === parent.to && parent.prevSibling?.name === "(" && parent.nextSibling?.name === ")"
      );
    case "MemberExpression":
      return parent.firstChild?.name === "Number";
    default:
      return false;
  }
}

const WITH_GAPS = new Set(["WithStatement", "MatchStatement", "Decorator"]);

function isGap(error: SyntaxNode, text: string): boolean {
  for (let node = error.parent; node && node.name !== "Body"; node = node.parent) {
    if (WITH_GAPS.has(node.name)) return true;
    // `for x in *a, *b:`
    if (node.name === "ForStatement" && text[error.to] === "*") return true;
  }
  return false;
}

/** Blank space to Python; at the beginning of a line it counts for nothing. */
function withoutFormFeeds(text: string): string {
  if (!text.includes("\f")) return text;
  return text.replace(/^\f/gm, "\n").replaceAll("\f", " ");
}
