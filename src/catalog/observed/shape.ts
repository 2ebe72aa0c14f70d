/**
 * What the results of a tool looked like: kinds, fields and counts, no values but general words. `merge` is associative and commutative, and
 * its result admits all that either side admits: a shape only ever grows wider.
 */
export type Shape = {
  /** Too deep or too varied to be told apart: anything may be here. Nothing else is kept then. */
  isOpaque: boolean;
  nulls: number;
  booleans: number;
  numbers?: NumberShape;
  text?: TextShape;
  list?: ListShape;
  record?: RecordShape;
};

/** `calls`: in how many results; `n`: how many values; `last`: the call that was counted last, while results come in. */
export type NumberShape = { integers: number; fractions: number; calls: number; last?: number };

export type TextShape = {
  n: number;
  calls: number;
  last?: number;
  /** How many had each format; a format counts when all had it. */
  formats: Map<TextFormat, number>;
  /** The few general words that it is one of; nothing once there were too many, or something else. */
  words: Map<string, Word> | undefined;
};

export type TextFormat = "date" | "date-time" | "email" | "numeric" | "uri" | "uuid";

export type Word = { n: number; calls: number; last?: number };

export type ListShape = { n: number; items: Shape };

export type RecordShape = {
  n: number;
  calls: number;
  last?: number;
  /** Its keys are data (ids, dates, names), so none of them is kept: all values are in `rest`. */
  isMap: boolean;
  /** A field of it was about a person, once: no words are kept in it, however deep. */
  isPersonal: boolean;
  fields: Map<string, Field>;
  /** The values under keys that are not kept. */
  rest?: Field;
};

export type Field = { n: number; shape: Shape };

export const MAX_WORDS = 8;
/** The widest real record measured has 180 fields. */
export const MAX_FIELDS = 256;

export function emptyShape(): Shape {
  return { isOpaque: false, nulls: 0, booleans: 0 };
}

export function makeOpaque(shape: Shape): void {
  Object.assign(shape, { ...emptyShape(), isOpaque: true });
  delete shape.numbers;
  delete shape.text;
  delete shape.list;
  delete shape.record;
}

export function merge(one: Shape, other: Shape): Shape {
  const merged = emptyShape();
  mergeInto(merged, one);
  mergeInto(merged, other);
  return merged;
}

/** Adds `other` to `into`; of `other` nothing is changed or shared. */
export function mergeInto(into: Shape, other: Shape): void {
  if (into.isOpaque) return;
  if (other.isOpaque) {
    makeOpaque(into);
    return;
  }
  into.nulls += other.nulls;
  into.booleans += other.booleans;
  if (other.numbers) {
    into.numbers ??= { integers: 0, fractions: 0, calls: 0 };
    into.numbers.integers += other.numbers.integers;
    into.numbers.fractions += other.numbers.fractions;
    into.numbers.calls += other.numbers.calls;
  }
  if (other.text) {
    into.text ??= emptyText();
    mergeText(into.text, other.text);
  }
  if (other.list) {
    into.list ??= { n: 0, items: emptyShape() };
    into.list.n += other.list.n;
    mergeInto(into.list.items, other.list.items);
  }
  if (other.record) {
    into.record ??= emptyRecord();
    mergeRecord(into.record, other.record);
  }
}

export function emptyText(): TextShape {
  return { n: 0, calls: 0, formats: new Map(), words: new Map() };
}

export function emptyRecord(): RecordShape {
  return { n: 0, calls: 0, isMap: false, isPersonal: false, fields: new Map() };
}

function mergeText(into: TextShape, other: TextShape): void {
  into.n += other.n;
  into.calls += other.calls;
  for (const [format, count] of other.formats)
    into.formats.set(format, (into.formats.get(format) ?? 0) + count);
  if (into.words === undefined) return;
  for (const [text, word] of other.words ?? []) {
    const known = into.words.get(text);
    into.words.set(text, { n: (known?.n ?? 0) + word.n, calls: (known?.calls ?? 0) + word.calls });
  }
  if (other.words === undefined || into.words.size > MAX_WORDS) into.words = undefined;
}

function mergeRecord(into: RecordShape, other: RecordShape): void {
  into.n += other.n;
  into.calls += other.calls;
  for (const [key, field] of other.fields) {
    const known = into.fields.get(key);
    if (known) addField(known, field);
    else into.fields.set(key, copyField(field));
  }
  if (other.rest) {
    if (into.rest) addField(into.rest, other.rest);
    else into.rest = copyField(other.rest);
  }
  if (into.isMap || other.isMap || into.fields.size > MAX_FIELDS) toMap(into);
  if (into.isPersonal !== other.isPersonal) makePersonal(into);
}

/** Forgets the words in a record and in all that is below it. */
export function makePersonal(record: RecordShape): void {
  record.isPersonal = true;
  for (const { shape } of record.fields.values()) forgetWords(shape);
  if (record.rest) forgetWords(record.rest.shape);
}

function forgetWords({ text, list, record }: Shape): void {
  if (text) text.words = undefined;
  if (list) forgetWords(list.items);
  for (const { shape } of record?.fields.values() ?? []) forgetWords(shape);
  if (record?.rest) forgetWords(record.rest.shape);
}

/** Forgets the keys of a record. */
export function toMap(record: RecordShape): void {
  record.isMap = true;
  record.rest ??= { n: 0, shape: emptyShape() };
  for (const field of record.fields.values()) addField(record.rest, field);
  record.fields.clear();
}

function addField(into: Field, other: Field): void {
  into.n += other.n;
  mergeInto(into.shape, other.shape);
}

function copyField({ n, shape }: Field): Field {
  return { n, shape: merge(shape, emptyShape()) };
}
