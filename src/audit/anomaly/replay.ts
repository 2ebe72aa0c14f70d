import type { AuditEvent } from "../event.ts";
import type { AuditReader, LoggedEvent } from "../reader.ts";
import type { Anomaly } from "./anomaly.ts";
import { createDetector, type DetectorOptions } from "./detector.ts";
import { DAY_MS } from "./usual.ts";

export type Replay = {
  /** What is found in it now. */
  readonly found: readonly Anomaly[];
  /** What was found while it happened. */
  readonly live: readonly LoggedEvent[];
  readonly events: number;
  /** How many events before it the baselines come from. */
  readonly learned: number;
  /** Events that could not be read whole, and were left out. */
  readonly unread: number;
};

export type ReplaySpan = { readonly from: number; readonly to?: number };

/** What is usual comes from so many days before. */
const LEARNED_DAYS = 42;

/** Takes events of the past through a detector of its own, as if they happened now. */
export async function replayAnomalies(
  reader: Pick<AuditReader, "scan">,
  { from, to }: ReplaySpan,
  options: DetectorOptions = {},
): Promise<Replay> {
  const detector = createDetector(options);
  const observe = toTolerant((event) => detector.observe(event));
  let learned = 0;
  for await (const events of reader.scan({ from: from - LEARNED_DAYS * DAY_MS, to: from }))
    for (const event of events) {
      observe.take(event);
      learned++;
    }
  const found: Anomaly[] = [];
  const live: LoggedEvent[] = [];
  let count = 0;
  for await (const events of reader.scan({ from, ...(to !== undefined && { to }) }))
    for (const event of events) {
      count++;
      if (event.action === "anomaly.found") live.push(event);
      found.push(...(observe.take(event) ?? []));
    }
  return { found, live, events: count, learned, unread: observe.unread() };
}

/** What comes from a database may lack anything: sealed, or written by somebody else. */
function toTolerant<Result>(take: (event: AuditEvent) => Result) {
  let unread = 0;
  return {
    unread: () => unread,
    take(event: AuditEvent): Result | undefined {
      try {
        return take(event);
      } catch {
        unread++;
        return undefined;
      }
    },
  };
}
