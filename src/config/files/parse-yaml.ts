import { isMap, isNode, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { errorMessage } from "../../errors.ts";
import { toJsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";
import { type ParsedText, ParseProblem, type Position } from "./parsed-text.ts";

const MAX_ALIASES = 100;

export function parseYaml(text: string): ParsedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: "core", lineCounter: lines, prettyErrors: false });
  // A warning is an unknown tag: its value would be taken for something that the author did not mean.
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new ParseProblem(sentence(problem.message), toPosition(lines, problem.pos[0]));
  return {
    data: toData(() => document.toJS({ maxAliasCount: MAX_ALIASES })),
    remarks: [],
    locate: (path, part) => toPosition(lines, findOffset(document.contents, path, part)),
  };
}

function toData(read: () => unknown) {
  try {
    return toJsonValue(read());
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new ParseProblem(`${sentence(errorMessage(error))} (check the aliases)`, { line: 1, column: 1 });
  }
}

function findOffset(root: ParsedNode | null, path: KeyPath, part: "key" | "value"): number {
  let node: unknown = root;
  let keyOffset = offsetOf(root) ?? 0;
  let valueOffset = keyOffset;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === step);
      if (pair === undefined) return keyOffset;
      keyOffset = offsetOf(pair.key) ?? keyOffset;
      valueOffset = offsetOf(pair.value) ?? keyOffset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number" && isNode(node.items[step])) {
      node = node.items[step];
      keyOffset = offsetOf(node) ?? keyOffset;
      valueOffset = keyOffset;
    } else return keyOffset;
  }
  return part === "key" ? keyOffset : valueOffset;
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? (node.range?.[0] ?? undefined) : undefined;
}

function toPosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function sentence(message: string): string {
  const [line = ""] = message.trim().split("\n");
  return line.replace(/[.:]$/, "");
}
