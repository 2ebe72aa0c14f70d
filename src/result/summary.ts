import { isRecord } from "../text/is-record.ts";
import type { TokenCounter } from "../tokens/tokens.ts";
import { describeBinary } from "./binary.ts";
import { cutEnd, cutMiddle, findLargest, isWithin, toMaxChars } from "./fit.ts";
import { toCountText } from "./number-text.ts";
import { ownKeys } from "./own-keys.ts";
import { DETAIL_LEVELS, type PreviewDetail, toDetail, toInline, toPreview } from "./preview.ts";
import { toVisibleLines } from "./safe-text.ts";
import { scanShape } from "./scan-shape.ts";
import { SHAPE_DETAILS, toShapeText } from "./shape-text.ts";

/** How much of the budget the shape may take; what it leaves is the samples'. */
const SHAPE_SHARE = 0.4;
/** How a preview says that something is missing, as a very long key is even in the fullest. */
const LEFT_OUT = /…|\{[\d,]+ keys\}|\[[\d,]+ items\]/;
const MAX_PARSED_VALUES = 500_000;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const MIN_DICTIONARY = 20;
const MAX_DICTIONARY = 10_000;
const WHOLE: PreviewDetail = {
  items: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  textChars: Number.POSITIVE_INFINITY,
  depth: 64,
};

/** Some data within a budget: what it is, the shape that its values share, and samples. The same data gives the same text. */
export function toSummary(value: unknown, budgetTokens: number, counter: TokenCounter): string {
  if (typeof value === "string") return summarizeText(value, budgetTokens, counter);
  const title = toTitle(value);
  if (describeBinary(value) !== undefined || typeof value !== "object" || value === null) {
    return cutEnd(title, budgetTokens, counter);
  }
  const entries = toDictionaryValues(value);
  const isShaped = entries !== undefined || hasManyItems(value);
  const { shape, isSampled } = scanShape(entries ?? value);
  const lead = `${entries === undefined ? "shape" : "shape of the values"}${isSampled ? " (of a sample)" : ""}: `;
  const shapeAt = (level: number) =>
    lead +
    toShapeText(
      shape,
      SHAPE_DETAILS[SHAPE_DETAILS.length - 1 - level] ?? { keys: 1, depth: 0, values: false },
    );
  const head = isShaped
    ? [title, findLargest(SHAPE_DETAILS.length, shapeAt, budgetTokens * SHAPE_SHARE, counter)]
    : [title];
  const lines = head.filter((line) => line !== undefined);
  const options = { maxChars: toMaxChars(budgetTokens), cost: counter.count };
  const render = (level: number) =>
    [...lines, toPreview(value, { ...options, detail: toDetail(level) })].join("\n");
  return (
    findLargest(DETAIL_LEVELS, render, budgetTokens, counter) ??
    cutEnd(lines.join("\n"), budgetTokens, counter)
  );
}

/** The whole of some data with its lists of like objects as tables, if that is within the budget. */
export function toWholeTable(
  value: unknown,
  json: string,
  budgetTokens: number,
  counter: TokenCounter,
): string | undefined {
  if (typeof value !== "object" || value === null || !hasTable(value) || LEFT_OUT.test(json))
    return undefined;
  const preview = toPreview(value, {
    detail: WHOLE,
    maxChars: toMaxChars(budgetTokens),
    cost: counter.count,
  });
  if (LEFT_OUT.test(preview)) return undefined;
  const text = `${toTitle(value)}, whole:\n${preview}`;
  return isWithin(text, budgetTokens, counter) ? text : undefined;
}

/** One line for one entry of a log that is too long to show whole. */
export function toShortLine(value: unknown, detail: PreviewDetail): string {
  return Array.isArray(value) ? `${toTitle(value)}: ${toInline(value, detail)}` : toInline(value, detail);
}

function summarizeText(text: string, budgetTokens: number, counter: TokenCounter): string {
  const binary = describeBinary(text);
  if (binary !== undefined) return cutEnd(binary, budgetTokens, counter);
  const parsed = parseContainer(text);
  const title = `${parsed === undefined ? "text" : "JSON text"} of ${toCountText(text.length)} characters`;
  const rest = budgetTokens - counter.count(`${title}\n`) - 1;
  if (rest <= 0) return cutEnd(title, budgetTokens, counter);
  if (parsed !== undefined) return `${title}\n${toSummary(parsed, rest, counter)}`;
  const bounded = boundText(text, budgetTokens);
  const lines = toVisibleLines(bounded);
  return `${title}\n${cutMiddle(lines, rest, counter, lines.length + text.length - bounded.length)}`;
}

/** Both ends of a text that is much too long, so that nothing has to be done with the whole. */
function boundText(text: string, budgetTokens: number): string {
  const chars = toMaxChars(budgetTokens);
  if (text.length <= 4 * chars) return text;
  return text.slice(0, 2 * chars) + text.slice(-chars);
}

/**
 * JSON in a string, if it is an object or an array: what most programs mean when they print or return such text. Not if it has
 * more values than are worth it: each takes up to twenty times its characters.
 */
export function parseContainer(text: string, maxValues = MAX_PARSED_VALUES): unknown {
  if (!/^\s*[[{]/.test(text) || countValues(text, maxValues) > maxValues) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of JSON, at most: what stands in strings counts as well. Stops soon after the most that is asked for. */
function countValues(text: string, most: number): number {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) values++;
  }
  return values;
}

function toTitle(value: unknown): string {
  const binary = describeBinary(value);
  if (binary !== undefined) return binary;
  if (Array.isArray(value)) {
    const kinds = new Set(value.slice(0, 100).map((item) => kindOf(item)));
    const [kind] = kinds;
    return `array of ${toCountText(value.length)} ${kinds.size === 1 && kind !== undefined ? kind : "items"}`;
  }
  if (typeof value === "object" && value !== null) {
    return `object with ${toCountText(ownKeys(value).length)} keys`;
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "null";
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "arrays";
  return value === null || value === undefined ? "nulls" : `${typeof value}s`;
}

function hasTable(value: object): boolean {
  const lists: unknown[] = Array.isArray(value) ? [value] : Object.values(value);
  return lists.some((list) => Array.isArray(list) && list.length >= 3 && list.every(isRecord));
}

/** The values of an object that is used as a map, with as many keys as things and things all of a kind. */
function toDictionaryValues(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return undefined;
  const keys = ownKeys(value);
  if (keys.length < MIN_DICTIONARY) return undefined;
  const kinds = new Set(keys.slice(0, 100).map((key) => kindOf(Reflect.get(value, key))));
  return kinds.size === 1 ? keys.slice(0, MAX_DICTIONARY).map((key) => Reflect.get(value, key)) : undefined;
}

/** Whether there is something to say about values in common: a list, here or one or two levels down. */
function hasManyItems(value: object, depth = 2): boolean {
  if (Array.isArray(value) && value.length > 4) return true;
  if (depth === 0) return false;
  const nested: unknown[] = Array.isArray(value)
    ? value.slice(0, 100)
    : ownKeys(value)
        .slice(0, 100)
        .map((key) => Reflect.get(value, key));
  return nested.some((item) => typeof item === "object" && item !== null && hasManyItems(item, depth - 1));
}
