import type { Finding } from "../../finding.ts";
import { type KeyMeaning, readKey } from "../keys/key-meaning.ts";
import {
  type Around,
  type Beside,
  countBeside,
  decideKey,
  goInto,
  noBeside,
  type Verdict,
} from "../keys/key-verdict.ts";
import { findEmbeddedNames } from "../names/embedded-names.ts";
import { type KnownNames, learnMailName, learnName, noNames } from "../names/known-names.ts";
import { isNameId } from "../names/name-ids.ts";
import { findInStructuredText } from "../text/find-in-structured-text.ts";
import { fitNumber, fitValue } from "../values/fit-value.ts";
import type { FindInJsonOptions, JsonFinding, TextFinding } from "./json-finding.ts";
import { aboveOf, joinPath, type Place, pathOf } from "./place.ts";
import { type Hint, readSchemaHints } from "./schema-hints.ts";
import { asPair, asTable, headerOf, type Table } from "./tables.ts";

/** Deeper than this, the rest waits its turn in a list, so that no nesting exhausts the stack. */
const MAX_NESTED_CALLS = 200;
const MAX_DEPTH = 10_000;
const LEAST_LETTERS = 3;
const LEAST_DIGITS = 1e8;

type Walk = {
  readonly options: FindInJsonOptions;
  readonly names: KnownNames;
  readonly findings: JsonFinding[];
  readonly waiting: { value: unknown; place: Place }[];
};

/** Every personal value in a value of JSON: by its keys, by what stands beside it, and by itself. */
export function findInJson(value: unknown, options: FindInJsonOptions): JsonFinding[] {
  const names = options.names ?? noNames();
  const walk: Walk = { options, names, findings: [], waiting: [] };
  walk.waiting.push({ value, place: rootPlace(readSchemaHints(options.schema)) });
  for (let next = walk.waiting.pop(); next !== undefined; next = walk.waiting.pop())
    visit(walk, next.value, next.place);
  return names.whole.size === 0 ? walk.findings : [...walk.findings, ...findIds(value, names, walk.findings)];
}

function rootPlace(hint: Hint | undefined): Place {
  const around: Around = { holder: undefined, parent: undefined, verdict: undefined, beside: noBeside() };
  return {
    up: undefined,
    step: "",
    key: undefined,
    meaning: undefined,
    verdict: undefined,
    around,
    hint,
    depth: 0,
    path: "",
    above: [],
  };
}

/** A value at a place of its own: the root, a list or an object. */
function visit(walk: Walk, value: unknown, place: Place): void {
  if (typeof value !== "object" || value === null) {
    visitLeaf(walk, value, place, place.step, place.key, place.verdict, true);
    return;
  }
  if (place.depth > MAX_DEPTH)
    throw new RangeError(`Cannot look for personal data: nested deeper than ${MAX_DEPTH}`);
  if (place.depth > 0 && place.depth % MAX_NESTED_CALLS === 0) {
    walk.waiting.push({ value, place: { ...place, depth: place.depth + 1 } });
    return;
  }
  if (Array.isArray(value)) visitList(walk, value, place);
  else visitObject(walk, value, place);
}

function visitList(walk: Walk, list: readonly unknown[], place: Place): void {
  const header = headerOf(list);
  if (header !== undefined) {
    visitRows(walk, list, 1, header, place);
    return;
  }
  const hint = place.hint?.items;
  const verdict = place.verdict ?? hint?.verdict;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (typeof item === "object" && item !== null)
      visit(walk, item, {
        ...place,
        up: place,
        step: index,
        hint,
        verdict,
        depth: place.depth + 1,
        path: undefined,
        above: undefined,
      });
    else visitLeaf(walk, item, place, index, place.key, verdict, false);
  }
}

function visitRows(walk: Walk, rows: readonly unknown[], from: number, table: Table, place: Place): void {
  for (let index = from; index < rows.length; index++) {
    const row = rows[index];
    const rowPlace: Place = {
      ...place,
      up: place,
      step: index,
      depth: place.depth + 1,
      path: undefined,
      above: undefined,
    };
    if (!Array.isArray(row)) {
      if (typeof row === "object" && row !== null) visit(walk, row, rowPlace);
      else visitLeaf(walk, row, place, index, place.key, place.verdict, false);
      continue;
    }
    for (let column = 0; column < row.length; column++) {
      const verdict = table.verdicts[column];
      const cell: unknown = row[column];
      if (typeof cell === "object" && cell !== null)
        visit(walk, cell, {
          ...rowPlace,
          up: rowPlace,
          step: column,
          verdict,
          depth: place.depth + 2,
          path: undefined,
          above: undefined,
        });
      else visitLeaf(walk, cell, rowPlace, column, table.keys[column], verdict, false);
    }
    learnParts(walk, row, table.verdicts);
  }
}

