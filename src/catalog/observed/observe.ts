import { isPlainKey } from "./plain-key.ts";
import {
  emptyRecord,
  emptyShape,
  emptyText,
  MAX_FIELDS,
  MAX_WORDS,
  makeOpaque,
  type Shape,
  toMap,
} from "./shape.ts";
import { toTextFormat } from "./text-format.ts";
import { isWord, mayKeep, type Naming, toNaming } from "./words.ts";

export type ObserveOptions = {
  /** A keyed hash of a word. */
  hash(word: string): string;
  /** What is known of this tool's results already: words that qualified there may be kept. */
  known?: Shape;
};

const MAX_NODES = 2_000;
const MAX_DEPTH = 12;
/** Hashes are what costs most. */
const MAX_HASHES = 200;
/** Elements of a list that are looked at, by depth; and values of a map. */
const SAMPLES = [24, 24, 16, 8, 8, 4];
const FEWEST_SAMPLES = 3;

type Walk = ObserveOptions & { readonly call: number; nodes: number; hashes: number };
type Place = { readonly depth: number; readonly naming: Naming; readonly known: Shape | undefined };

let calls = 0;

/** Adds one result to a shape. However large it is, a bounded part of it is looked at. */
export function observe(shape: Shape, value: unknown, options: ObserveOptions): void {
  const place = { depth: 0, naming: "unnamed", known: options.known } as const;
  add(shape, value, place, { ...options, call: ++calls, nodes: 0, hashes: 0 });
}

function add(into: Shape, value: unknown, place: Place, walk: Walk): void {
  // What is not looked at is not said to be anything.
  if (into.isOpaque || walk.nodes++ >= MAX_NODES) return;
  if (value === null || value === undefined) into.nulls++;
  else if (typeof value === "boolean") into.booleans++;
  else if (typeof value === "number") addNumber(into, value, walk);
  else if (typeof value === "string") addText(into, value, place, walk);
  else if (place.depth >= MAX_DEPTH) makeOpaque(into);
  else if (Array.isArray(value)) addList(into, value, place, walk);
  else if (typeof value === "object") addRecord(into, value, place, walk);
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

function addText(shape: Shape, text: string, { naming, known }: Place, walk: Walk): void {
  shape.text ??= emptyText();
  const into = shape.text;
  into.n++;
  count(into, walk);
  const format = toTextFormat(text);
  if (format !== undefined) into.formats.set(format, (into.formats.get(format) ?? 0) + 1);
  if (into.words === undefined || text === "") return;
  if (naming !== "choice" || !isWord(text)) {
    into.words = undefined;
    return;
  }
  const before = known?.text;
  if ((before !== undefined && before.words === undefined) || walk.hashes++ >= MAX_HASHES) return;
  const hash = walk.hash(text);
  const word = into.words.get(hash) ?? { n: 0, calls: 0 };
  word.n++;
  count(word, walk);
  const wordBefore = before?.words?.get(hash);
  if (before && wordBefore && mayKeep(before, wordBefore)) word.literal = text;
  into.words.set(hash, word);
  if (into.words.size > MAX_WORDS) into.words = undefined;
}

function addList(into: Shape, value: readonly unknown[], place: Place, walk: Walk): void {
  into.list ??= { n: 0, items: emptyShape() };
  into.list.n++;
  const inner = { ...place, depth: place.depth + 1, known: place.known?.list?.items };
  for (const item of toSample(value, place.depth)) add(into.list.items, item, inner, walk);
}

function addRecord(into: Shape, value: object, place: Place, walk: Walk): void {
  into.record ??= emptyRecord();
  const { record } = into;
  record.n++;
  count(record, walk);
  const known = place.known?.record;
  const keys = Object.keys(value);
  const isMap = record.isMap || known?.isMap === true || keys.length > MAX_FIELDS;
  if (isMap) toMap(record);
  const seen = isMap ? toSample(keys, place.depth) : keys;
  for (const key of seen) {
    const item: unknown = Reflect.get(value, key);
    const isField = !isMap && (record.fields.has(key) || isPlainKey(key));
    const field = (isField ? record.fields.get(key) : record.rest) ?? { n: 0, shape: emptyShape() };
    if (isField) record.fields.set(key, field);
    else record.rest = field;
    field.n++;
    add(
      field.shape,
      item,
      {
        depth: place.depth + 1,
        naming: isField ? toNaming(key, place.naming) : place.naming === "personal" ? "personal" : "unnamed",
        known: (isField ? known?.fields.get(key) : known?.rest)?.shape,
      },
      walk,
    );
  }
  if (record.fields.size > MAX_FIELDS) toMap(record);
}

/** The first ones, the last, and some evenly spread between. */
function toSample<T>(list: readonly T[], depth: number): readonly T[] {
  const size = SAMPLES[depth] ?? FEWEST_SAMPLES;
  if (list.length <= size) return list;
  const first = Math.ceil(size / 3);
  const step = (list.length - 1 - first) / (size - first);
  return Array.from({ length: size }, (_, at) =>
    at < first ? at : first + Math.floor((at - first + 1) * step),
  ).map((index) => list[index] as T);
}
