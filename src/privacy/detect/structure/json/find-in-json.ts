import type { PiiClass } from "../../../../pii-classes.ts";
import { isRecord } from "../../../../text/is-record.ts";
import { type KeyMeaning, readKey } from "../keys/key-meaning.ts";
import {
  type Around,
  countBeside,
  decideKey,
  goInto,
  type KeyVerdict,
  noBeside,
} from "../keys/key-verdict.ts";
import { learnMailName, learnName, noNames } from "../names/known-names.ts";
import { isNameId } from "../names/name-ids.ts";
import type { StructuredTextOptions } from "../text/fields.ts";
import { findInStructuredText } from "../text/find-in-structured-text.ts";
import { withoutOverlaps } from "../text/overlaps.ts";
import { type FittedPart, fitNumber, fitValue } from "../values/fit-value.ts";
import { couldBeKnown, couldHoldId, findIds, type IdCandidate } from "./ids.ts";
import type { FindInJsonOptions, JsonFinding } from "./json-finding.ts";
import {
  aboveOf,
  childPlace,
  itemPlace,
  type JsonPlace,
  leafPath,
  outsidePlace,
  rootPlace,
} from "./place.ts";
import { readSchemaHints, type SchemaHint } from "./schema-hints.ts";
import { selfNamed, wrappedKey } from "./self-named.ts";
import { asPair, asTable, headerOf, type TableColumns } from "./tables.ts";

/** Deeper than this, the rest waits its turn in a list, so that no nesting exhausts the stack. */
const MAX_NESTED_CALLS = 200;
const MAX_DEPTH = 10_000;
const LEAST_LETTERS = 3;
const NO_FITS: readonly FittedPart[] = [];
/** Under a key that means somebody, a few letters may be a name cut short. */
const MAX_SHORT_ID = 32;
const LEAST_NUMBER = 1e8;

type Walk = {
  readonly options: FindInJsonOptions;
  readonly textOptions: StructuredTextOptions & { readonly names: NonNullable<FindInJsonOptions["names"]> };
  readonly findings: JsonFinding[];
  /** Texts and keys that may have a name in them, which may become known later. */
  readonly candidates: IdCandidate[];
  readonly waiting: { value: unknown; place: JsonPlace }[];
};

/** Every personal value in a value of JSON: by its keys, by what stands beside it, and by itself. */
export function findInJson(value: unknown, options: FindInJsonOptions): JsonFinding[] {
  const { findText, region, level, names = noNames() } = options;
  const textOptions = { findText, region, names, level: level ?? 0 };
  const walk: Walk = { options, textOptions, findings: [], candidates: [], waiting: [] };
  const root = rootPlace(readSchemaHints(options.schema));
  if (typeof value !== "object" || value === null)
    visitLeaf(walk, value, outsidePlace(root), "", undefined, root.verdict);
  else walk.waiting.push({ value, place: root });
  for (let next = walk.waiting.pop(); next !== undefined; next = walk.waiting.pop())
    visitInside(walk, next.value, next.place);
  if (names.whole.size > 0) findIds(walk.candidates, names, walk.findings);
  return walk.findings;
}

/** A list or an object. */
function visit(walk: Walk, value: object, place: JsonPlace): void {
  if (place.depth > MAX_DEPTH)
    throw new RangeError(`Cannot look for personal data: nested deeper than ${MAX_DEPTH}`);
  if (place.depth % MAX_NESTED_CALLS === 0) walk.waiting.push({ value, place });
  else visitInside(walk, value, place);
}

function visitInside(walk: Walk, value: unknown, place: JsonPlace): void {
  if (Array.isArray(value)) visitList(walk, value, place);
  else if (isRecord(value)) visitObject(walk, value, place);
}

