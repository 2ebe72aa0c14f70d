import { isRecord } from "../../text/is-record.ts";
import { isGeneralWord } from "./general-words.ts";
import {
  emptyShape,
  type Field,
  MAX_WORDS,
  type RecordShape,
  type Shape,
  type TextFormat,
  type TextShape,
  type Word,
} from "./shape.ts";

/** A shape as it stands in a file. Keys stand in lists, so that none of them can be `__proto__`. */
export type StoredShape = { readonly [part: string]: unknown };

const FORMATS: readonly TextFormat[] = ["date", "date-time", "email", "numeric", "uri", "uuid"];
const MAX_DEPTH = 40;

export function toStoredShape(shape: Shape): StoredShape {
  if (shape.isOpaque) return { opaque: true };
  const { nulls, booleans, numbers, text, list, record } = shape;
  return {
    ...(nulls > 0 ? { nulls } : {}),
    ...(booleans > 0 ? { booleans } : {}),
    ...(numbers
      ? { numbers: { integers: numbers.integers, fractions: numbers.fractions, calls: numbers.calls } }
      : {}),
    ...(text ? { text: toStoredText(text) } : {}),
    ...(list ? { list: { n: list.n, items: toStoredShape(list.items) } } : {}),
    ...(record ? { record: toStoredRecord(record) } : {}),
  };
}

function toStoredText({ n, calls, formats, words }: TextShape) {
  const stored = [...(words ?? [])].map(([text, word]) => [text, word.n, word.calls]);
  return {
    n,
    calls,
    ...(formats.size === 0 ? {} : { formats: [...formats] }),
    ...(words === undefined ? {} : { words: stored }),
  };
}

function toStoredRecord({ n, calls, isMap, isPersonal, fields, rest }: RecordShape) {
  return {
    n,
    calls,
    ...(isMap ? { isMap } : {}),
    ...(isPersonal ? { isPersonal } : {}),
    ...(fields.size === 0
      ? {}
      : { fields: [...fields].map(([key, field]) => [key, field.n, toStoredShape(field.shape)]) }),
    ...(rest ? { rest: [rest.n, toStoredShape(rest.shape)] } : {}),
  };
}

/** Throws when it is no shape: whoever reads the file then does without. */
export function parseStoredShape(value: unknown, depth = 0): Shape {
  const shape = emptyShape();
  const stored = toRecord(value);
  if (depth > MAX_DEPTH) throw new TypeError("The stored shape is too deep");
  if (stored["opaque"] === true) return { ...shape, isOpaque: true };
  shape.nulls = toCount(stored["nulls"] ?? 0);
  shape.booleans = toCount(stored["booleans"] ?? 0);
  if (stored["numbers"] !== undefined) {
    const { integers, fractions, calls } = toRecord(stored["numbers"]);
    shape.numbers = { integers: toCount(integers), fractions: toCount(fractions), calls: toCount(calls) };
  }
  if (stored["text"] !== undefined) shape.text = parseText(toRecord(stored["text"]));
  if (stored["list"] !== undefined) {
    const { n, items } = toRecord(stored["list"]);
    shape.list = { n: toCount(n), items: parseStoredShape(items, depth + 1) };
  }
  if (stored["record"] !== undefined) shape.record = parseRecord(toRecord(stored["record"]), depth);
  return shape;
}

function parseText({ n, calls, formats, words }: Record<string, unknown>): TextShape {
  const parsed = toList(formats ?? []).map((entry): [TextFormat, number] => {
    const [name, count] = toList(entry);
    const format = FORMATS.find((known) => known === name);
    if (format === undefined) throw new TypeError("The stored shape has an unknown format");
    return [format, toCount(count)];
  });
  return {
    n: toCount(n),
    calls: toCount(calls),
    formats: new Map(parsed),
    words: words === undefined ? undefined : parseWords(toList(words)),
  };
}

/** A word that is not on the list any more is forgotten, and its field is any text. */
function parseWords(stored: readonly unknown[]): Map<string, Word> | undefined {
  const words = stored.map((entry): [string, Word] => {
    const [text, n, calls] = toList(entry);
    return [toText(text), { n: toCount(n), calls: toCount(calls) }];
  });
  return words.length <= MAX_WORDS && words.every(([text]) => isGeneralWord(text))
    ? new Map(words)
    : undefined;
}

function parseRecord(stored: Record<string, unknown>, depth: number): RecordShape {
  const { n, calls, isMap, isPersonal, fields, rest } = stored;
  const parsed = toList(fields ?? []).map((entry): [string, Field] => {
    const [key, count, shape] = toList(entry);
    return [toText(key), { n: toCount(count), shape: parseStoredShape(shape, depth + 1) }];
  });
  const [restCount, restShape] = rest === undefined ? [] : toList(rest);
  return {
    n: toCount(n),
    calls: toCount(calls),
    isMap: isMap === true,
    isPersonal: isPersonal === true,
    fields: new Map(parsed),
    ...(rest === undefined
      ? {}
      : { rest: { n: toCount(restCount), shape: parseStoredShape(restShape, depth + 1) } }),
  };
}

function toRecord(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new TypeError("The stored shape is no object");
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError("The stored shape has no list where one should be");
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("The stored shape has no text where one should be");
}

function toCount(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError("The stored shape has no count where one should be");
}
