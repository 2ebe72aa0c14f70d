import { getNodePath, type Node, parseTree } from "jsonc-parser";
import { isJsonObject, type JsonValue } from "../../../config/files/json-value.ts";
import { type KeyPath, valueAt } from "../../../config/files/key-path.ts";
import { parseToml } from "../../../config/files/parse-toml.ts";
import { isSecret } from "../../../config/looks-secret.ts";
import { type DiffLine, toLineDiff } from "../../../text/line-diff.ts";
import { toPlainText } from "../../../text/plain-text.ts";
import type { FileFormat } from "../edit/edit-servers.ts";
import { readStatements } from "../edit/toml-statements.ts";
import { MASK, maskArguments, maskLine, maskValue } from "../mask.ts";

const MAX_LINES = 200;
const MAX_COLUMNS = 200;

/** What changes, a line each, without secrets: those of servers are masked as `init` masks them everywhere. */
export function toShownDiff(before: string, after: string, format: FileFormat, path: KeyPath): DiffLine[] {
  const lines = toLineDiff(maskText(before, format, path), maskText(after, format, path));
  const shown = lines.slice(0, MAX_LINES).map(({ mark, text }) => ({ mark, text: toShownLine(text) }));
  const rest = lines.length - shown.length;
  return rest === 0 ? shown : [...shown, { mark: " ", text: `… ${rest} more lines` }];
}

function toShownLine(line: string): string {
  const isComment = /^\s*(\/\/|\/\*|#)/.test(line);
  const plain = toPlainText(isComment ? maskLine(line, { all: false }) : line);
  return plain.length > MAX_COLUMNS ? `${plain.slice(0, MAX_COLUMNS)}…` : plain;
}

function maskText(text: string, format: FileFormat, path: KeyPath): string {
  if (text.trim() === "" || format === "yaml") return text;
  return format === "json" ? maskJsonText(text, path) : maskTomlText(text, path);
}

function maskJsonText(text: string, path: KeyPath): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  let result = "";
  let from = 0;
  for (const node of leavesOf(root)) {
    const value = masked(getNodePath(node), node, root, path);
    if (value === undefined) continue;
    result += text.slice(from, node.offset) + JSON.stringify(value);
    from = node.offset + node.length;
  }
  return result + text.slice(from);
}

/** What stands in the place of a value; undefined leaves it as it is. */
function masked(at: KeyPath, node: Node, root: Node | undefined, path: KeyPath): string | undefined {
  if (typeof node.value !== "string" && typeof node.value !== "number") return undefined;
  const value = String(node.value);
  const isServer = path.every((step, depth) => at[depth] === step);
  const siblings = node.parent?.type === "array" ? (node.parent.children ?? []) : [];
  const list = siblings.map((item) => String(item.value));
  const shown = isServer
    ? maskInServer(at.slice(path.length + 1), value, list, siblings.indexOf(node))
    : isSecret(String(at.findLast((step) => typeof step === "string") ?? ""), value)
      ? MASK
      : value;
  return root === undefined || shown === value ? undefined : shown;
}

/** `at` begins at the server's own keys. */
function maskInServer(at: KeyPath, value: string, list: readonly string[], index: number): string {
  const options = { all: true, original: true };
  const [key = "", name] = at;
  if (key === "args") return maskArguments(list, options)[index] ?? MASK;
  if (typeof name === "string") return maskValue(name, value, options);
  if (key === "command" || key === "url" || key === "httpUrl") return maskLine(value, options);
  return isSecret(String(key), value) && !/env_var/.test(String(key)) ? MASK : value;
}

function leavesOf(node: Node | undefined): Node[] {
  if (node === undefined) return [];
  if (node.type === "property") return leavesOf(node.children?.[1]);
  return node.children === undefined ? [node] : node.children.flatMap(leavesOf);
}

/** A value of a server is written anew, without what is secret in it; the lines around it stay. */
function maskTomlText(text: string, path: KeyPath): string {
  const data = parseToml(text).data;
  let result = "";
  let from = 0;
  for (const { path: at, value } of readStatements(text)) {
    if (value === undefined) continue;
    const found = valueAt(data, at);
    const isServer = path.every((step, depth) => at[depth] === step);
    const shown = isServer ? maskTree(found, at.slice(path.length + 1)) : maskOther(found, at);
    if (shown === undefined || JSON.stringify(shown) === JSON.stringify(found)) continue;
    result += text.slice(from, value.start) + toInline(shown);
    from = value.end;
  }
  return result + text.slice(from);
}

function maskTree(value: JsonValue | undefined, at: KeyPath): JsonValue | undefined {
  if (Array.isArray(value)) {
    const list = value.map(String);
    return value.map((item, index) =>
      isJsonObject(item) ? MASK : maskInServer([...at, index], String(item), list, index),
    );
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, maskTree(item, [...at, key]) ?? null]);
    return Object.fromEntries(entries);
  }
  return typeof value === "string" ? maskInServer(at, value, [], 0) : value;
}

function maskOther(value: JsonValue | undefined, at: KeyPath): JsonValue | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return isSecret(String(at.at(-1) ?? ""), text) ? MASK : value;
}

function toInline(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toInline).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)} = ${toInline(item)}`);
  return `{ ${pairs.join(", ")} }`;
}