function visitList(walk: Walk, list: readonly unknown[], place: JsonPlace): void {
  const header = headerOf(list);
  if (header !== undefined) {
    visitRows(walk, list, 1, header, place);
    return;
  }
  const hint = place.hint?.items;
  const verdict = place.verdict ?? hint?.verdict;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (typeof item === "object" && item !== null) visit(walk, item, itemPlace(place, index, verdict, hint));
    else visitLeaf(walk, item, place, index, place.key, verdict);
  }
}

function visitRows(
  walk: Walk,
  rows: readonly unknown[],
  from: number,
  table: TableColumns,
  place: JsonPlace,
): void {
  for (let index = from; index < rows.length; index++) {
    const row = rows[index];
    if (Array.isArray(row)) visitRow(walk, row, table, itemPlace(place, index, undefined, undefined));
    else if (typeof row === "object" && row !== null)
      visit(walk, row, itemPlace(place, index, place.verdict, place.hint?.items));
    else visitLeaf(walk, row, place, index, place.key, place.verdict);
  }
}

function visitRow(walk: Walk, row: readonly unknown[], table: TableColumns, place: JsonPlace): void {
  let name: string | undefined;
  for (let column = 0; column < row.length; column++) {
    const verdict = table.verdicts[column];
    const cell: unknown = row[column];
    if (typeof cell === "object" && cell !== null)
      visit(walk, cell, itemPlace(place, column, verdict, undefined));
    else name = joinName(name, visitLeaf(walk, cell, place, column, table.keys[column], verdict));
  }
  if (name !== undefined) learnName(walk.textOptions.names, name);
}

function visitObject(walk: Walk, record: { readonly [key: string]: unknown }, place: JsonPlace): void {
  const keys = Object.keys(record);
  const meanings: KeyMeaning[] = [];
  const beside = noBeside();
  let isTableLike = false;
  let isPairLike = false;
  let isNamed = false;
  for (const key of keys) {
    const meaning = readKey(key);
    meanings.push(meaning);
    if (meaning.beside !== undefined) countBeside(beside, meaning);
    if (meaning.isNamer) isPairLike = true;
    if (meaning.holds === "neutral") isTableLike = true;
    if (meaning.kind === "name") isNamed = true;
  }
  const { holder, parent, verdict: outer } = place.around;
  const self = isNamed ? selfNamed(record) : undefined;
  const around: Around = { holder, parent, verdict: outer, beside, self };
  const wrapped = outer === undefined ? undefined : wrappedKey(record);
  const table = isTableLike ? asTable(record, keys) : undefined;
  const pair = isPairLike && table === undefined ? asPair(record, keys, around) : undefined;
  let name: string | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const meaning = meanings[index] ?? readKey(key);
    const value = record[key];
    const hint = place.hint?.members.get(key);
    if (meaning.isData) visitKey(walk, key, place);
    const verdict =
      pair?.valueKey === key
        ? pair.verdict
        : wrapped === undefined || (key !== wrapped && key !== "id")
          ? verdictAt(meaning, around, hint)
          : key === wrapped
            ? outer
            : undefined;
    if (typeof value !== "object" || value === null) {
      name = joinName(name, visitLeaf(walk, value, place, key, key, verdict));
      continue;
    }
    const child = childPlace(place, key, goInto(meaning, around, verdict), verdict, hint);
    if (table !== undefined && key === table.rowsKey && Array.isArray(value))
      visitRows(walk, value, 0, table, child);
    else visit(walk, value, child);
  }
  if (name !== undefined) learnName(walk.textOptions.names, name);
}

function verdictAt(
  meaning: KeyMeaning,
  around: Around,
  hint: SchemaHint | undefined,
): KeyVerdict | undefined {
  return decideKey(meaning, around) ?? hint?.verdict;
}

/**
 * A text or number under a key, an index or a column. Gives back the name that it is, so that first and last names of one
 * object become one.
 */
function visitLeaf(
  walk: Walk,
  value: unknown,
  place: JsonPlace,
  step: string | number,
  key: string | undefined,
  verdict: KeyVerdict | undefined,
): string | undefined {
  if (typeof value === "string") return visitText(walk, value, place, step, key, verdict);
  if (typeof value === "number") visitNumber(walk, value, place, step, key, verdict);
  return undefined;
}

