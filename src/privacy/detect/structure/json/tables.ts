import type { PiiClass } from "../../../../pii-classes.ts";
import { isRecord } from "../../../../text/is-record.ts";
import { type KeyMeaning, readKey } from "../keys/key-meaning.ts";
import { type Around, aroundOf, besideOf, decideKey, type KeyVerdict } from "../keys/key-verdict.ts";
import { isHeaderCell } from "../text/cells.ts";

/** The columns of a table. */
export type TableColumns = {
  readonly keys: readonly string[];
  readonly verdicts: readonly (KeyVerdict | undefined)[];
  readonly rowsKey: string;
};

const MAX_COLUMNS = 500;
const MAX_PAIR_KEYS = 8;
const NUMBER_KEY = /^(?:document|id|doc)?_?(?:number|no|num|nr)$/i;
/** What has a number that tells of somebody: `{ "type": "passport", "number": … }`. */
const NUMBERED: ReadonlySet<PiiClass> = new Set<PiiClass>([
  "PASSPORT",
  "DRIVING_LICENCE",
  "NATIONAL_ID",
  "SSN",
  "PHONE",
  "BANK_ACCOUNT",
  "CREDIT_CARD",
  "IBAN",
]);
const COLUMN_KEYS = [
  "columns",
  "headers",
  "header",
  "fields",
  "fieldNames",
  "field_names",
  "column_names",
  "columnNames",
  "cols",
  "schema",
];
const ROW_KEYS = ["rows", "data", "values", "records", "body", "items", "results", "result"];
const FIELD_LABELS = ["ref", "name", "title", "label", "key", "question", "text"];
const LABEL_KEYS = ["name", "title", "label", "key", "field", "header", "id", "column_name"];

/** What each column of a header holds. */
export function readHeader(keys: readonly string[], above: readonly string[] = []): TableColumns | undefined {
  const around = aroundOf(above, besideOf(keys));
  const verdicts = keys.map((key) => decideKey(readKey(key), around));
  return verdicts.some((verdict) => verdict !== undefined) ? { keys, verdicts, rowsKey: "" } : undefined;
}

/** A list of lists whose first is a header. */
export function headerOf(list: readonly unknown[]): TableColumns | undefined {
  const [first, second] = list;
  if (!Array.isArray(first) || !Array.isArray(second) || first.length < 2 || first.length > MAX_COLUMNS)
    return undefined;
  return first.every((cell): cell is string => typeof cell === "string" && isHeaderCell(cell))
    ? readHeader(first)
    : undefined;
}

/** `{ columns: [...], rows: [[...]] }`, by whatever names. */
export function asTable(
  object: { readonly [key: string]: unknown },
  keys: readonly string[],
): TableColumns | undefined {
  const columnsKey = COLUMN_KEYS.find((key) => keys.includes(key) && Array.isArray(object[key]));
  if (columnsKey === undefined) return undefined;
  const rowsKey = ROW_KEYS.find(
    (key) => key !== columnsKey && keys.includes(key) && Array.isArray(object[key]),
  );
  const columns = object[columnsKey];
  if (rowsKey === undefined || !Array.isArray(columns) || columns.length > MAX_COLUMNS) return undefined;
  const labels = columns.map(labelOf);
  const table = labels.some((label) => label !== "") ? readHeader(labels) : undefined;
  return table === undefined ? undefined : { ...table, rowsKey };
}

function labelOf(column: unknown): string {
  if (typeof column === "string") return column;
  if (!isRecord(column)) return "";
  for (const key of LABEL_KEYS) {
    const label = column[key];
    if (typeof label === "string") return label;
  }
  return "";
}

/** `{ "field": "email", "value": … }`: one member says what another is. */
export function asPair(
  object: { readonly [key: string]: unknown },
  keys: readonly string[],
  around: Around,
): { valueKey: string; verdict: KeyVerdict } | undefined {
  if (keys.length > MAX_PAIR_KEYS) return undefined;
  const valueKey = keys.find((key) => isValueKey(readKey(key), key));
  const numberKey = valueKey === undefined ? keys.find((key) => NUMBER_KEY.test(key)) : undefined;
  if (valueKey === undefined && numberKey === undefined) return undefined;
  for (const key of keys) {
    const label = namedLabel(object[key]);
    if (key === valueKey || label === undefined || label.length > 64 || !readKey(key).isNamer) continue;
    const verdict = decideKey(readKey(label), {
      ...around,
      beside: { ...around.beside, thing: 0, place: 0 },
      parent: undefined,
      verdict: undefined,
    });
    if (verdict === undefined) continue;
    if (valueKey !== undefined) return { valueKey, verdict };
    if (numberKey !== undefined && NUMBERED.has(verdict.class)) return { valueKey: numberKey, verdict };
  }
  return undefined;
}

/** `"field": "email"`, or what a field says of itself: `"field": { "ref": "email" }`. */
function namedLabel(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isRecord(value)) return undefined;
  const label = FIELD_LABELS.map((key) => value[key]).find((text) => typeof text === "string");
  return typeof label === "string" ? label : undefined;
}

function isValueKey(meaning: KeyMeaning, key: string): boolean {
  return meaning.isCarrier && /^(?:value|val|content|data|answer|text|string_?value)s?$/i.test(key);
}
