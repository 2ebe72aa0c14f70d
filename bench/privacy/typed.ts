import { createHash } from "node:crypto";
import type { PiiClass } from "../../src/pii-classes.ts";
import { detectInJson, detectInText } from "../../src/privacy/detect/detect.ts";
import type { PiiFinding } from "../../src/privacy/detect/finding.ts";
import { noNames } from "../../src/privacy/detect/structure/names/known-names.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { read } from "../eval-tools.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

/** A text, and where values of one class stand in it. */
type TypedCase = {
  readonly class: PiiClass;
  /** The key that would stand above such a value. */
  readonly key: string;
  readonly text: string;
  readonly spans: readonly (readonly [start: number, end: number])[];
  /** How many there are, where the data does not say where. */
  readonly count: number;
  readonly region?: string;
  /** Presidio itself gives it less than half: a guess that it makes where nothing speaks for it. */
  readonly isGuess: boolean;
  /** The data says that the whole text is no such value; a part of it may be one. */
  readonly isRefused: boolean;
};

/** As a text of its own, in a field of a tool's result that says nothing of it, under a key that does. */
type Way = "text" | "field" | "key";

type Score = { found: number; missed: number; wrong: number };

const KINDS: { readonly [recognizer: string]: readonly [PiiClass, string] } = {
  email: ["EMAIL", "email"],
  credit_card: ["CREDIT_CARD", "card_number"],
  iban: ["IBAN", "iban"],
  us_ssn: ["SSN", "ssn"],
  ip: ["IP", "ip"],
  phone: ["PHONE", "phone"],
  mac: ["MAC", "mac_address"],
  us_itin: ["NATIONAL_ID", "tax_id"],
  us_mbi: ["NATIONAL_ID", "medicare_id"],
  us_passport: ["PASSPORT", "passport"],
  us_driver_license: ["DRIVING_LICENCE", "driver_license"],
  ca_sin: ["NATIONAL_ID", "sin"],
  uk_nino: ["NATIONAL_ID", "nino"],
  uk_nhs: ["NATIONAL_ID", "nhs_number"],
  in_aadhaar: ["NATIONAL_ID", "aadhaar"],
  in_pan: ["NATIONAL_ID", "pan"],
  de_tax_id: ["NATIONAL_ID", "tax_id"],
  es_nif: ["NATIONAL_ID", "nif"],
  it_fiscal_code: ["NATIONAL_ID", "codice_fiscale"],
  au_tfn: ["NATIONAL_ID", "tfn"],
  pl_pesel: ["NATIONAL_ID", "pesel"],
  sg_fin: ["NATIONAL_ID", "nric"],
};

const TARGETS: readonly PiiClass[] = ["EMAIL", "CREDIT_CARD", "IBAN", "SSN", "IP"];
const CARRIERS = (value: string) => [`You can call me at ${value} tomorrow.`, `Tel: ${value}`];

