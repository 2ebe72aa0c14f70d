import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const AGE = /^(\d{1,6})([smhdw])$/;
const DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Of a span of time, which end is meant: a day begins it as its first moment, and ends it as its last. */
export type TimeEdge = "from" | "to";

/**
 * A time as people write it, in milliseconds since 1970: ISO, a day or a month of the local calendar, `today`, `yesterday`, `now`,
 * or how long ago it was (`30m`, `2h`, `7d`, `2w`). As the end of a span, the moment that is not in it any more.
 */
export function parseTime(written: string, edge: TimeEdge, now = Date.now()): number {
  const time = toTime(written.trim().toLowerCase().slice(0, 60), edge, now);
  if (time !== undefined && Number.isFinite(time) && time >= 0 && time <= LAST_TIME) return time;
  throw new KeyholeError("usage", `--${edge} can't be "${toExcerpt(written, 40)}"`, {
    hint: "Write 2026-11-02, 2026-11-02T14:30, today, yesterday, or how long ago: 30m, 2h, 7d, 2w",
  });
}

function toTime(text: string, edge: TimeEdge, now: number): number | undefined {
  if (text === "now") return now;
  const [, amount, unit = ""] = AGE.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (UNIT_MS[unit] ?? 0);
  const days = edge === "to" ? 1 : 0;
  if (text === "today") return dayStart(now, days);
  if (text === "yesterday") return dayStart(now, days - 1);
  if (MOMENT.test(text)) return Date.parse(text.replace(" ", "t").toUpperCase());
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  return day === undefined
    ? toLocal(Number(year), Number(month), 1, [days, 0])
    : toLocal(Number(year), Number(month), Number(day), [0, days]);
}

/** Days are not always 24 hours: the calendar counts them. */
function dayStart(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

function toLocal(
  year: number,
  month: number,
  day: number,
  [months, days]: readonly [number, number],
): number | undefined {
  const date = new Date(year, month - 1, day);
  // The 31st of February is no day.
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return new Date(year, month - 1 + months, day + days).getTime();
}
