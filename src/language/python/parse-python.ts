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
  const text = withReplacements(withoutFormFeeds(toProgramText(source)));
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

const MAX_LAYERS = 10;

/** To Python a backslash hides no bracket: `f"\\{a}"` has a value put in. The grammar takes it for an escape. */
function withReplacements(source: string): string {
  let text = source;
  for (let layer = 0; layer < MAX_LAYERS && text.includes("\\{"); layer++) {
    const found = hiddenBrackets(text);
    if (found.length === 0) return text;
    const letters = text.split("");
    for (const at of found) letters[at] = "_";
    text = letters.join("");
  }
  return text;
}

function hiddenBrackets(text: string): number[] {
  const found: number[] = [];
  const cursor = parser.parse(text).cursor();
  do {
    if (cursor.name !== "FormatString") continue;
    let from = cursor.from;
    for (const put of cursor.node.getChildren("FormatReplacement")) {
      findHidden(from, put.from);
      from = put.to;
    }
    findHidden(from, cursor.to);
  } while (cursor.next());
  return found;

  function findHidden(from: number, to: number): void {
    for (let at = text.indexOf("\\", from); at >= 0 && at + 1 < to; at = text.indexOf("\\", at + 2))
      if (text[at + 1] === "{") found.push(at);
  }
}

/** Blank space to Python; at the beginning of a line it counts for nothing. */
function withoutFormFeeds(text: string): string {
  if (!text.includes("\f")) return text;
  return text.replace(/^\f/gm, "\n").replaceAll("\f", " ");
}