/** Values by type: what of them is found, and what is found that is none. */
export async function measureTyped({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("Values by type");
  const cases = [...(await presidioCases(dataDir)), ...(await validatorCases(dataDir))];
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  for (const kind of [...new Set(cases.map((each) => each.class))]) {
    const own = cases.filter((each) => each.class === kind);
    for (const [name, way] of [
      ["a text", "text"],
      ["in a field", "field"],
      ["under a key", "key"],
    ] as const) {
      const measured = own.filter((each) => way === "key" || !each.isGuess);
      const whole = scoreOf(measured, way);
      const unseen = scoreOf(
        measured.filter((each) => !isSeen(each.text)),
        way,
      );
      rows.push([kind, name, measured.length, ...figures(whole), ...figures(unseen)]);
      if (!TARGETS.includes(kind)) continue;
      const [precision, recall] = figures(whole);
      if ((precision < 0.98 && way !== "key") || recall < 0.98)
        misses.push(`${kind} ${name}: ${precision} / ${recall}`);
    }
  }
  const phones = await phoneRows(dataDir);
  for (const [how, , recall] of phones)
    if (String(how).startsWith("with") && Number(recall) < 0.95) misses.push(`phone, ${how}: ${recall}`);
  return {
    tables: [
      {
        title: "Values by type (presidio_unit_cases, validatorjs_cases)",
        columns: ["class", "how", "cases", "precision", "recall", "unseen half: precision", "recall"],
        rows,
      },
      {
        title: "Phone numbers (libphonenumber_example_numbers, validatorjs isMobilePhone)",
        columns: ["how", "numbers", "recall", "unseen half"],
        rows: phones,
      },
    ],
    notes: [
      "Under a key that says what it is, a value counts that its checksum or form refuses: mistyped, it is somebody's all the same. Precision there is shown, and is no target.",
      "Spans must be equal; where the data has none, their number. A text that validator.js refuses counts as wrong when all of it is found: an address in a longer text is one.",
      "What Presidio itself gives less than half (bare nine digits as a social security number) counts under a key only.",
      "The unseen half, by a hash of the text, is not untouched: about half of Presidio's cases and validator.js's first e-mail addresses, cards and IPs were read before the rules were written, and its rates by kind were looked at while they were.",
    ],
    misses,
  };
}

function scoreOf(cases: readonly TypedCase[], way: Way): Score {
  const score: Score = { found: 0, missed: 0, wrong: 0 };
  for (const each of cases) {
    const spans = found(each, way);
    if (each.isRefused) {
      score.wrong += spans.filter(([start, end]) => start === 0 && end === each.text.length).length;
      continue;
    }
    const hits =
      each.spans.length < each.count
        ? Math.min(each.count, spans.length)
        : each.spans.filter(([start, end]) => spans.some(([from, to]) => from === start && to === end))
            .length;
    score.found += hits;
    score.missed += each.count - hits;
    score.wrong += Math.max(0, spans.length - hits);
  }
  return score;
}

function found({ text, key, region, class: kind }: TypedCase, way: Way): [number, number][] {
  const findings =
    way === "text" ? inText(text, region) : inField(way === "key" ? key : "line", text, region);
  return findings.filter((finding) => finding.class === kind).map(({ start, end }) => [start, end]);
}

function inText(text: string, region?: string): readonly PiiFinding[] {
  return detectInText(text, { names: noNames(), region });
}

function inField(key: string, text: string, region?: string): readonly PiiFinding[] {
  return detectInJson({ [key]: text }, { names: noNames(), region });
}

function figures({ found: hits, missed, wrong }: Score): [number, number] {
  return [ratio(hits, hits + wrong), ratio(hits, hits + missed)];
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 1_000) / 1_000;
}

function isSeen(text: string): boolean {
  return (createHash("sha256").update(text).digest()[0] ?? 0) % 2 === 0;
}

async function presidioCases(dataDir: string): Promise<TypedCase[]> {
  const data: unknown = JSON.parse(await read(dataDir, "pii/presidio_unit_cases.json"));
  const cases: TypedCase[] = [];
  for (const entry of Array.isArray(data) ? data : []) {
    if (!isRecord(entry)) continue;
    const [kind, key] = KINDS[String(entry["recognizer"])] ?? [];
    const text = entry["text"] ?? entry["iban"] ?? entry["number"] ?? entry["pesel"];
    if (kind === undefined || key === undefined || typeof text !== "string" || text === "") continue;
    const count =
      typeof entry["expected_len"] === "number" ? entry["expected_len"] : entry["expected"] === true ? 1 : 0;
    const spans = toSpans(
      entry["expected_positions"] ?? entry["expected_res"] ?? [entry["expected_position"]],
    );
    cases.push({
      class: kind,
      key,
      text,
      count,
      spans: count === 0 ? [] : spans,
      isGuess: isGuess(entry),
      isRefused: false,
    });
  }
  return cases;
}

function isGuess(entry: { readonly [key: string]: unknown }): boolean {
  const scores = [entry["expected_score_ranges"], entry["expected_score"]].flat(3).map(Number);
  const best = Math.max(-1, ...scores.filter((score) => Number.isFinite(score)));
  return best >= 0 && best < 0.5 && entry["expected_len"] !== 0;
}

function toSpans(value: unknown): [number, number][] {
  const spans = Array.isArray(value) ? value : [];
  return spans.flatMap((span) =>
    Array.isArray(span) ? [[Number(span[0]), Number(span[1])] as [number, number]] : [],
  );
}

