import type { Detector } from "../../audit/anomaly/detector.ts";
import type { AuditReader } from "../../audit/reader.ts";
import { createPace } from "../../text/slices.ts";

/** The last so many events say what is usual. */
const LEARNED_EVENTS = 20_000;
/** Read in one go, while others wait. */
const PAGE = 250;

/** Has a detector see what was written down before, in slices: others get their turn. */
export async function learnHistory(
  reader: AuditReader,
  detector: Pick<Detector, "observe">,
  { until, isOver }: { readonly until: number; readonly isOver: () => boolean },
): Promise<void> {
  const newest = await reader.find({}, { limit: 1, order: "newest" });
  const head = newest.events[0]?.sequence;
  const pace = createPace();
  let after = head === undefined ? undefined : Math.max(0, head - LEARNED_EVENTS);
  while (after !== undefined && !isOver()) {
    const { events, next } = await reader.find({ to: until }, { limit: PAGE, order: "oldest", after });
    for (const event of events) {
      try {
        detector.observe(event);
      } catch {
        // What can't be read whole says nothing of what is usual.
      }
      await pace();
    }
    after = next;
  }
}
