import { type CleanedProject, type CleanPlace, cleanProject } from "./clean-project.ts";

/** Cleans up while a gateway is there: once it has had time to answer, and then once an hour. */
export type Cleaner = {
  begin(): void;
  close(): Promise<void>;
};

/** Whoever has just started it wants an answer first. */
const FIRST_AFTER_MS = 15_000;
const EVERY_MS = 60 * 60 * 1000;

/** @param onCleaned told when something went */
export function createCleaner(place: CleanPlace, onCleaned: (cleaned: CleanedProject) => void): Cleaner {
  const closing = new AbortController();
  const isOn = place.isKept && place.config.config.clean?.enabled !== false;
  let timer: NodeJS.Timeout | undefined;
  let cleaning: Promise<void> = Promise.resolve();

  function later(ms: number): void {
    timer = setTimeout(() => {
      cleaning = cleanNow().finally(() => {
        if (!closing.signal.aborted) later(EVERY_MS);
      });
    }, ms).unref();
  }

  /** What can't be removed now can be in an hour. */
  async function cleanNow(): Promise<void> {
    try {
      const cleaned = await cleanProject(place, { signal: closing.signal });
      if (cleaned.removed.length > 0) onCleaned(cleaned);
    } catch {}
  }

  return {
    begin() {
      if (isOn && timer === undefined && !closing.signal.aborted) later(FIRST_AFTER_MS);
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await cleaning;
    },
  };
}
