import { describeBinary } from "./binary.ts";
import { ownKeys } from "./own-keys.ts";

/** What is common to the values at one place of some data: of all items of an array, for instance. */
export type ValueShape = {
  /** How many values were seen here. */
  count: number;
  nulls: number;
  booleans: number;
  binary?: string;
  numbers?: { count: number; min: number; max: number; integers: boolean };
  strings?: {
    count: number;
    minLength: number;
    maxLength: number;
    distinct: Map<string, number> | undefined;
  };
  arrays?: { count: number; minLength: number; maxLength: number; items: ValueShape };
  objects?: { count: number; keys: Map<string, ValueShape>; maxKeys: number; isCutOff: boolean };
};

export type ShapeScan = {
  readonly shape: ValueShape;
  /** Whether some items were skipped: then ranges are those of the items looked at. */
  readonly isSampled: boolean;
};

/** Values looked at: some 20 ms at most. */
const MAX_VISITS = 60_000;
const MAX_DEPTH = 6;
const MAX_KEYS = 64;
const MAX_DISTINCT = 6;
const MAX_DISTINCT_LENGTH = 32;

type Scan = { visits: number; isSampled: boolean };

export function scanShape(value: unknown): ShapeScan {
  const scan: Scan = { visits: MAX_VISITS, isSampled: false };
  const shape = createShape();
  add(shape, value, 0, MAX_VISITS, scan);
  return { shape, isSampled: scan.isSampled };
}

function createShape(): ValueShape {
  return { count: 0, nulls: 0, booleans: 0 };
}

function add(shape: ValueShape, value: unknown, depth: number, allowance: number, scan: Scan): void {
  scan.visits--;
  shape.count++;
  if (typeof value === "string") addString(shape, value);
  else if (typeof value === "number") addNumber(shape, value);
  else if (typeof value === "boolean") shape.booleans++;
  else if (Array.isArray(value)) addArray(shape, value, depth, allowance, scan);
  else if (typeof value === "object" && value !== null) addObject(shape, value, depth, allowance, scan);
  else shape.nulls++;
}

function addNumber(shape: ValueShape, value: number): void {
  const numbers = shape.numbers ?? { count: 0, min: value, max: value, integers: true };
  shape.numbers = numbers;
  numbers.count++;
  numbers.min = Math.min(numbers.min, value);
  numbers.max = Math.max(numbers.max, value);
  numbers.integers &&= Number.isInteger(value);
}

function addString(shape: ValueShape, value: string): void {
  const binary = describeBinary(value);
  if (binary !== undefined) shape.binary ??= binary;
  const { length } = value;
  const strings = shape.strings ?? {
    count: 0,
    minLength: length,
    maxLength: length,
    distinct: new Map<string, number>(),
  };
  shape.strings = strings;
  strings.count++;
  strings.minLength = Math.min(strings.minLength, length);
  strings.maxLength = Math.max(strings.maxLength, length);
  if (strings.distinct === undefined) return;
  strings.distinct.set(value, (strings.distinct.get(value) ?? 0) + 1);
  if (strings.distinct.size > MAX_DISTINCT || length > MAX_DISTINCT_LENGTH) strings.distinct = undefined;
}

function addArray(
  shape: ValueShape,
  value: readonly unknown[],
  depth: number,
  allowance: number,
  scan: Scan,
): void {
  const { length } = value;
  const arrays = shape.arrays ?? { count: 0, minLength: length, maxLength: length, items: createShape() };
  shape.arrays = arrays;
  arrays.count++;
  arrays.minLength = Math.min(arrays.minLength, length);
  arrays.maxLength = Math.max(arrays.maxLength, length);
  if (depth >= MAX_DEPTH) return;
  for (const index of pickIndexes(length, allowance, scan)) {
    if (isSpent(scan)) return;
    add(arrays.items, value[index], depth + 1, allowance / Math.min(length, 100), scan);
  }
}

function isSpent(scan: Scan): boolean {
  if (scan.visits <= 0) scan.isSampled = true;
  return scan.visits <= 0;
}

/** All of them, or so many that the rest of the data gets its share, evenly spread and with both ends. */
function pickIndexes(length: number, allowance: number, scan: Scan): number[] {
  const room = Math.max(10, Math.floor(Math.min(scan.visits, allowance) / 8));
  if (length <= room) return Array.from({ length }, (_, index) => index);
  scan.isSampled = true;
  return Array.from({ length: room }, (_, index) => Math.floor((index * (length - 1)) / (room - 1)));
}

function addObject(shape: ValueShape, value: object, depth: number, allowance: number, scan: Scan): void {
  const binary = describeBinary(value);
  if (binary !== undefined) {
    shape.binary ??= binary;
    return;
  }
  const keys = ownKeys(value);
  const objects = shape.objects ?? {
    count: 0,
    keys: new Map<string, ValueShape>(),
    maxKeys: keys.length,
    isCutOff: false,
  };
  shape.objects = objects;
  objects.count++;
  objects.maxKeys = Math.max(objects.maxKeys, keys.length);
  if (depth >= MAX_DEPTH) return;
  for (const key of keys) {
    if (isSpent(scan)) return;
    let nested = objects.keys.get(key);
    if (nested === undefined && objects.keys.size >= MAX_KEYS) {
      objects.isCutOff = true;
      if (keys.length > MAX_KEYS) return;
      continue;
    }
    if (nested === undefined) {
      nested = createShape();
      objects.keys.set(key, nested);
    }
    add(nested, Reflect.get(value, key), depth + 1, allowance / Math.min(keys.length, 100), scan);
  }
}
