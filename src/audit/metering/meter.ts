import type { TokenUse } from "../event.ts";
import { type Dollars, NO_DOLLARS, toDollars } from "./dollars.ts";
import type { Prices } from "./prices.ts";

/** By what the numbers are told apart. */
export const METER_GROUPINGS = ["day", "server", "tool", "principal", "model", "session"] as const;
export type MeterGrouping = (typeof METER_GROUPINGS)[number];

/** A run as it ended, or as it waits. */
export type MeteredRun = {
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly principal: string;
  readonly model?: string | undefined;
  readonly status: "done" | "failed" | "cancelled" | "waiting";
  /** Nothing where it was not counted. */
  readonly usage?: TokenUse | undefined;
};

export type MeteredCall = {
  readonly at: number;
  readonly session: string;
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  readonly ok: boolean;
  /** It was not made, then. */
  readonly isDenied?: true;
  readonly ms?: number | undefined;
  /** Of its arguments and its result; nothing where that was not written down. */
  readonly directTokens?: number | undefined;
};

export type MeterRow = {
  /** A day (UTC), a name or an id; what is beyond the largest number of groups is in one named "". */
  readonly key: string;
  readonly server?: string;
  readonly runs: number;
  /** Not among the runs: they wait for a person. */
  readonly waiting: number;
  readonly failed: number;
  /** Not among those that failed. */
  readonly cancelled: number;
  readonly calls: number;
  readonly failedCalls: number;
  /** Not among the calls: those are the ones that were made. */
  readonly deniedCalls: number;
  /** What calls took, added up. */
  readonly callMs: number;
  readonly tokens: MeterTokens;
  /** Of the runs whose model has a price. */
  readonly dollars?: Dollars;
};

export type MeterTokens = {
  readonly seen: number;
  readonly kept: number;
  /** For servers and tools: of their calls alone. */
  readonly direct: number;
};

export type Metering = {
  readonly by: MeterGrouping;
  readonly total: Omit<MeterRow, "key" | "server">;
  readonly groups: readonly MeterRow[];
  /** What the numbers leave out, or can't tell. */
  readonly left: {
    /** They wait for a person or go on: their tokens so far are in it, they are not among the runs. */
    readonly waitingRuns: number;
    readonly uncountedRuns: number;
    /** Calls whose tokens were not written down. */
    readonly uncountedCalls: number;
    readonly unpricedRuns: number;
    /** Of those, some that have a name. */
    readonly unpricedModels: readonly string[];
  };
  readonly pricesOf: string;
};

export type Meter = {
  /** In the order of time; a run that waited and went on is told again, as it ended. */
  addRun(run: MeteredRun): void;
  addCall(call: MeteredCall): void;
  result(): Metering;
};

export type MeterOptions = {
  readonly by: MeterGrouping;
  readonly prices: Prices;
  /** What is meant where the client told no model. */
  readonly model?: string | undefined;
};

/** What a log from elsewhere may have in it must not fill the memory. */
const MAX_GROUPS = 10_000;
const MAX_NAMES = 20;
const MAX_SESSIONS = 100_000;
const MAX_WAITING = 20_000;
const UNKNOWN = "unknown";

type Sums = {
  runs: number;
  waiting: number;
  failed: number;
  cancelled: number;
  calls: number;
  failedCalls: number;
  deniedCalls: number;
  callMs: number;
  seen: number;
  kept: number;
  direct: number;
  dollars: Dollars | undefined;
};

type Group = Sums & { readonly key: string; readonly server?: string };

