import type { KeyholeConfig } from "../../config/schema.ts";
import type { JournalOptions } from "./journal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the configuration says of the journal. */
export function toJournalOptions({ journal }: KeyholeConfig): JournalOptions {
  if (!journal) return {};
  const { enabled, keepDays, maxSize, maxKeptSize, onFailure } = journal;
  const keepMs = keepDays && keepDays * DAY_MS;
  return { enabled, keepMs, maxBytes: maxSize, maxKeptBytes: maxKeptSize, onFailure };
}