function visitObject(walk: Walk, object: object, place: Place): void {
  const keys = Object.keys(object);
  const beside = noBeside();
  let isTableLike = false;
  let isPairLike = false;
  for (const key of keys) {
    const meaning = readKey(key);
    if (meaning.beside !== undefined) countBeside(beside, meaning);
    if (meaning.isNamer) isPairLike = true;
    if (meaning.holds === "neutral") isTableLike = true;
  }
  const around: Around = { ...place.around, beside };
  const record: { readonly [key: string]: unknown } = object as { readonly [key: string]: unknown };
  const table = isTableLike ? asTable(record, keys) : undefined;
  const pair = isPairLike && table === undefined ? asPair(record, keys, around) : undefined;
  let nameWords: string | undefined;
  for (const key of keys) {
    const value = record[key];
    const meaning = readKey(key);
    if (meaning.isData) visitKey(walk, key, place, around);
    const hint = place.hint?.members.get(key);
    const verdict = verdictAt(key, meaning, around, hint, pair);
    if (typeof value !== "object" || value === null) {
      visitLeaf(walk, value, place, key, key, verdict, true);
      if (verdict?.class === "NAME" && typeof value === "string" && value.length <= 40)
        nameWords = nameWords === undefined ? value : `${nameWords} ${value}`;
      continue;
    }
    const child = childPlace(place, key, meaning, around, verdict, hint, beside);
    if (table !== undefined && key === table.rowsKey && Array.isArray(value))
      visitRows(walk, value, 0, table, child);
    else visit(walk, value, child);
  }
  if (nameWords !== undefined) learnName(walk.names, nameWords);
}

function verdictAt(
  key: string,
  meaning: KeyMeaning,
  around: Around,
  hint: Hint | undefined,
  pair: ReturnType<typeof asPair>,
): Verdict | undefined {
  if (pair !== undefined && key === pair.valueKey) return pair.verdict;
  if (
    meaning.kind === "none" &&
    around.verdict === undefined &&
    hint === undefined &&
    !meaning.isLargePlace &&
    around.parent === undefined
  )
    return undefined;
  return decideKey(meaning, around) ?? hint?.verdict;
}

function childPlace(
  place: Place,
  key: string,
  meaning: KeyMeaning,
  around: Around,
  verdict: Verdict | undefined,
  hint: Hint | undefined,
  beside: Beside,
): Place {
  const inside = goInto(meaning, around, beside);
  return {
    up: place,
    step: key,
    key,
    meaning,
    verdict,
    around: verdict === inside.verdict ? inside : { ...inside, verdict },
    hint,
    depth: place.depth + 1,
    path: undefined,
    above: undefined,
  };
}

/** A text or a number under a key, an index or a column. */
function visitLeaf(
  walk: Walk,
  value: unknown,
  place: Place,
  step: string | number,
  key: string | undefined,
  verdict: Verdict | undefined,
  isMember: boolean,
): void {
  if (typeof value === "string") visitText(walk, value, place, step, key, verdict, isMember);
  else if (typeof value === "number") visitNumber(walk, value, place, step, key, verdict);
}

function visitText(
  walk: Walk,
  text: string,
  place: Place,
  step: string | number,
  key: string | undefined,
  verdict: Verdict | undefined,
  isMember: boolean,
): void {
  if (verdict !== undefined) {
    const fits = fitValue(verdict, text);
    for (const { start, end, class: name, confidence } of fits) {
      report(walk, place, step, { class: name, start, end, rule: verdict.rule, confidence }, text);
    }
    if (fits.length > 0 && (fits.length > 1 || covers(fits[0], text))) return;
  }
  if (text.length < LEAST_LETTERS) return;
  const above = aboveOf(place);
  const surroundings = {
    key,
    above: isMember || place.up === undefined ? above : above.slice(0, -1),
    region: walk.options.region,
  };
  for (const finding of findInStructuredText(text, { ...walk.options, names: walk.names }))
    report(walk, place, step, finding, text);
  for (const finding of walk.options.findText(text, surroundings)) report(walk, place, step, finding, text);
}