function visitText(
  walk: Walk,
  text: string,
  place: JsonPlace,
  step: string | number,
  key: string | undefined,
  verdict: KeyVerdict | undefined,
): string | undefined {
  const { findings, candidates, options, textOptions } = walk;
  const first = findings.length;
  const fits = verdict === undefined ? NO_FITS : fitValue(verdict, text);
  const [fit] = fits;
  const rule = verdict?.rule ?? "key";
  if (fit !== undefined && fits.length === 1 && fit.end - fit.start >= text.trim().length) {
    const { class: name, start, end, confidence } = fit;
    findings.push({ class: name, start, end, rule, confidence, path: leafPath(place, step), in: "text" });
    learnValue(walk, name, text.slice(start, end));
    return name === "NAME" ? text : undefined;
  }
  if (text.length < LEAST_LETTERS && text !== "::") return undefined;
  const structured = findInStructuredText(text, textOptions);
  const above = typeof step === "string" ? aboveOf(place) : aboveOf(place).slice(0, -1);
  const shown = options.findText(text, { key, above, region: options.region });
  if (fits.length + structured.length + shown.length > 0) {
    const named = fits.map((part) => ({ ...part, rule }));
    const path = leafPath(place, step);
    for (const finding of withoutOverlaps([...named, ...structured, ...shown])) {
      findings.push({ ...finding, path, in: "text" });
      learnValue(walk, finding.class, finding.value ?? text.slice(finding.start, finding.end));
    }
  }
  const isShortId = verdict !== undefined && verdict.takes !== "whole" && text.length <= MAX_SHORT_ID;
  if (isShortId || couldHoldId(text) || (findings.length === first && couldBeKnown(text)))
    candidates.push({ text, place, step, key, in: "text", first, last: findings.length });
  return undefined;
}

function visitNumber(
  walk: Walk,
  value: number,
  place: JsonPlace,
  step: string | number,
  key: string | undefined,
  verdict: KeyVerdict | undefined,
): void {
  const { findings, options } = walk;
  if (verdict !== undefined && fitNumber(verdict, value)) {
    const { class: name, rule, confidence } = verdict;
    const end = String(value).length;
    findings.push({
      class: name,
      start: 0,
      end,
      rule,
      confidence,
      path: leafPath(place, step),
      in: "number",
    });
    return;
  }
  if (value < LEAST_NUMBER || !Number.isSafeInteger(value)) return;
  const text = String(value);
  for (const finding of options.findText(text, { key, above: aboveOf(place), region: options.region }))
    if (finding.start === 0 && finding.end === text.length)
      findings.push({ ...finding, path: leafPath(place, step), in: "number" });
}

/** A key that is data: an e-mail address, an id with a name in it. */
function visitKey(walk: Walk, key: string, place: JsonPlace): void {
  const { findings, candidates, options } = walk;
  const first = findings.length;
  const path = leafPath(place, key);
  if (place.around.holder === "person" && isNameId(key, { withoutNumber: false }))
    findings.push({
      class: "USER_ID",
      start: 0,
      end: key.length,
      rule: "key-of-person",
      confidence: 0.8,
      path,
      in: "key",
    });
  else
    for (const finding of options.findText(key, { above: aboveOf(place), region: options.region }))
      findings.push({ ...finding, path, in: "key" });
  candidates.push({ text: key, place, step: key, key: undefined, in: "key", first, last: findings.length });
}

function learnValue({ textOptions }: Walk, name: PiiClass, value: string): void {
  if (name === "NAME") learnName(textOptions.names, value);
  else if (name === "EMAIL") learnMailName(textOptions.names, value);
}

function joinName(name: string | undefined, part: string | undefined): string | undefined {
  if (part === undefined) return name;
  return name === undefined ? part : `${name} ${part}`;
}
