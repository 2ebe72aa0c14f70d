import { isGeneralWord } from "./general-words.ts";
import { type Naming, toNaming } from "./naming.ts";
import { isPlainKey } from "./plain-key.ts";
import {
  emptyRecord,
  emptyShape,
  emptyText,
  MAX_FIELDS,
  MAX_WORDS,
  makeOpaque,
  makePersonal,
  type Shape,
  toMap,
} from "./shape.ts";
import { toTextFormat } from "./text-format.ts";

const MAX_NODES = 2_000;
const MAX_DEPTH = 12;
/** Elements of a list that are looked at, by depth; and values of a map. */
const SAMPLES = [24, 24, 16, 8, 8, 4];
const FEWEST_SAMPLES = 3;

type Walk = { readonly call: number; nodes: number };

let calls = 0;

/**
 * Adds one result to a shape. However large it is, a bounded part of it is looked at. What is a map in `known`, the shape
 * of earlier results, is one here.
 */
export function observe(shape: Shape, value: unknown, known?: Shape): void {
  add(shape, value, known, "unnamed", 0, { call: ++calls, nodes: 0 });
}

/** Its parameters stand in a row because this is run for each value of each result. */
function add(
  into: Shape,
  value: unknown,
  known: Shape | undefined,
  naming: Naming,
  depth: number,
  walk: Walk,
): void {
  // What is not looked at is not said to be anything.
  if (into.isOpaque || walk.nodes++ >= MAX_NODES) return;
  if (typeof value === "string") addText(into, value, naming, walk);
  else if (typeof value === "number") addNumber(into, value, walk);
  else if (typeof value === "boolean") into.booleans++;
  else if (value === null || value === undefined) into.nulls++;
  else if (depth >= MAX_DEPTH) makeOpaque(into);
  else if (Array.isArray(value)) addList(into, value, known, naming, depth, walk);
  else if (typeof value === "object") addRecord(into, value, known, naming, depth, walk);
}

/** Values of one result count as one call. */
function count(into: { calls: number; last?: number }, { call }: Walk): void {
  if (into.last === call) return;
  into.last = call;
  into.calls++;
}

function addNumber(into: Shape, value: number, walk: Walk): void {
  into.numbers ??= { integers: 0, fractions: 0, calls: 0 };
  count(into.numbers, walk);
  if (Number.isInteger(value)) into.numbers.integers++;
  else into.numbers.fractions++;
}

function addText(shape: Shape, text: string, naming: Naming, walk: Walk): void {
  shape.text ??= emptyText();
  const into = shape.text;
  into.n++;
  count(into, walk);
  const format = toTextFormat(text);
  if (format !== undefined) into.formats.set(format, (into.formats.get(format) ?? 0) + 1);
  if (naming !== "choice") into.words = undefined;
  if (into.words === undefined || text === "") return;
  if (!isGeneralWord(text)) {
    into.words = undefined;
    return;
  }
  const word = into.words.get(text) ?? { n: 0, calls: 0 };
  word.n++;
  count(word, walk);
  into.words.set(text, word);
  if (into.words.size > MAX_WORDS) into.words = undefined;
}

function addList(
  into: Shape,
  value: readonly unknown[],
  known: Shape | undefined,
  naming: Naming,
  depth: number,
  walk: Walk,
): void {
  into.list ??= { n: 0, items: emptyShape() };
  into.list.n++;
  const { items } = into.list;
  for (const item of toSample(value, depth)) add(items, item, known?.list?.items, naming, depth + 1, walk);
}

function addRecord(
  into: Shape,
  value: object,
  knownShape: Shape | undefined,
  naming: Naming,
  depth: number,
  walk: Walk,
): void {
  into.record ??= emptyRecord();
  const { record } = into;
  record.n++;
  count(record, walk);
  const known = knownShape?.record;
  const keys = Object.keys(value);
  if (record.isMap || known?.isMap === true || keys.length > MAX_FIELDS) toMap(record);
  if (!record.isPersonal && isAboutSomebody(keys, depth)) makePersonal(record);
  const isPersonal = record.isPersonal || naming === "personal";
  for (const key of record.isMap ? toSample(keys, depth) : keys) {
    const item: unknown = Reflect.get(value, key);
    let field = record.fields.get(key);
    if (field === undefined && !record.isMap && isPlainKey(key)) {
      field = { n: 0, shape: emptyShape() };
      record.fields.set(key, field);
    }
    if (field !== undefined) {
      field.n++;
      const inner = isPersonal ? "personal" : toNaming(key);
      add(field.shape, item, known?.fields.get(key)?.shape, inner, depth + 1, walk);
      continue;
    }
    record.rest ??= { n: 0, shape: emptyShape() };
    record.rest.n++;
    const inner = isPersonal ? "personal" : "unnamed";
    add(record.rest.shape, item, known?.rest?.shape, inner, depth + 1, walk);
  }
  if (record.fields.size > MAX_FIELDS) toMap(record);
}

/** One field about a person makes the record that person's. Of more keys than a record has, some are looked at. */
function isAboutSomebody(keys: readonly string[], depth: number): boolean {
  const some = keys.length > MAX_FIELDS ? toSample(keys, depth) : keys;
  return some.some((key) => toNaming(key) === "personal");
}

/** The first ones, the last, and some evenly spread between. */
function toSample<T>(list: readonly T[], depth: number): readonly T[] {
  const size = SAMPLES[depth] ?? FEWEST_SAMPLES;
  if (list.length <= size) return list;
  const first = Math.ceil(size / 3);
  const step = (list.length - 1 - first) / (size - first);
  const last = Array.from({ length: size - first }, (_, at) => first + Math.floor((at + 1) * step));
  return [...list.slice(0, first), ...last.flatMap((index) => list.slice(index, index + 1))];
}
