import { appendFile, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../state/atomic-write.ts";
import type { RunResult } from "./engine.ts";

/** One line for each run: what it called, what it cost, how long it took. No code, no arguments, no results. */
export type JournalEntry = {
  readonly at: string;
  readonly runId: string;
  /** Runs that one model made in one go: the direct way would have shown it the catalogue once for all of them. */
  readonly session: string;
  readonly ok: boolean;
  readonly kind?: string;
  readonly calls: RunResult["calls"];
  /** As an earlier version may have written it. */
  readonly receipt: Readonly<Record<string, unknown>>;
};

export type Journal = {
  add(session: string, result: RunResult): Promise<void>;
  read(): Promise<JournalEntry[]>;
};

const MAX_BYTES = 8 * 1024 * 1024;

/** A line is appended in one write, so a kill can cut the last one short but never another; a cut line is passed over. */
export function createJournal(stateDir: string): Journal {
  const file = join(stateDir, "runs.jsonl");

  async function read(): Promise<JournalEntry[]> {
    const text = await readFile(file, "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => parseEntry(line) ?? []);
  }

  /** The older half goes when the file has grown too large. */
  async function shorten(): Promise<void> {
    if ((await stat(file)).size <= MAX_BYTES) return;
    const entries = await read();
    const kept = entries.slice(Math.floor(entries.length / 2));
    await atomicWrite(file, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
  }

  return {
    read,
    async add(session, { runId, ok, error, calls, receipt }) {
      const at = new Date().toISOString();
      const entry: JournalEntry = { at, runId, session, ok, kind: error?.kind, calls, receipt };
      try {
        await mkdir(stateDir, { recursive: true });
        await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
        await shorten();
      } catch {
        // Statistics that can't be kept must not cost the run its result.
      }
    },
  };
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== "object" || value === null) return false;
  return (
    "runId" in value &&
    "calls" in value &&
    Array.isArray(value.calls) &&
    "receipt" in value &&
    isObject(value.receipt)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
