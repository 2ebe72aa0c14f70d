import { makeOpaque, type RecordShape, type Shape, toMap } from "./shape.ts";

/** Parts of one tool's shape that are kept. */
export const MAX_PARTS = 2_000;

/**
 * What only shows when results are seen together: records whose keys are data become maps, which forgets the keys; and
 * what has grown too large is told less deeply. Like merging, it only widens.
 */
export function settle(shape: Shape, maxParts = MAX_PARTS): Shape {
  findMaps(shape);
  if (countParts(shape) <= maxParts) return shape;
  for (let depth = 8; depth > 0; depth--) {
    cutBelow(shape, depth);
    if (countParts(shape) <= maxParts) return shape;
  }
  makeOpaque(shape);
  return shape;
}

/** `isItem`: it stands in a list. */
function findMaps(shape: Shape, isItem = false): void {
  if (shape.list) findMaps(shape.list.items, true);
  const { record } = shape;
  if (!record) return;
  if (!record.isMap && isMapLike(record, isItem)) toMap(record);
  for (const { shape: inner } of [...record.fields.values(), ...(record.rest ? [record.rest] : [])])
    findMaps(inner);
}

const MIN_KEYS = 8;
/** So many records that are all alike, and their keys are taken for data; fewer are enough where no key is a usual name. */
const MIN_ALIKE_RECORDS = 5;
const FEWEST_ALIKE_RECORDS = 3;
const USUAL = new Set(
  (
    "min max avg mean median sum total count current previous next first last start end from to source target home away " +
    "low high open close day night morning evening today tomorrow hourly daily weekly monthly yearly primary secondary " +
    "billing shipping before after left right top bottom input output request response default old new local remote"
  ).split(" "),
);

function isMapLike(record: RecordShape, isItem: boolean): boolean {
  const { fields, rest, n } = record;
  const values = [...fields.values()];
  const shapes = [...values.map(({ shape }) => shape), ...(rest ? [rest.shape] : [])];
  if (values.length === 0 || !areAlike(shapes)) return false;
  const named = values.reduce((sum, field) => sum + field.n, 0);
  // What every row of a result has is a field, whatever stands beside it. The same call made twice is no such proof.
  const isSame = values.every((field) => field.n === n);
  const isStable = isSame && (n >= 3 || n > record.calls);
  // A lone row waits for others: a map forgets for ever.
  const isLikelyRecord = isStable || (isItem && n === 1);
  // Among keys that are data, what is like them is data too; one odd key among fields changes nothing.
  if (rest && rest.n >= (isLikelyRecord ? named * 2 : named / 2)) return true;
  const present = named / (n * values.length);
  if (values.length >= MIN_KEYS && n >= 4 && present < 0.35) return true;
  if (isStable || values.length < FEWEST_ALIKE_RECORDS || !haveSameFields(shapes)) return false;
  return (
    values.length >= MIN_ALIKE_RECORDS || ![...fields.keys()].some((key) => USUAL.has(key.toLowerCase()))
  );
}

/** Whether all are of one and the same kind; null does not count. */
function areAlike(shapes: readonly Shape[]): boolean {
  const kinds = shapes.reduce((mask, shape) => mask | kindsOf(shape), 0);
  return kinds !== 0 && (kinds & (kinds - 1)) === 0;
}

function kindsOf({ isOpaque, booleans, numbers, text, list, record }: Shape): number {
  if (isOpaque) return 63;
  return (booleans ? 1 : 0) | (numbers ? 2 : 0) | (text ? 4 : 0) | (list ? 8 : 0) | (record ? 16 : 0);
}

/** `{ ada: { age, city }, bob: { age, city }, … }`. */
function haveSameFields(shapes: readonly Shape[]): boolean {
  const [first, ...others] = shapes.map(({ record }) => record?.fields);
  if (!first || first.size < 2) return false;
  return others.every(
    (fields) => fields?.size === first.size && [...fields.keys()].every((key) => first.has(key)),
  );
}

export function countParts(shape: Shape): number {
  const { list, record } = shape;
  let parts = 1 + (shape.text?.words?.size ?? 0);
  if (list) parts += countParts(list.items);
  for (const field of record?.fields.values() ?? []) parts += countParts(field.shape);
  return record?.rest ? parts + countParts(record.rest.shape) : parts;
}

function cutBelow(shape: Shape, depth: number): void {
  if (depth === 0) {
    if (shape.list || shape.record) makeOpaque(shape);
    return;
  }
  if (shape.list) cutBelow(shape.list.items, depth - 1);
  for (const field of shape.record?.fields.values() ?? []) cutBelow(field.shape, depth - 1);
  if (shape.record?.rest) cutBelow(shape.record.rest.shape, depth - 1);
}
