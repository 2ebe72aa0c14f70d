import type { LogFilter } from "../query/filter.ts";

/** From which events a figure comes. */
export type EventTrace = {
  readonly count: number;
  /** The first few of them. */
  readonly sample: readonly string[];
  /** `keyhole audit list` gives all of them by it. */
  readonly filter: LogFilter;
  /** What the filter can't say. */
  readonly note?: string;
};

export type FigureUnit = "events" | "distinct" | "values" | "tokens" | "bytes" | "ms" | "usd";

export type Figure = {
  readonly value: number;
  readonly unit: FigureUnit;
  /** Estimated within two percent, or the least that it can be: exact counts would have taken memory without bound. */
  readonly isAbout?: boolean;
  /** Some of the events that would tell are sealed, and their key is not here: it may be more. */
  readonly isPartial?: boolean;
  readonly events: EventTrace;
};

const SAMPLE_SIZE = 5;

/** Counts events, keeps the ids of the first few, and adds up what they say. */
export type Tally = { count: number; sum: number; readonly sample: string[] };

export function createTally(): Tally {
  return { count: 0, sum: 0, sample: [] };
}

export function tallyEvent(tally: Tally, id: string, amount = 1): void {
  tally.count++;
  tally.sum += amount;
  if (tally.sample.length < SAMPLE_SIZE) tally.sample.push(id);
}

export function toTrace({ count, sample }: Tally, filter: LogFilter, note?: string): EventTrace {
  return { count, sample: [...sample], filter, ...(note !== undefined && { note }) };
}

/** How many events. */
export function toEventCount(tally: Tally, filter: LogFilter, note?: string): Figure {
  return { value: tally.count, unit: "events", events: toTrace(tally, filter, note) };
}

/** What they add up to. */
export function toSum(tally: Tally, unit: FigureUnit, filter: LogFilter): Figure {
  return { value: tally.sum, unit, events: toTrace(tally, filter) };
}

/** What is written in an event may have been written by anybody. */
export function toAmount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
