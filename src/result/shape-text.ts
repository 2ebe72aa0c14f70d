import { toCountText, toNumberText } from "./number-text.ts";
import { toVisibleText } from "./safe-text.ts";
import type { ValueShape } from "./scan-shape.ts";

export type ShapeDetail = { readonly keys: number; readonly depth: number; readonly values: boolean };

/** From the most to the least that is told of a shape. */
export const SHAPE_DETAILS: readonly ShapeDetail[] = [
  { keys: 64, depth: 5, values: true },
  { keys: 32, depth: 4, values: true },
  { keys: 24, depth: 3, values: true },
  { keys: 16, depth: 2, values: true },
  { keys: 16, depth: 2, values: false },
  { keys: 10, depth: 1, values: false },
  { keys: 5, depth: 1, values: false },
];

const MAX_KEY = 40;

/** A shape in the manner of a TypeScript type with what is known of the values: `{ id: int 1…500, state: "open"(9)|"closed"(3) }`. */
export function toShapeText(shape: ValueShape, detail: ShapeDetail, depth = detail.depth): string {
  const { numbers, strings, arrays, objects } = shape;
  const kinds: string[] = [];
  if (numbers !== undefined) kinds.push(numberText(numbers, detail));
  if (strings !== undefined) kinds.push(stringText(strings, shape.binary, detail));
  if (shape.booleans > 0) kinds.push("boolean");
  if (arrays !== undefined) kinds.push(arrayText(arrays, detail, depth));
  if (objects !== undefined) kinds.push(objectText(objects, detail, depth));
  else if (shape.binary !== undefined && strings === undefined) kinds.push(shape.binary);
  if (shape.nulls > 0) kinds.push("null");
  return kinds.length === 0 ? "nothing" : kinds.join("|");
}

function numberText({ min, max, integers }: NonNullable<ValueShape["numbers"]>, detail: ShapeDetail): string {
  const name = integers ? "int" : "number";
  if (!detail.values) return name;
  return min === max ? `${name} ${toNumberText(min)}` : `${name} ${toNumberText(min)}…${toNumberText(max)}`;
}

function stringText(
  strings: NonNullable<ValueShape["strings"]>,
  binary: string | undefined,
  detail: ShapeDetail,
): string {
  if (binary !== undefined) return binary;
  const { count, distinct, minLength, maxLength } = strings;
  if (!detail.values) return "string";
  if (distinct !== undefined && (distinct.size < count || count === 1)) {
    return [...distinct]
      .map(([value, times]) => `${quote(value)}${times === count ? "" : `(${times})`}`)
      .join("|");
  }
  return `string(${minLength === maxLength ? minLength : `${minLength}–${maxLength}`})`;
}

function arrayText(arrays: NonNullable<ValueShape["arrays"]>, detail: ShapeDetail, depth: number): string {
  const { minLength, maxLength, items } = arrays;
  if (maxLength === 0) return "[]";
  const length =
    minLength === maxLength ? toCountText(maxLength) : `${toCountText(minLength)}–${toCountText(maxLength)}`;
  return items.count === 0 || depth <= 0
    ? `[${length} items]`
    : `[${length} × ${toShapeText(items, detail, depth)}]`;
}

function objectText(objects: NonNullable<ValueShape["objects"]>, detail: ShapeDetail, depth: number): string {
  if (objects.maxKeys === 0) return "{}";
  if (depth <= 0 || objects.keys.size === 0) return `{${toCountText(objects.maxKeys)} keys}`;
  const shown = [...objects.keys].slice(0, detail.keys).map(([key, nested]) => {
    const optional = nested.count < objects.count ? "?" : "";
    return `${toKeyText(key)}${optional}: ${toShapeText(nested, detail, depth - 1)}`;
  });
  const all = Math.max(objects.maxKeys, objects.keys.size);
  if (shown.length < all || objects.isCutOff) {
    const more = all - shown.length;
    shown.push(more > 0 ? `…${toCountText(more)} more keys` : "…more keys");
  }
  return `{ ${shown.join(", ")} }`;
}

export function toKeyText(key: string): string {
  if (key.length <= MAX_KEY && /^[A-Za-z_$][\w$-]*$/.test(key)) return key;
  return key.length > MAX_KEY ? `${quote(key.slice(0, MAX_KEY))}…` : quote(key);
}

function quote(text: string): string {
  return toVisibleText(JSON.stringify(text));
}
