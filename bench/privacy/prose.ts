import { detectInText } from "../../src/privacy/detect/detect.ts";
import type { PiiFinding } from "../../src/privacy/detect/finding.ts";
import { noNames } from "../../src/privacy/detect/structure/names/known-names.ts";
import type { BenchOptions, BenchReport, BenchTable } from "../suite.ts";
import { type GoldText, loadGoldTexts, loadWnut, readEval } from "./gold-texts.ts";
import { addScores, compareSpans, EMPTY, type Match, type Score, type Span, toRates } from "./spans.ts";

/** Overall F1 on texts that the rules were not tuned on. */
const LEAST_F1 = 0.85;
/** What is less sure is not told. */
const LEAST_CONFIDENCE = 0.5;

type Group = (kind: string) => string;

/** Our classes one by one; a date of birth is a date. */
const byClass: Group = (kind) => (kind === "DATE_OF_BIRTH" ? "DATE" : kind);
/**
 * As stock Presidio has them, which knows one class of places; and "Mr." is a person in one of the two files, a title in the
 * other.
 */
const GROUPS: { readonly [kind: string]: string } = {
  ADDRESS: "place",
  LOCATION: "place",
  POSTAL_CODE: "place",
  NAME: "person",
  TITLE: "person",
};
const byGroup: Group = (kind) => GROUPS[kind] ?? byClass(kind);

/** Free text: F1 on texts with labelled spans, names in people's messages, alarms in texts without anything personal, speed. */
export async function measureProse({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("Free text: labelled texts");
  const large = await loadGoldTexts(dataDir, "generated_large");
  const synth = await loadGoldTexts(dataDir, "synth_dataset_v2");
  const seen = new Set(large.map(({ template }) => template));
  const isHeldOut = ({ template }: GoldText) => template % 2 === 1;
  const sets: readonly (readonly [string, readonly GoldText[]])[] = [
    ["tuned on: generated_large", large],
    ["tuned on: synth_v2, even templates", synth.filter((text) => !isHeldOut(text))],
    ["held out: synth_v2, odd templates", synth.filter(isHeldOut)],
    [
      "held out, and of a template in no other set",
      synth.filter((text) => isHeldOut(text) && !seen.has(text.template)),
    ],
    ["all", [...large, ...synth]],
  ];
  const heldOut = sets[2]?.[1] ?? [];
  const wnut = await loadWnut(dataDir);
  progress("Free text: alarms and speed");
  const descriptions = await loadDescriptions(dataDir);
  const f1 = overall(scoreTexts(heldOut, byGroup, "overlap")).f1;
  return {
    tables: [
      overallTable(sets),
      classTable("By class, all texts, same class", [...large, ...synth]),
      classTable("By class, held out, same class", heldOut),
      namesTable(wnut),
      alarmTable(descriptions),
      speedTable([...large, ...synth], descriptions),
    ],
    notes: [
      "A gold span is found when a found span of its class overlaps it (or, exact: has its start and end); a found span is right when it does so with a gold one. Grouped: ADDRESS, LOCATION and POSTAL_CODE are one class, NAME and TITLE are one.",
      "Stock Presidio on such texts: precision .685, recall .603 (README of the data).",
    ],
    misses: f1 < LEAST_F1 ? [`free text: F1 ${f1.toFixed(3)} on held-out texts, not ${LEAST_F1}`] : [],
  };
}

function findAll(text: string): PiiFinding[] {
  return detectInText(text, { names: noNames() }).filter(({ confidence }) => confidence >= LEAST_CONFIDENCE);
}

function scoreTexts(
  texts: readonly GoldText[],
  group: Group,
  match: Match,
  classes?: readonly string[],
): Map<string, Score> {
  const scores = new Map<string, Score>();
  for (const { text, spans } of texts) {
    const gold = spans.map((span) => ({ ...span, kind: group(span.kind) }));
    const found: Span[] = findAll(text)
      .filter((finding) => classes?.includes(finding.class) ?? true)
      .map((finding) => ({ kind: group(finding.class), start: finding.start, end: finding.end }));
    for (const [kind, score] of compareSpans(gold, found, match))
      scores.set(kind, addScores(scores.get(kind) ?? EMPTY, score));
  }
  return scores;
}

const overall = (scores: Map<string, Score>) => toRates([...scores.values()].reduce(addScores, EMPTY));
const round = (rate: number) => Number(rate.toFixed(3));

function overallTable(sets: readonly (readonly [string, readonly GoldText[]])[]): BenchTable {
  const rows = sets.flatMap(([name, texts]) =>
    (
      [
        ["grouped", byGroup, "overlap"],
        ["grouped", byGroup, "exact"],
        ["same class", byClass, "overlap"],
        ["same class", byClass, "exact"],
      ] as const
    ).map(([label, group, match]) => {
      const { precision, recall, f1 } = overall(scoreTexts(texts, group, match));
      return [name, texts.length, label, match, round(precision), round(recall), round(f1)];
    }),
  );
  return {
    title: "Free text, overall",
    columns: ["texts", "number", "classes", "spans", "precision", "recall", "F1"],
    rows,
  };
}

function classTable(title: string, texts: readonly GoldText[]): BenchTable {
  const overlap = scoreTexts(texts, byClass, "overlap");
  const exact = scoreTexts(texts, byClass, "exact");
  const rows = [...overlap]
    .sort(([, one], [, other]) => other.gold - one.gold)
    .map(([kind, score]) => {
      const { precision, recall, f1 } = toRates(score);
      const exactF1 = toRates(exact.get(kind) ?? EMPTY).f1;
      return [kind, score.gold, score.found, round(precision), round(recall), round(f1), round(exactF1)];
    });
  return { title, columns: ["class", "gold", "found", "precision", "recall", "F1", "exact F1"], rows };
}

function namesTable(texts: readonly GoldText[]): BenchTable {
  const rows = (["overlap", "exact"] as const).flatMap((match) =>
    [...scoreTexts(texts, byClass, match, ["NAME", "COMPANY"])].map(([kind, score]) => {
      const { precision, recall, f1 } = toRates(score);
      return [kind, match, score.gold, score.found, round(precision), round(recall), round(f1)];
    }),
  );
  return {
    title: "People's messages (WNUT 2017 dev)",
    columns: ["class", "spans", "gold", "found", "precision", "recall", "F1"],
    rows,
  };
}

function alarmTable(texts: readonly string[]): BenchTable {
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const { class: found } of findAll(text)) counts.set(found, (counts.get(found) ?? 0) + 1);
  const rows = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([found, count]) => [found, count, Number(((1_000 * count) / words).toFixed(3))]);
  return {
    title: `Alarms in ${texts.length} descriptions of tools and parameters, ${words} words; some are right: examples name towns, dates and domains`,
    columns: ["class", "alarms", "per 1,000 words"],
    rows,
  };
}