async function validatorCases(dataDir: string): Promise<TypedCase[]> {
  const cases: TypedCase[] = [];
  const kinds = [
    ["isEmail", "EMAIL", "email"],
    ["isCreditCard", "CREDIT_CARD", "card_number"],
    ["isIBAN", "IBAN", "iban"],
    ["isIP", "IP", "ip"],
  ] as const;
  for (const [name, kind, key] of kinds)
    for (const { args, valid, invalid } of await validatorGroups(dataDir, name)) {
      if (JSON.stringify(args).includes("ignore_max_length")) continue;
      const common = { class: kind, key, isGuess: false };
      for (const text of new Set(valid))
        cases.push({ ...common, text, count: 1, spans: [], isRefused: false });
      // An option refuses what is a value all the same.
      if (args.length === 0)
        for (const text of new Set(invalid))
          cases.push({ ...common, text, count: 0, spans: [], isRefused: true });
    }
  return cases;
}

type ValidatorGroup = { args: unknown[]; valid: string[]; invalid: string[] };

async function validatorGroups(dataDir: string, name: string): Promise<ValidatorGroup[]> {
  const data: unknown = JSON.parse(await read(dataDir, "pii/validatorjs_cases.json"));
  const groups = isRecord(data) ? data[name] : undefined;
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((text): text is string => typeof text === "string") : [];
  return (Array.isArray(groups) ? groups : []).filter(isRecord).map((group) => ({
    args: Array.isArray(group["args"]) ? group["args"] : [],
    valid: texts(group["valid"]),
    invalid: texts(group["invalid"]),
  }));
}

type PhoneCase = { readonly region: string; readonly national: string; readonly international: string };

async function phoneRows(dataDir: string): Promise<(string | number)[][]> {
  const examples = await examplePhones(dataDir);
  const mobiles = await mobilePhones(dataDir);
  const isFound = (text: string, value: string, { key, region }: { key?: string; region?: string } = {}) =>
    (key === undefined ? inText(text, region) : inField(key, text, region)).some(
      ({ class: kind, start, end }) =>
        kind === "PHONE" && start <= text.indexOf(value) && end >= text.indexOf(value) + value.length,
    );
  const row = <T>(
    how: string,
    items: readonly T[],
    text: (item: T) => string,
    test: (item: T) => boolean,
  ) => {
    const hits = items.filter(test);
    const unseen = items.filter((item) => !isSeen(text(item)));
    return [
      how,
      items.length,
      ratio(hits.length, items.length),
      ratio(unseen.filter(test).length, unseen.length),
    ];
  };
  const national = ({ national: value }: PhoneCase) => value;
  return [
    row("with a key, national", examples, national, ({ national: value, region }) =>
      isFound(value, value, { key: "phone", region }),
    ),
    row("with a key, international", examples, national, ({ international: value }) =>
      isFound(value, value, { key: "mobile" }),
    ),
    row("with words, national", examples, national, ({ national: value, region }) =>
      CARRIERS(value).every((text) => isFound(text, value, { region })),
    ),
    row("with words, international", examples, national, ({ international: value }) =>
      CARRIERS(value).every((text) => isFound(text, value, {})),
    ),
    row("without context, international", examples, national, ({ international: value }) =>
      isFound(`The contact is ${value} (private)`, value, {}),
    ),
    row("with a key, validator.js mobile", mobiles, national, ({ national: value, region }) =>
      isFound(value, value, { key: "mobile", region }),
    ),
    row("with words, validator.js mobile", mobiles, national, ({ national: value, region }) =>
      CARRIERS(value).every((text) => isFound(text, value, { region })),
    ),
  ];
}

async function examplePhones(dataDir: string): Promise<PhoneCase[]> {
  const data: unknown = JSON.parse(await read(dataDir, "pii/libphonenumber_example_numbers.json"));
  return (Array.isArray(data) ? data : []).filter(isRecord).map((entry) => ({
    region: String(entry["region"]),
    national: String(entry["national"]),
    international: `+${String(entry["countryCode"])} ${String(entry["national"])}`,
  }));
}

async function mobilePhones(dataDir: string): Promise<PhoneCase[]> {
  const groups = await validatorGroups(dataDir, "isMobilePhone");
  return groups.flatMap(({ args, valid }) => {
    const locale = String([args[0]].flat()[0]);
    if (!/^[a-z]{2}-[A-Z]{2}$/.test(locale)) return [];
    return [...new Set(valid)].map((text) => ({
      region: locale.slice(3),
      national: text,
      international: text,
    }));
  });
}