/** Adds up what runs and calls cost and spared. The direct way shows the catalogue once in each session. */
export function createMeter({ by, prices, model: usual }: MeterOptions): Meter {
  const total = noSums();
  const groups = new Map<string, Group>();
  /** By session, the largest catalogue so far: what it grows by is told of the run that brought it. */
  const catalogs = new Map<string, number>();
  const waiting = new Map<string, MeteredRun>();
  const unpriced = new Set<string>();
  const left = { uncountedRuns: 0, uncountedCalls: 0, unpricedRuns: 0 };

  function groupOf(key: string, server?: string): Group {
    const name = server === undefined ? key : `${server}\u0000${key}`;
    const known = groups.get(name);
    if (known) return known;
    if (groups.size >= MAX_GROUPS && name !== "") return groupOf("");
    const group = { key, ...(server !== undefined && { server }), ...noSums() };
    groups.set(name, group);
    return group;
  }

  function toSums(key: string | undefined, server?: string): Sums[] {
    return key === undefined ? [total] : [total, groupOf(key, server)];
  }

  function count(run: MeteredRun): void {
    const { status, usage, session } = run;
    const isEnded = status !== "waiting";
    const model = run.model ?? usual;
    const sums = toSums(keyOfRun(run, model, by));
    for (const sum of sums) {
      if (isEnded) sum.runs++;
      else sum.waiting++;
      if (status === "failed") sum.failed++;
      if (status === "cancelled") sum.cancelled++;
    }
    if (usage === undefined) {
      left.uncountedRuns++;
      return;
    }
    const before = catalogs.get(session) ?? 0;
    const grown = Math.max(0, usage.catalogTokens - before);
    if (grown > 0) catalogs.set(session, usage.catalogTokens);
    if (catalogs.size > MAX_SESSIONS) catalogs.delete(firstOf(catalogs.keys()));
    const direct = usage.directTokens - usage.catalogTokens + grown;
    const price = model === undefined ? undefined : prices.priceOf(model, run.at);
    if (price === undefined) {
      left.unpricedRuns++;
      if (model !== undefined && unpriced.size < MAX_NAMES) unpriced.add(model);
    }
    for (const sum of sums) {
      sum.seen += usage.seenTokens;
      sum.kept += usage.keptTokens;
      sum.direct += direct;
      if (price)
        sum.dollars = toDollars(sum.dollars ?? NO_DOLLARS, { ...usage, directTokens: direct }, price);
    }
  }

  return {
    addRun(run) {
      const held = waiting.get(run.id);
      const whole = held === undefined ? run : withBefore(run, held);
      if (run.status === "waiting") {
        waiting.set(run.id, whole);
        if (waiting.size <= MAX_WAITING) return;
        const oldest = firstOf(waiting.values());
        waiting.delete(oldest.id);
        count(oldest);
      } else {
        waiting.delete(run.id);
        count(whole);
      }
    },
    addCall(call) {
      const { server, tool, ok, ms = 0, directTokens } = call;
      const isDenied = call.isDenied === true;
      if (directTokens === undefined && !isDenied) left.uncountedCalls++;
      const [all, ...own] =
        by === "server" || by === "tool"
          ? toSums(by === "server" ? server : tool, by === "tool" ? server : undefined)
          : toSums(by === "model" ? undefined : keyOfCall(call, by));
      // Runs have these in the whole already; of a tool there is nothing else.
      if (by === "server" || by === "tool") for (const sum of own) sum.direct += directTokens ?? 0;
      for (const sum of [all, ...own]) {
        if (sum === undefined) continue;
        if (isDenied) {
          sum.deniedCalls++;
          continue;
        }
        sum.calls++;
        if (!ok) sum.failedCalls++;
        sum.callMs += ms;
      }
    },
    result() {
      const open = [...waiting.values()];
      waiting.clear();
      for (const run of open) count(run);
      const rows = [...groups.values()].map((group) => toRow(group));
      return {
        by,
        total: toNumbers(total),
        groups: rows.sort(by === "day" ? byKey : byWeight),
        left: { waitingRuns: open.length, ...left, unpricedModels: [...unpriced] },
        pricesOf: prices.date,
      };
    },
  };
}

/** The one that has been there the longest; there is one. */
function firstOf<Item>(items: MapIterator<Item>): Item {
  for (const item of items) return item;
  throw new Error("Nothing is there");
}

/** What the model saw before it waited it saw as well; of the rest, the last receipt has all. */
function withBefore(run: MeteredRun, { usage: before }: MeteredRun): MeteredRun {
  const { usage } = run;
  if (before === undefined) return run;
  if (usage === undefined) return { ...run, usage: before };
  const seenTokens = usage.seenTokens + before.seenTokens;
  const isSplit = usage.codeTokens !== undefined && before.codeTokens !== undefined;
  const { codeTokens: _codeTokens, ...rest } = usage;
  return {
    ...run,
    usage: {
      ...rest,
      seenTokens,
      ...(isSplit && { codeTokens: (usage.codeTokens ?? 0) + (before.codeTokens ?? 0) }),
    },
  };
}

function keyOfRun(
  { at, session, principal }: MeteredRun,
  model: string | undefined,
  by: MeterGrouping,
): string | undefined {
  if (by === "day") return toDay(at);
  if (by === "session") return session;
  if (by === "principal") return principal;
  return by === "model" ? (model ?? UNKNOWN) : undefined;
}

function keyOfCall({ at, session, principal }: MeteredCall, by: MeterGrouping): string {
  if (by === "day") return toDay(at);
  return by === "session" ? session : principal;
}

/** UTC, as all times in the log. */
function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function noSums(): Sums {
  return {
    runs: 0,
    waiting: 0,
    failed: 0,
    cancelled: 0,
    calls: 0,
    failedCalls: 0,
    deniedCalls: 0,
    callMs: 0,
    seen: 0,
    kept: 0,
    direct: 0,
    dollars: undefined,
  };
}

function toRow(group: Group): MeterRow {
  const { key, server } = group;
  return { key, ...(server !== undefined && { server }), ...toNumbers(group) };
}

function toNumbers(sums: Sums) {
  const { runs, waiting, failed, cancelled, calls, failedCalls, deniedCalls, callMs, seen, kept } = sums;
  const { direct, dollars } = sums;
  return {
    runs,
    waiting,
    failed,
    cancelled,
    calls,
    failedCalls,
    deniedCalls,
    callMs: Math.round(callMs * 100) / 100,
    tokens: { seen, kept, direct },
    ...(dollars && { dollars }),
  };
}

function byKey(a: MeterRow, b: MeterRow): number {
  return compare(a.key, b.key);
}

/** What passed most tokens first, then what was called most. */
function byWeight(a: MeterRow, b: MeterRow): number {
  return (
    b.tokens.direct - a.tokens.direct ||
    b.calls - a.calls ||
    compare(a.server ?? "", b.server ?? "") ||
    compare(a.key, b.key)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
