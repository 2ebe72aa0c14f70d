import { ACTIONS, classOf, type EventAction, type EventClass } from "../event.ts";
import type { LogRow, LogStore } from "../log/log-store.ts";

/** How many days events of a class are kept; those of a class that is not here, for ever. */
export type KeptDays = Readonly<Partial<Record<EventClass, number>>>;

/** What is taken out at a time: no reader and no writer waits long for it. */
export type ExpiredPiece = {
  readonly rows: readonly LogRow[];
  /** Sequences up to this one have been looked at. */
  readonly until: number;
  readonly isLast: boolean;
};

export type PieceLimits = {
  readonly events: number;
  readonly ranges: number;
  readonly bytes: number;
  /** How many sequences are looked through at a time. */
  readonly window: number;
};

export const PIECE_LIMITS: PieceLimits = {
  events: 5_000,
  ranges: 1_000,
  bytes: 32 * 1024 * 1024,
  window: 4_000,
};
const ROWS_AT_ONCE = 500;
const DAY_MS = 86_400_000;

type Cutoff = { readonly actions: readonly EventAction[]; readonly before: number };

/** Events that are older than their class is kept, from a sequence on. What the log says of itself is none of them. */
export async function findExpired(
  store: Pick<LogStore, "find" | "head" | "rows">,
  { days, now, after, limits = PIECE_LIMITS }: FindOptions,
): Promise<ExpiredPiece> {
  const cutoffs = toCutoffs(days, now);
  const end = (await store.head())?.sequence ?? 0;
  let from = after;
  if (cutoffs.length === 0) return { rows: [], until: end, isLast: true };
  while (from < end) {
    const until = Math.min(end, from + limits.window);
    const found = await findWithin(store, cutoffs, { after: from, until, limit: limits.events });
    const rows = cut(found.rows, limits);
    const last = rows.at(-1);
    if (last !== undefined) {
      const isCut = rows.length < found.rows.length || found.isCut;
      const reached = isCut ? last.sequence : until;
      return { rows, until: reached, isLast: reached >= end };
    }
    // Over a gap, however wide somebody made it.
    const [following] = await store.rows(until + 1, 1);
    if (following === undefined) break;
    from = Math.max(until, following.sequence - 1);
    // Others have something to do, too.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows: [], until: end, isLast: true };
}

type FindOptions = {
  readonly days: KeptDays;
  readonly now: number;
  readonly after: number;
  readonly limits?: PieceLimits | undefined;
};

async function findWithin(
  store: Pick<LogStore, "find">,
  cutoffs: readonly Cutoff[],
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<{ rows: LogRow[]; isCut: boolean }> {
  const rows: LogRow[] = [];
  let bound = until;
  for (const { actions, before } of cutoffs) {
    let [next, count]: [number | undefined, number] = [after, 0];
    while (next !== undefined && count < limit) {
      const page = await store.find(
        { actions, to: before },
        { limit: Math.min(ROWS_AT_ONCE, limit - count), after: next, until, order: "oldest" },
      );
      rows.push(...page.rows);
      count += page.rows.length;
      next = page.next;
    }
    // The others may have more before that: what stands after it comes with the next piece.
    if (next !== undefined) bound = Math.min(bound, next);
  }
  const within = rows.filter(({ sequence }) => sequence <= bound).sort((a, b) => a.sequence - b.sequence);
  return { rows: within, isCut: bound < until };
}

function cut(rows: readonly LogRow[], { events, ranges, bytes }: PieceLimits): LogRow[] {
  const piece: LogRow[] = [];
  let [rangeCount, byteCount, before] = [0, 0, Number.NaN];
  for (const row of rows) {
    if (row.sequence !== before + 1) rangeCount++;
    byteCount += row.body?.length ?? 0;
    const isFull = piece.length >= events || rangeCount > ranges || byteCount > bytes;
    if (isFull && piece.length > 0) break;
    piece.push(row);
    before = row.sequence;
  }
  return piece;
}

function toCutoffs(days: KeptDays, now: number): Cutoff[] {
  const byDays = new Map<number, EventAction[]>();
  for (const action of ACTIONS) {
    const kind = classOf(action);
    const kept = kind === "audit" ? undefined : days[kind];
    if (kept !== undefined) byDays.set(kept, [...(byDays.get(kept) ?? []), action]);
  }
  return [...byDays].map(([kept, actions]) => ({ actions, before: now - kept * DAY_MS }));
}

/** Without gaps, each. */
export function toRanges(rows: readonly Pick<LogRow, "sequence">[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const { sequence } of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === sequence) last[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}