function covers(fit: { start: number; end: number } | undefined, text: string): boolean {
  return fit !== undefined && fit.end - fit.start >= text.trim().length;
}

function visitNumber(
  walk: Walk,
  value: number,
  place: Place,
  step: string | number,
  key: string | undefined,
  verdict: Verdict | undefined,
): void {
  const end = String(value).length;
  const path = () => (place.up === undefined && step === "" ? "" : joinPath(pathOf(place), step));
  if (verdict !== undefined && fitNumber(verdict, value)) {
    walk.findings.push({
      path: path(),
      in: "number",
      class: verdict.class,
      start: 0,
      end,
      rule: verdict.rule,
      confidence: verdict.confidence,
    });
    return;
  }
  if (value < LEAST_DIGITS || !Number.isSafeInteger(value)) return;
  const found = walk.options.findText(String(value), {
    key,
    above: aboveOf(place),
    region: walk.options.region,
  });
  for (const finding of found)
    if (finding.start === 0 && finding.end === end)
      walk.findings.push({ ...finding, path: path(), in: "number" });
}

/** A key that is data: an e-mail address, an id with a name in it. */
function visitKey(walk: Walk, key: string, place: Place, around: Around): void {
  const isSomebodys = around.holder === "person" || around.holder === undefined;
  const found: readonly Finding[] =
    isSomebodys && isNameId(key, { withoutNumber: false }) && around.holder === "person"
      ? [{ class: "USER_ID", start: 0, end: key.length, rule: "key-of-person", confidence: 0.8 }]
      : walk.options.findText(key, { above: aboveOf(place), region: walk.options.region });
  for (const finding of found)
    walk.findings.push({ ...finding, path: joinPath(pathOf(place), key), in: "key" });
}

function report(walk: Walk, place: Place, step: string | number, finding: TextFinding, text: string): void {
  const path = place.up === undefined && step === "" ? "" : joinPath(pathOf(place), step);
  walk.findings.push({ ...finding, path, in: "text" });
  const value = finding.value ?? text.slice(finding.start, finding.end);
  if (finding.class === "NAME") learnName(walk.names, value);
  else if (finding.class === "EMAIL") learnMailName(walk.names, value);
}

/** First and last names of one row are one name. */
function learnParts(walk: Walk, row: readonly unknown[], verdicts: readonly (Verdict | undefined)[]): void {
  const parts = row.filter((cell, column) => typeof cell === "string" && verdicts[column]?.class === "NAME");
  if (parts.length > 1) learnName(walk.names, parts.join(" "));
}

/** Identifiers with names that became known anywhere in the value. */
function findIds(root: unknown, names: KnownNames, found: readonly JsonFinding[]): JsonFinding[] {
  const taken = new Map<string, JsonFinding[]>();
  for (const finding of found) {
    const id = `${finding.in}${finding.path}`;
    const list = taken.get(id);
    if (list === undefined) taken.set(id, [finding]);
    else list.push(finding);
  }
  const findings: JsonFinding[] = [];
  const add = (text: string, path: () => string, where: "key" | "text", key: string | undefined) => {
    for (const finding of findEmbeddedNames(text, names, key)) {
      const at = path();
      const isTaken = taken
        .get(`${where}${at}`)
        ?.some(({ start, end }) => start < finding.end && finding.start < end);
      if (isTaken !== true) findings.push({ ...finding, path: at, in: where });
    }
  };
  const waiting: { value: unknown; path: string; key: string | undefined }[] = [
    { value: root, path: "", key: undefined },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path, key } = next;
    if (typeof value === "string") add(value, () => path, "text", key);
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const [step, item] of Object.entries(value)) {
      const inside = () => joinPath(path, step);
      if (!isList) add(step, inside, "key", undefined);
      if (typeof item === "string") add(item, inside, "text", isList ? key : step);
      else if (typeof item === "object" && item !== null)
        waiting.push({ value: item, path: inside(), key: isList ? key : step });
    }
  }
  return findings;
}
