import type { LoggedEvent } from "../reader.ts";

/** Runs that began and have no end among the events that were seen: they go on, or their process was killed. */
export type OpenRuns = {
  /** In the order of the log. */
  see(event: Pick<LoggedEvent, "action" | "id" | "run">): void;
  readonly count: number;
};

/** What a log from elsewhere may have in it must not fill the memory. */
const MAX_OPEN = 20_000;

export function createOpenRuns(): OpenRuns {
  const open = new Set<string>();
  let more = 0;
  return {
    see({ action, id, run = id }) {
      if (action === "run.ended") open.delete(run);
      else if (action === "run.started") {
        if (open.size < MAX_OPEN || open.has(run)) open.add(run);
        else more++;
      }
    },
    get count() {
      return open.size + more;
    },
  };
}
