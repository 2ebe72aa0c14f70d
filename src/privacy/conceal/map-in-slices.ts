import { isRecord } from "../../text/is-record.ts";
import type { Work } from "../../text/slices.ts";

/** So many items or members between two looks at the clock. */
const STRIDE = 64;

/** As `mapTexts`, in work that can be interrupted between texts. Nested no deeper than the host takes. */
export function* mapInSlices(
  value: unknown,
  change: (text: string, isKey: boolean) => Work<string>,
): Work<unknown> {
  if (typeof value === "string") return yield* change(value, false);
  if (isLongNumber(value)) return toNumberOr(value, yield* change(String(value), false));
  if (typeof value !== "object" || value === null) return value;
  let done = 0;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      items.push(yield* mapInSlices(item, change));
      if (++done % STRIDE === 0) yield;
    }
    yield;
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const changed: [string, unknown][] = [];
  let isSame = true;
  for (const [key, item] of entries) {
    const name: string = yield* change(key, true);
    const inside: unknown = yield* mapInSlices(item, change);
    if (name !== key || inside !== item) isSame = false;
    changed.push([name, inside]);
    if (++done % STRIDE === 0) yield;
  }
  return isSame ? value : Object.fromEntries(changed);
}

/** The same at once. A number that is a known value is a text afterwards. */
export function mapLeaves(value: unknown, change: (text: string, isKey: boolean) => string): unknown {
  if (typeof value === "string") return change(value, false);
  if (isLongNumber(value)) return toNumberOr(value, change(String(value), false));
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapLeaves(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [change(key, true), mapLeaves(item, change)] as const);
  const isSame = changed.every(
    ([key, item], index) => key === entries[index]?.[0] && item === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(changed);
}

/** Shorter ones are anything. */
const LEAST_DIGITS = 1e6;

function isLongNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) >= LEAST_DIGITS && Number.isSafeInteger(value);
}

function toNumberOr(value: number, shown: string): unknown {
  return shown === String(value) ? value : shown;
}

/** How much text there is in a value, counted no further than to the limit. */
export function isLargerThan(value: unknown, limit: number): boolean {
  let left = limit;
  const pending = [value];
  while (pending.length > 0 && left > 0) {
    const next = pending.pop();
    if (typeof next === "string") left -= next.length + 2;
    else if (Array.isArray(next)) {
      left -= next.length * 2;
      if (left > 0) for (const item of next) pending.push(item);
    } else if (isRecord(next)) {
      for (const key of Object.keys(next)) {
        left -= key.length + 4;
        pending.push(next[key]);
        if (left <= 0) break;
      }
    } else left -= 4;
  }
  return left <= 0;
}
