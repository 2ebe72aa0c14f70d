import type { AuditEvent } from "./event.ts";
import type { PageRequest } from "./log/log-store.ts";
import type { LogFilter } from "./query/filter.ts";

/** An event with its place in the chain. */
export type LoggedEvent = AuditEvent & { readonly sequence: number };

/** The log as those see it who ask: lists, reports, statistics. What is in spools is taken into it first. */
export type AuditReader = {
  find(
    filter: LogFilter,
    page: PageRequest,
  ): Promise<{ readonly events: readonly LoggedEvent[]; readonly next?: number }>;
  /** All of them, the oldest first, in pieces of a few thousand. */
  scan(filter: LogFilter): AsyncIterable<readonly LoggedEvent[]>;
};
