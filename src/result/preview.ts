import { isRecord } from "../text/is-record.ts";
import { describeBinary } from "./binary.ts";
import { toCountText } from "./number-text.ts";
import { ownKeys } from "./own-keys.ts";
import { sliceStart, toVisibleText } from "./safe-text.ts";
import { toKeyText } from "./shape-text.ts";
import { toTable } from "./table.ts";

/** How much of some data is shown. */
export type PreviewDetail = {
  /** Items of an array from its start; a third as many from its end. */
  readonly items: number;
  readonly keys: number;
  readonly textChars: number;
  readonly depth: number;
};

export type PreviewOptions = {
  readonly detail: PreviewDetail;
  /** Beyond it the text is too long for the budget anyway: writing stops. */
  readonly maxChars: number;
  /** What a text costs, to choose between a table and JSON. */
  cost(text: string): number;
};

export const DETAIL_LEVELS = 24;

/** From 0, the least, up. */
export function toDetail(level: number): PreviewDetail {
  const scale = 1.35 ** level;
  return {
    items: Math.ceil(scale),
    keys: Math.ceil(4 + 2 * scale),
    textChars: Math.ceil(16 * scale),
    depth: 1 + Math.floor(level / 4),
  };
}

/** The data in part: JSON with `…` for what is left out, an item or a key a line, tables where they are cheaper. */
export function toPreview(value: unknown, options: PreviewOptions): string {
  const { detail } = options;
  if (Array.isArray(value)) return toItemLines(value, options);
  if (typeof value !== "object" || value === null || describeBinary(value) !== undefined) {
    return toInline(value, detail);
  }
  const keys = ownKeys(value);
  const lines: string[] = [];
  let chars = 0;
  for (const key of keys.slice(0, detail.keys)) {
    const nested: unknown = Reflect.get(value, key);
    const isTable = Array.isArray(nested) && nested.length >= 3 && nested.every(isRecord);
    const text = isTable
      ? `${toCountText(nested.length)} items\n${toItemLines(nested, options)}`
      : toInline(nested, { ...detail, depth: detail.depth - 1 }, options.maxChars);
    lines.push(`${toKeyText(key)}: ${text}`);
    chars += text.length;
    if (chars > options.maxChars) break;
  }
  if (keys.length > lines.length) lines.push(`…${toCountText(keys.length - lines.length)} more keys`);
  return lines.join("\n");
}

function toItemLines(items: readonly unknown[], options: PreviewOptions): string {
  const { detail, maxChars } = options;
  const { head, tail, omitted } = pickEnds(items, detail.items);
  const toLines = (part: readonly unknown[]) => {
    const lines: string[] = [];
    let chars = 0;
    for (const item of part) {
      const line = toInline(item, detail, maxChars - chars);
      lines.push(line);
      chars += line.length;
      if (chars > maxChars) break;
    }
    return lines;
  };
  const gap = omitted === 0 ? [] : [`…${toCountText(omitted)} more…`];
  const json = [...toLines(head), ...gap, ...toLines(tail)].join("\n");
  if (json.length > maxChars) return json;
  const cell = (value: unknown) => toInline(value, { ...detail, depth: detail.depth - 1 });
  const table = toTable(head, tail, gap, detail.keys, cell);
  return table !== undefined && options.cost(table) < options.cost(json) ? table : json;
}

/** One line of JSON, cut to the detail. */
export function toInline(value: unknown, detail: PreviewDetail, maxChars = Number.POSITIVE_INFINITY): string {
  if (typeof value === "string") return describeBinary(value) ?? toStringText(value, detail.textChars);
  if (typeof value !== "object" || value === null) {
    return typeof value === "number" || typeof value === "boolean" ? String(value) : "null";
  }
  const binary = describeBinary(value);
  if (binary !== undefined) return binary;
  const inner = { ...detail, depth: detail.depth - 1 };
  const parts: string[] = [];
  let chars = 0;
  const push = (part: string) => {
    parts.push(part);
    chars += part.length;
    return chars <= maxChars;
  };
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (detail.depth <= 0) return `[${toCountText(value.length)} items]`;
    const { head, tail, omitted } = pickEnds(value, detail.items);
    if (!head.every((item) => push(toInline(item, inner, maxChars - chars)))) return `[${parts.join(",")}…]`;
    if (omitted > 0) push(`…${toCountText(omitted)} more…`);
    tail.every((item) => push(toInline(item, inner, maxChars - chars)));
    return `[${parts.join(",")}]`;
  }
  const keys = ownKeys(value);
  if (keys.length === 0) return "{}";
  if (detail.depth <= 0) return `{${toCountText(keys.length)} keys}`;
  for (const key of keys.slice(0, detail.keys)) {
    if (!push(`${toKeyText(key)}:${toInline(Reflect.get(value, key), inner, maxChars - chars)}`)) break;
  }
  if (keys.length > parts.length) parts.push(`…${toCountText(keys.length - parts.length)} more keys`);
  return `{${parts.join(",")}}`;
}

function toStringText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return toVisibleText(JSON.stringify(text));
  const start = sliceStart(text, maxChars);
  return `${toVisibleText(JSON.stringify(start))}…+${toCountText(text.length - start.length)} chars`;
}

function pickEnds<Item>(items: readonly Item[], count: number) {
  const tailCount = Math.ceil(count / 3);
  if (items.length <= count + tailCount) return { head: items, tail: [], omitted: 0 };
  return {
    head: items.slice(0, count),
    tail: items.slice(-tailCount),
    omitted: items.length - count - tailCount,
  };
}
