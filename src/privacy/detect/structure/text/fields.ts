import type { PiiClass } from "../../../../pii-classes.ts";
import type { FindText, TextFinding } from "../json/json-finding.ts";
import { readKey } from "../keys/key-meaning.ts";
import {
  aroundOf,
  type Beside,
  countBeside,
  decideKey,
  type KeyVerdict,
  noBeside,
} from "../keys/key-verdict.ts";
import type { KnownNames } from "../names/known-names.ts";
import { learnMailName, learnName } from "../names/known-names.ts";
import { type FittedPart, fitValue } from "../values/fit-value.ts";
import { type Decoded, toSource } from "./decoded.ts";

/** A value in a text that something else in it names. */
export type LabelledValue = {
  readonly key: string;
  readonly above: readonly string[];
  /** Fields of one group stand beside each other. */
  readonly group: number;
  readonly value: Decoded;
};

export type StructuredTextOptions = {
  /** For values that are written in an encoding, so that nobody else can read them. */
  readonly findText?: FindText;
  readonly region?: string | undefined;
  readonly names?: KnownNames;
  /** How often a text was taken out of another already. */
  readonly level?: number;
};

export type TextWalk = {
  readonly text: string;
  readonly options: StructuredTextOptions;
  readonly findings: TextFinding[];
};

/** What the fields of a text hold, each group looked at as one object. */
export function addFields(walk: TextWalk, fields: readonly LabelledValue[]): void {
  const groups = new Map<number, Beside>();
  for (const { group, key } of fields) {
    const counts = groups.get(group) ?? noBeside();
    groups.set(group, counts);
    countBeside(counts, readKey(key));
  }
  for (const { key, above, group, value } of fields) {
    if (value.text === "") continue;
    const verdict = decideKey(readKey(key), aroundOf(above, groups.get(group) ?? noBeside()));
    addValue(walk, verdict, value, key, above);
  }
}

/** One value, by what was decided of its key. */
export function addValue(
  walk: TextWalk,
  verdict: KeyVerdict | undefined,
  value: Decoded,
  key?: string,
  above: readonly string[] = [],
): void {
  const fits =
    verdict === undefined
      ? []
      : fitValue(verdict, value.text).filter(({ class: name }) => isMeant(verdict, name, value.text));
  for (const fit of fits) addFit(walk, fit, value, verdict?.rule ?? "key");
  if (fits.length > 0 || value.places === undefined || walk.options.findText === undefined) return;
  for (const finding of walk.options.findText(value.text, { key, above, region: walk.options.region }))
    addFit(walk, finding, value, finding.rule);
}

/** In a text, what a label names may be a program's: `password: process.env.X`, `name: found`, `company: str | None`. */
function isMeant(verdict: KeyVerdict, name: PiiClass, text: string): boolean {
  if (verdict.class === "NAME" && name === "USER_ID" && verdict.takes === "whole") return false;
  return !OFTEN_CODE.has(name) || !(CODE.test(text) || TYPE.test(text));
}

const OFTEN_CODE: ReadonlySet<PiiClass> = new Set<PiiClass>([
  "PASSWORD",
  "API_KEY",
  "ADDRESS",
  "COMPANY",
  "USER_ID",
]);
const CODE = /[{}[\]]|=>|\w\(|^[^(]*\)|^\w+(?:\.\w+)+\W*$/;

/** Words for types, of Python and TypeScript, and nothing else. */
const TYPE =
  /^(?:str|int|float|bool|bytes|dict|list|string|number|boolean|object|any|none|null|undefined|unknown)(?:\s*[|=]\s*[\w"'.]+)*[,;]?$/i;

function addFit(walk: TextWalk, fit: FittedPart, value: Decoded, rule: string): void {
  const span = toSource(value, fit);
  const meant = value.text.slice(fit.start, fit.end);
  const isEncoded = value.places !== undefined && walk.text.slice(span.start, span.end) !== meant;
  walk.findings.push({
    class: fit.class,
    ...span,
    rule,
    confidence: fit.confidence,
    ...(isEncoded ? { value: meant } : {}),
  });
  const { names } = walk.options;
  if (names === undefined) return;
  if (fit.class === "NAME") learnName(names, meant);
  else if (fit.class === "EMAIL") learnMailName(names, meant);
}
