import { rm } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../../store/atomic-write.ts";
import { readWhole } from "../../store/held-file.ts";
import { isRecord } from "../../text/is-record.ts";
import type { SequenceRange } from "../log/pruned-ranges.ts";

const FILE = "pruning.json";
const MAX_BYTES = 1024 * 1024;

/** What a process is about to take out of the log, and where the log ended before it said so there. */
export type PruningIntent = { readonly after: number; readonly ranges: readonly SequenceRange[] };

/** In the user's folder: whoever can write the log can't have more taken out of it by this. */
export function openIntent(logFolder: string) {
  const path = join(logFolder, FILE);
  return {
    async read(): Promise<PruningIntent | undefined> {
      const held = { path: logFolder, shown: logFolder, close: async () => {} };
      const bytes = await readWhole(held, FILE, MAX_BYTES);
      const value = parse(bytes?.toString("utf8"));
      if (!isRecord(value) || typeof value["after"] !== "number") return undefined;
      return { after: value["after"], ranges: toPrunedRanges(value["ranges"]) };
    },
    write: (intent: PruningIntent) =>
      atomicWrite(path, `${JSON.stringify(intent)}\n`, { mode: 0o600, durable: true }),
    clear: () => rm(path, { force: true }),
  };
}

function toPrunedRanges(value: unknown): SequenceRange[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((range: unknown): SequenceRange[] => {
    const [from, to] = Array.isArray(range) ? range : [];
    return Number.isSafeInteger(from) && Number.isSafeInteger(to) ? [[Number(from), Number(to)]] : [];
  });
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