function speedTable(gold: readonly GoldText[], descriptions: readonly string[]): BenchTable {
  const texts = gold.map(({ text }) => text);
  const plain = "the list of open issues is sorted by date and returned in pages of fifty entries each. ";
  const rows = [
    ["texts full of names and addresses, one by one", toSpeed(texts)],
    ["the same, as one text", toSpeed([texts.join("\n")])],
    ["descriptions of tools", toSpeed(descriptions)],
    ["sentences without names, as one text", toSpeed([plain.repeat(10_000)])],
  ];
  return { title: "Speed, in processor time of one core", columns: ["text", "MB/s"], rows };
}

function toSpeed(texts: readonly string[]): number {
  const budgetMs = 1_000;
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  for (const text of texts) findAll(text);
  const start = process.cpuUsage();
  const spentMs = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  let rounds = 0;
  while (spentMs() < budgetMs) {
    for (const text of texts) findAll(text);
    rounds++;
  }
  return Number(((rounds * size) / 1_000 / spentMs()).toFixed(1));
}

async function loadDescriptions(dataDir: string): Promise<string[]> {
  const servers = (await readEval(dataDir, "toucan/full_schema_servers.jsonl")).trim().split("\n");
  const github = await readEval(dataDir, "github/github_tools.json");
  return [...servers, github].flatMap((json) => descriptionsIn(JSON.parse(json)));
}

function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "description" && typeof inner === "string" ? [inner] : descriptionsIn(inner),
  );
}
