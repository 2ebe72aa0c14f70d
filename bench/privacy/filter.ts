import type { PiiClass } from "../../src/pii-classes.ts";
import { createFormIndex } from "../../src/privacy/forms/form-index.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

type FilterFigures = {
  readonly entries: number;
  /** By the time that this process had the processor, the best of several passes. */
  readonly mbPerSecond: number;
  /** Of a text in which one of 40 rows holds a value that is known. */
  readonly mbPerSecondWithMatches: number;
  readonly matches: number;
  readonly addMs: number;
  readonly buildMs: number;
  readonly states: number;
  readonly automatonMb: number;
  readonly heapMb: number;
};

const SIZES = [0, 1_000, 100_000] as const;
const PASSES = 5;
const LEAST_RATE = 10;
const ROWS = 30_000;
const ROWS_WITH_VALUES = 40;

/** What looking for every value of a vault in all its written forms costs, in JSON as tools give it. */
export async function measureFilter({ progress }: BenchOptions): Promise<BenchReport> {
  const figures = await figuresOf(progress);
  const slow = figures.filter(
    ({ mbPerSecond, mbPerSecondWithMatches }) => Math.min(mbPerSecond, mbPerSecondWithMatches) < LEAST_RATE,
  );
  return {
    tables: [
      {
        title: "The last filter: every value of a vault in all its written forms",
        columns: [
          "entries",
          "MB/s",
          "MB/s with values",
          "values found",
          "add ms",
          "build ms",
          "states",
          "automaton MB",
          "heap MB",
        ],
        rows: figures.map((each) => [
          each.entries,
          each.mbPerSecond,
          each.mbPerSecondWithMatches,
          each.matches,
          each.addMs,
          each.buildMs,
          each.states,
          each.automatonMb,
          each.heapMb,
        ]),
      },
    ],
    notes: [],
    misses: slow.map(({ entries, mbPerSecond }) => `filter, ${entries} entries: ${mbPerSecond} MB/s`),
  };
}

async function figuresOf(progress: (message: string) => void): Promise<FilterFigures[]> {
  const text = makeText([]);
  const figures: FilterFigures[] = [];
  for (const size of SIZES) {
    progress(`the filter, ${size} entries`);
    const entries = Array.from({ length: size }, (_, number) => makeEntry(number));
    const before = usedMb();
    const index = createFormIndex<Entry>();
    const addMs = await cpuMs(() => index.add(entries));
    const buildMs = await cpuMs(() => index.settle());
    const withValues = makeText(entries);
    const plain = await bestMs(() => index.find(text));
    const matching = await bestMs(() => index.find(withValues));
    const { states, bytes } = index.stats();
    figures.push({
      entries: size,
      mbPerSecond: round(text.length / 1_000 / plain),
      mbPerSecondWithMatches: round(withValues.length / 1_000 / matching),
      matches: index.find(withValues).matches.length,
      addMs: round(addMs),
      buildMs: round(buildMs),
      states,
      automatonMb: round(bytes / 1e6),
      heapMb: round(usedMb() - before),
    });
  }
  return figures;
}

type Entry = { readonly class: PiiClass; readonly value: string };

/** The same each time. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const SYLLABLES = "ka ro mi ta shi ven dor lu pe gra no bel tu ris wen zo fal mer qui ha jon bri sel".split(
  " ",
);
const WORDS =
  "the order was sent from our main office and will arrive within two days please keep this note for later delivery status item stock".split(
    " ",
  );

function makeEntry(number: number): Entry {
  const dice = createDice(number * 7_919 + 1);
  const word = (length: number) => Array.from({ length }, () => SYLLABLES[dice(SYLLABLES.length)]).join("");
  const name = (length: number) => word(length).replace(/^./, (letter) => letter.toUpperCase());
  const digits = (length: number) => Array.from({ length }, () => dice(10)).join("");
  switch (number % 5) {
    case 0:
      return { class: "EMAIL", value: `${word(2)}.${word(3)}${dice(100)}@${word(2)}.example` };
    case 1:
      return { class: "PHONE", value: `+1 ${digits(3)} ${digits(3)} ${digits(4)}` };
    case 2:
      return { class: "NAME", value: `${name(2)} ${name(3)}` };
    case 3:
      return { class: "CREDIT_CARD", value: `4${digits(15)}` };
    default:
      return { class: "ADDRESS", value: `${dice(9_999)} ${name(3)} Street, ${name(2)}` };
  }
}

function makeText(known: readonly Entry[]): string {
  const dice = createDice(17);
  const rows = Array.from({ length: ROWS }, (_, id) => ({
    id,
    order: `W${dice(1e9)}`,
    status: ["open", "closed", "pending"][dice(3)],
    price: dice(10_000) / 100,
    note: Array.from({ length: 14 }, () => WORDS[dice(WORDS.length)]).join(" "),
    sku: `${WORDS[dice(WORDS.length)]}-${dice(99_999)}`,
    ref: `${dice(1e9).toString(16)}-${dice(65_536).toString(16)}`,
    at: "2024-05-12T10:11:12Z",
    ...(known.length > 0 && id % ROWS_WITH_VALUES === 0 ? { to: known[dice(known.length)]?.value } : {}),
  }));
  return JSON.stringify(rows);
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function bestMs(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < PASSES; pass++) best = Math.min(best, await cpuMs(work));
  return best;
}

function usedMb(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
