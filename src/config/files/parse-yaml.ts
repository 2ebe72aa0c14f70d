import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from "yaml";
import { errorMessage } from "../../errors.ts";
import type { Position } from "../../text/position.ts";
import { createJsonObject, type JsonValue, toJsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";
import { refuseDeepNesting } from "./nesting.ts";
import { type ParsedText, ParseProblem } from "./parsed-text.ts";

const MAX_ALIASES = 100;

export function parseYaml(text: string): ParsedText {
  refuseDeepNesting(text, "yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: "core",
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
    // Node's own warnings would go to stderr; what they are about is refused below.
    logLevel: "error",
  });
  // A warning is an unknown tag: its value would be taken for something that the author did not mean.
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new ParseProblem(describe(problem, text), toPosition(lines, problem.pos[0]));
  const { contents } = document;
  refuseOddNodes(contents, lines);
  return {
    data: isEmpty(contents)
      ? createJsonObject()
      : toData(() => document.toJS({ maxAliasCount: MAX_ALIASES })),
    remarks: [],
    locate: (path, part) => toPosition(lines, findOffset(contents, path, part)),
  };
}

/** Nothing but comments: a file without settings. A `null` that someone wrote is not that. */
function isEmpty(contents: ParsedNode | null): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === "");
}

/** What YAML has and JSON has not. */
function refuseOddNodes(contents: ParsedNode | null, lines: LineCounter): void {
  if (contents === null) return;
  const refuse = (text: string, node: unknown): never => {
    throw new ParseProblem(text, toPosition(lines, offsetOf(node) ?? 0));
  };
  visit(contents, {
    Pair: (_, { key }) => {
      if (key !== null && !isScalar(key)) refuse("Expected a plain text as the key", key);
    },
    Scalar: (_, node) => {
      if (typeof node.value === "number" && !Number.isFinite(node.value))
        refuse("Expected a number that is finite", node);
    },
  });
}

function toData(read: () => unknown): JsonValue {
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

function describe(problem: YAMLParseError | YAMLWarning, text: string): string {
  if (problem.code === "MULTIPLE_DOCS") return 'Expected one document, found a second one after "---"';
  if (problem.code !== "DUPLICATE_KEY") return sentence(problem.message);
  const [, double, single, plain = ""] =
    /^(?:"([^"\n]*)"|'([^'\n]*)'|([^:\n]*))/.exec(text.slice(problem.pos[0])) ?? [];
  return `Key ${JSON.stringify(double ?? single ?? plain.trim())} occurs twice`;
}

function sentence(message: string): string {
  const [line = ""] = message.trim().split("\n");
  return line.replace(/[.:]$/, "");
}
