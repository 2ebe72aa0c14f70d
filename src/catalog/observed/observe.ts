import { isPlainKey } from "./plain-key.ts";
import { emptyRecord, emptyShape, emptyText, MAX_FIELDS, makeOpaque, type Shape, toMap } from "./shape.ts";
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

type Walk = ObserveOptions & { nodes: number; hashes: number };
type Place = { readonly depth: number; readonly naming: Naming; readonly known: Shape | undefined };

/** The shape of one result. However large it is, a bounded part of it is looked at. */
export function observe(value: unknown, options: ObserveOptions): Shape {
  const shape = emptyShape();
  add(
    shape,
    value,
    { depth: 0, naming: "unnamed", known: options.known },
    { ...options, nodes: 0, hashes: 0 },
  );
  return shape;
}

function add(into: Shape, value: unknown, place: Place, walk: Walk): void {
  // What is not looked at is not said to be anything.
  if (into.isOpaque || walk.nodes++ >= MAX_NODES) return;
  if (value === null || value === undefined) into.nulls++;
  else if (typeof value === "boolean") into.booleans++;
  else if (typeof value === "number") addNumber(into, value);
  else if (typeof value === "string") addText(into, value, place, walk);
  else if (place.depth >= MAX_DEPTH) makeOpaque(into);
  else if (Array.isArray(value)) addList(into, value, place, walk);
  else if (typeof value === "object") addRecord(into, value, place, walk);
}

function addNumber(into: Shape, value: number): void {
  into.numbers ??= { integers: 0, fractions: 0, calls: 1 };
  if (Number.isInteger(value)) into.numbers.integers++;
  else into.numbers.fractions++;
}

function addText(shape: Shape, text: string, { naming, known }: Place, walk: Walk): void {
  shape.text ??= emptyText();
  const into = shape.text;
  into.n++;
  into.calls = 1;
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
  const word = into.words.get(hash) ?? { n: 0, calls: 1 };
  word.n++;
  const wordBefore = before?.words?.get(hash);
  if (before && wordBefore && mayKeep(before, wordBefore)) word.literal = text;
  into.words.set(hash, word);
}

function addList(into: Shape, value: readonly unknown[], place: Place, walk: Walk): void {
  into.list ??= { n: 0, items: emptyShape() };
  into.list.n++;
  const inner = { ...place, depth: place.depth + 1, known: place.known?.list?.items };
  for (const index of toSample(value.length, place.depth)) add(into.list.items, value[index], inner, walk);
}

function addRecord(into: Shape, value: object, place: Place, walk: Walk): void {
  into.record ??= emptyRecord();
  const { record } = into;
  record.n++;
  record.calls = 1;
  const known = place.known?.record;
  const keys = Object.keys(value);
  const isMap = record.isMap || known?.isMap === true || keys.length > MAX_FIELDS;
  if (isMap) toMap(record);
  const seen = isMap ? toSample(keys.length, place.depth).map((index) => keys[index] ?? "") : keys;
  for (const key of seen) {
    const item: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
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
function toSample(length: number, depth: number): number[] {
  const size = SAMPLES[depth] ?? FEWEST_SAMPLES;
  if (length <= size) return Array.from({ length }, (_, index) => index);
  const first = Math.ceil(size / 3);
  const spread = size - first;
  const rest = Array.from(
    { length: spread },
    (_, index) => first + Math.floor(((index + 1) * (length - 1 - first)) / spread),
  );
  return [...Array.from({ length: first }, (_, index) => index), ...rest];
}
