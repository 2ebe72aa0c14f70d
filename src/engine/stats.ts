import { openStateDir } from "../store/state-dir.ts";
import { createJournal, type JournalEntry } from "./journal.ts";

export type Stats = {
  readonly runs: number;
  readonly failed: number;
  readonly calls: number;
  readonly tokens: {
    readonly seen: number;
    readonly kept: number;
    readonly direct: number;
    readonly savedPercent: number;
  };
  readonly runMs: Quantiles;
  readonly tools: readonly ToolStats[];
};

export type Quantiles = { readonly p50: number; readonly p95: number };

export type ToolStats = {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly ms: Quantiles;
};

export async function readStats(projectDir: string): Promise<Stats> {
  return toStats(await createJournal(await openStateDir(projectDir)).read());
}

/** All that was written down, added up. */
export function toStats(entries: readonly JournalEntry[]): Stats {
  const sum = (key: string) => entries.reduce((total, { receipt }) => total + numberAt(receipt, key), 0);
  const [seen, kept] = [sum("seenTokens"), sum("keptTokens")];
  const direct = sum("directTokens") - sum("catalogTokens") + catalogsOnce(entries);
  const byTool = new Map<string, { server: string; tool: string; ms: number[]; failed: number }>();
  for (const { server, tool, ms, ok } of entries.flatMap(({ calls }) => calls)) {
    const key = JSON.stringify([server, tool]);
    const known = byTool.get(key) ?? { server, tool, ms: [], failed: 0 };
    known.ms.push(ms);
    if (!ok) known.failed++;
    byTool.set(key, known);
  }
  const tools = [...byTool.values()].sort((a, b) => b.ms.length - a.ms.length);
  return {
    runs: entries.length,
    failed: entries.filter(({ ok }) => !ok).length,
    calls: tools.reduce((total, { ms }) => total + ms.length, 0),
    tokens: {
      seen,
      kept,
      direct,
      savedPercent: direct === 0 ? 0 : Math.round((1 - seen / direct) * 1000) / 10,
    },
    runMs: toQuantiles(entries.map(({ receipt }) => totalMs(receipt))),
    tools: tools.map(({ server, tool, ms, failed }) => ({
      server,
      tool,
      calls: ms.length,
      failed,
      ms: toQuantiles(ms),
    })),
  };
}

/** The direct way shows the catalogue once in each session, not for each run. */
function catalogsOnce(entries: readonly JournalEntry[]): number {
  const bySession = new Map<string, number>();
  for (const { session, receipt } of entries) {
    bySession.set(session, Math.max(bySession.get(session) ?? 0, numberAt(receipt, "catalogTokens")));
  }
  return [...bySession.values()].reduce((total, tokens) => total + tokens, 0);
}

function totalMs(receipt: JournalEntry["receipt"]): number {
  const phases = receipt["phasesMs"];
  if (typeof phases !== "object" || phases === null) return 0;
  return Object.values(phases).reduce((total: number, ms) => total + (typeof ms === "number" ? ms : 0), 0);
}

function numberAt(receipt: JournalEntry["receipt"], key: string): number {
  const value = receipt[key];
  return typeof value === "number" ? value : 0;
}

function toQuantiles(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return Math.round(value * 100) / 100;
  };
  return { p50: at(0.5), p95: at(0.95) };
}
