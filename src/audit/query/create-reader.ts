import type { LogRow, LogStore, PageRequest } from "../log/log-store.ts";
import type { DetailSeal } from "../log/sealed-details.ts";
import type { AuditReader, LoggedEvent } from "../reader.ts";
import type { BlockIndex, SequenceSpan } from "./blocks/block-index.ts";
import { createTextMatch } from "./event-text.ts";
import type { LogFilter } from "./filter.ts";
import { parseEvent } from "./parse-event.ts";
import { holdsWhere } from "./where.ts";

export type ReaderOptions = {
  readonly store: Pick<LogStore, "find" | "bodies">;
  /** Opens what is sealed (`sealed-details.ts`). */
  readonly open: DetailSeal["open"];
  /** Without one, rare events are looked for in all of the log. */
  readonly blocks?: Pick<BlockIndex, "spans"> | undefined;
  /** An event can't be read, or not all of it. */
  readonly onProblem?: (sequence: number, problem: string) => void;
};

const SCAN_EVENTS = 2_000;
/** Where single fields are compared, most rows are read for nothing. */
const WHERE_ROWS = 512;
const ANYWHERE: readonly SequenceSpan[] = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];
/** Columns that have an index of their own: few events have the same. */
const RARE = ["id", "run", "call", "session"] as const;

/** Answers from the log's tables: what is asked for is compared with the events themselves, whatever an index says. */
export function createAuditReader({ store, open, blocks, onProblem }: ReaderOptions): AuditReader {
  const read = ({ order, ...page }: PageRequest, filter: LogFilter) =>
    order === "oldest" && store.bodies ? store.bodies(filter, page) : store.find(filter, { ...page, order });

  async function* rowsOf(
    filter: LogFilter,
    page: PageRequest,
  ): AsyncGenerator<readonly Pick<LogRow, "sequence" | "body">[]> {
    const isRare = RARE.some((column) => filter[column] !== undefined);
    const spans = (isRare ? undefined : await blocks?.spans(filter)) ?? ANYWHERE;
    const limit = filter.where === undefined ? page.limit : Math.max(page.limit, WHERE_ROWS);
    for (const span of page.order === "newest" ? [...spans].reverse() : spans) {
      let range = toRange(span, page);
      while (range !== undefined) {
        const { rows, next } = await read({ ...range, limit, order: page.order }, filter);
        yield rows;
        range = next === undefined ? undefined : { ...range, after: next };
      }
    }
  }

  async function* eventsOf(filter: LogFilter, page: PageRequest): AsyncGenerator<readonly LoggedEvent[]> {
    const isMatch = filter.text === undefined ? () => true : createTextMatch(filter.text);
    for await (const rows of rowsOf(filter, page)) {
      const events: LoggedEvent[] = [];
      for (const { sequence, body } of rows) {
        if (body === undefined) continue;
        const { event, problem } = parseEvent(body, sequence, open);
        if (problem !== undefined) onProblem?.(sequence, problem);
        if (event !== undefined && isMatch(event) && holdsWhere(event, filter.where)) events.push(event);
      }
      yield events;
    }
  }

  return {
    async find(filter, page) {
      const found: LoggedEvent[] = [];
      // One more tells that there is more.
      for await (const events of eventsOf(filter, { ...page, limit: page.limit + 1 })) {
        found.push(...events);
        if (found.length > page.limit) break;
      }
      const events = found.slice(0, page.limit);
      const last = events.at(-1)?.sequence;
      return { events, ...(found.length > page.limit && last !== undefined && { next: last }) };
    },
    async *scan(filter) {
      for await (const events of eventsOf(filter, { limit: SCAN_EVENTS, order: "oldest" }))
        if (events.length > 0) yield events;
    },
  };
}

/** The part of a page that lies within a span; nothing where none does. */
function toRange(
  { first, last }: SequenceSpan,
  { after, until, order }: PageRequest,
): Pick<PageRequest, "after" | "until"> | undefined {
  if (order === "newest") {
    const from = Math.min(
      after ?? Number.MAX_SAFE_INTEGER,
      last === Number.MAX_SAFE_INTEGER ? last : last + 1,
    );
    const to = Math.max(until ?? 1, first);
    if (from <= to) return undefined;
    return { ...(from !== Number.MAX_SAFE_INTEGER && { after: from }), ...(to > 1 && { until: to }) };
  }
  const from = Math.max(after ?? 0, first - 1);
  const to = Math.min(until ?? Number.MAX_SAFE_INTEGER, last);
  if (from >= to) return undefined;
  return { ...(from > 0 && { after: from }), ...(to !== Number.MAX_SAFE_INTEGER && { until: to }) };
}
