import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { JsonValue } from "../../../config/files/json-value.ts";
import type { KeyPath } from "../../../config/files/key-path.ts";
import type { ServersEdit, WrittenEntry } from "./edit-servers.ts";
import { cutLines, type Range } from "./text-range.ts";

/** The library's own `modify` takes comments away and writes the neighbours anew: these are other people's files. */
export function editJson(text: string, { path, remove, add }: ServersEdit): string | undefined {
  let edited = text;
  for (const name of remove) {
    const without = removeProperty(edited, [...path, name]);
    if (without === undefined) return undefined;
    edited = without;
  }
  for (const [name, entry] of add) {
    const extended = addProperty(edited, [...path, name], entry);
    if (extended === undefined) return undefined;
    edited = extended;
  }
  return edited;
}

/** The value as it is written. */
export function sourceInJson(text: string, path: KeyPath): string | undefined {
  const node = findNode(text, path);
  return node === undefined ? undefined : text.slice(node.offset, endOf(node));
}

function removeProperty(text: string, path: KeyPath): string | undefined {
  const property = findNode(text, path)?.parent;
  if (property?.type !== "property") return undefined;
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  const end = endOf(property);
  const after = commaFrom(text, end);
  const isNext = after !== undefined && text.slice(end, after).trim() === "";
  const own: Range = { start: property.offset, end: isNext ? after + 1 : end };
  if (after !== undefined) return cutLines(text, isNext ? [own] : [own, { start: after, end: after + 1 }]);
  const comma = before === undefined ? undefined : commaFrom(text, endOf(before));
  return cutLines(text, comma === undefined ? [own] : [{ start: comma, end: comma + 1 }, own]);
}

/** Into the innermost object that is there; those that are missing are made around it. */
function addProperty(text: string, path: KeyPath, entry: WrittenEntry): string | undefined {
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const object = findNode(text, path.slice(0, depth));
    if (object === undefined) continue;
    if (object.type !== "object") return undefined;
    const [key, ...inner] = path.slice(depth);
    const value = inner.reduceRight<JsonValue>((value, step) => ({ [step]: value }), entry.value);
    const source = inner.length === 0 ? entry.source : undefined;
    return insert(text, object, String(key), { value, source });
  }
  return undefined;
}

type Insertion = { value: JsonValue; source: string | undefined };

/** At the end of an object: on lines of its own where the object has them, else behind the last entry. */
function insert(text: string, object: Node, key: string, { value, source }: Insertion): string {
  const brace = endOf(object) - 1;
  const lineStart = text.lastIndexOf("\n", brace) + 1;
  const indent = text.slice(lineStart, brace);
  const isOwnLine = lineStart > object.offset && indent.trim() === "";
  const isOneLine = !text.trim().includes("\n");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const last = object.children?.at(-1);
  const comma = last === undefined ? undefined : commaFrom(text, endOf(last));
  const head =
    last === undefined || comma !== undefined
      ? text.slice(0, brace)
      : `${text.slice(0, endOf(last))},${text.slice(endOf(last), brace)}`;
  const trailing = comma === undefined ? "" : ",";
  const name = `${JSON.stringify(key)}: `;
  const outer = isOwnLine ? indent : (/^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? "");
  const inner = outer + unitOf(text);
  const written =
    source ??
    (isOneLine
      ? JSON.stringify(value)
      : JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${eol}${inner}`));
  if (isOwnLine) {
    const above = head.slice(0, head.length - indent.length);
    return `${above}${inner}${name}${written}${trailing}${eol}${indent}${text.slice(brace)}`;
  }
  if (last === undefined && !isOneLine)
    return `${head.trimEnd()}${eol}${inner}${name}${written}${eol}${outer}${text.slice(brace)}`;
  const gap = last === undefined || isOneLine ? "" : " ";
  return `${head.trimEnd()}${gap}${name}${written}${trailing}${text.slice(brace)}`;
}

function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

/** Where the comma is that follows, comments aside. */
function commaFrom(text: string, offset: number): number | undefined {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = offset;
  trivia.test(text);
  return text[trivia.lastIndex] === "," ? trivia.lastIndex : undefined;
}

function findNode(text: string, path: KeyPath): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
