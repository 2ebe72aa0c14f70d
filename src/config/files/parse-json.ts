import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { toPosition } from "../../text/position.ts";
import { createJsonObject, type JsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";
import { refuseDeepNesting } from "./nesting.ts";
import { type ParsedText, ParseProblem } from "./parsed-text.ts";

const EXPECTATIONS: Record<string, string> = {
  InvalidSymbol: "Expected a JSON value: a text in double quotes, a number, true, false, null, { or [",
  InvalidNumberFormat: "Expected a number such as 1 or 2.5",
  PropertyNameExpected: "Expected a key in double quotes",
  ValueExpected: "Expected a value",
  ColonExpected: 'Expected ":" after the key',
  CommaExpected: 'Expected "," between two entries',
  CloseBraceExpected: 'Expected "}"',
  CloseBracketExpected: 'Expected "]"',
  EndOfFileExpected: "Expected the end of the file",
  UnexpectedEndOfComment: 'Expected "*/" at the end of the comment',
  UnexpectedEndOfString: "Expected a double quote at the end of the text",
  UnexpectedEndOfNumber: "Expected another digit",
  InvalidUnicode: "Expected four hexadecimal digits after \\u",
  InvalidEscapeCharacter: 'Expected one of " \\ / b f n r t u after the backslash',
  InvalidCharacter: "Expected no control character within a text",
};

/** JSON with comments and trailing commas, as the clients themselves accept it. */
export function parseJson(text: string): ParsedText {
  refuseDeepNesting(text, "json");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const expected = EXPECTATIONS[printParseErrorCode(first.error)] ?? "Expected JSON";
    throw new ParseProblem(expected, toPosition(text, first.offset));
  }
  if (root === undefined) throw new ParseProblem("Expected a value", { line: 1, column: 1 });
  const remarks: ParsedText["remarks"] = [];
  const data = toData(root, (key, offset) => {
    remarks.push({
      position: toPosition(text, offset),
      text: `Key ${JSON.stringify(key)} occurs twice, the last one wins`,
    });
  });
  return {
    data,
    remarks,
    locate: (path, part) => toPosition(text, findNode(root, path, part).offset),
  };
}

function toData(node: Node, onDuplicate: (key: string, offset: number) => void): JsonValue {
  if (node.type === "array") return (node.children ?? []).map((child) => toData(child, onDuplicate));
  if (node.type !== "object") return node.value;
  const object = createJsonObject();
  for (const { key, keyNode, valueNode } of properties(node)) {
    if (Object.hasOwn(object, key)) onDuplicate(key, keyNode.offset);
    object[key] = toData(valueNode, onDuplicate);
  }
  return object;
}

function findNode(root: Node, path: KeyPath, part: "key" | "value"): Node {
  let found = { keyNode: root, valueNode: root };
  for (const step of path) {
    const next = findChild(found.valueNode, step);
    if (next === undefined) return found.keyNode;
    found = next;
  }
  return part === "key" ? found.keyNode : found.valueNode;
}

function findChild(node: Node, step: string | number): { keyNode: Node; valueNode: Node } | undefined {
  if (typeof step === "string") return properties(node).findLast(({ key }) => key === step);
  const child = node.type === "array" ? node.children?.[step] : undefined;
  return child === undefined ? undefined : { keyNode: child, valueNode: child };
}

function properties(node: Node): { key: string; keyNode: Node; valueNode: Node }[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [keyNode, valueNode] = [] }) =>
    keyNode === undefined || valueNode === undefined
      ? []
      : [{ key: String(keyNode.value), keyNode, valueNode }],
  );
}
