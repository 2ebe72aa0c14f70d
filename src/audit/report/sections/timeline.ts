import type { LoggedEvent } from "../../reader.ts";
import { createTally, type Tally, tallyEvent, toEventCount } from "../figure.ts";
import type { ReportChart, ReportPeriod, ReportTable } from "../report-document.ts";
import type { CountingScope } from "../section-counter.ts";
import { isMadeCall, isProgram, MADE_CALLS, MADE_NOT_OK, PROGRAMS } from "../what-counts.ts";

type Slot = {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly runs: Tally;
  readonly ok: Tally;
  readonly failed: Tally;
  readonly denied: Tally;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Calls over the period, in at most some thirty pieces, each a whole number of hours, days or months (UTC). */
export function createTimeline({ period, within }: CountingScope) {
  const { slots, unit } = toSlots(period);
  // Events come in the order of time, or nearly: the slot of the last one is looked at first.
  let last = 0;
  const find = (at: number) => {
    const near = slots[last];
    if (near && at >= near.from && at < near.to) return near;
    last = slots.findIndex(({ from, to }) => at >= from && at < to);
    return slots[Math.max(0, last)];
  };

  return {
    add(event: LoggedEvent): void {
      const { action, id } = event;
      if (!isMadeCall(event) && !isProgram(event) && action !== "call.denied") return;
      const slot = find(event.at);
      if (slot === undefined) return;
      if (action === "run.started") tallyEvent(slot.runs, id);
      else if (action === "call.denied") tallyEvent(slot.denied, id);
      else tallyEvent(event.outcome === "ok" ? slot.ok : slot.failed, id);
    },
    chart: (): ReportChart => ({
      title: `Calls per ${unit} (UTC)`,
      kind: "columns",
      parts: [
        { name: "made, ok", tone: "good" },
        { name: "made, not ok", tone: "warning" },
        { name: "denied", tone: "bad" },
      ],
      bars: slots.map(({ label, ok, failed, denied }) => ({
        label,
        values: [ok.count, failed.count, denied.count],
      })),
    }),
    table: (): ReportTable => {
      const busy = slots.filter(({ runs, ok, failed, denied }) =>
        [runs, ok, failed, denied].some(({ count }) => count > 0),
      );
      const idle = slots.length - busy.length;
      return {
        title: `By ${unit}`,
        columns: [
          { name: `${unit[0]?.toUpperCase()}${unit.slice(1)} (UTC)`, kind: "text" },
          { name: "Programs", kind: "number" },
          { name: "Calls ok", kind: "number" },
          { name: "Calls not ok", kind: "number" },
          { name: "Calls denied", kind: "number" },
        ],
        rows: busy.map(({ from, to, label, runs, ok, failed, denied }) => {
          const inSlot = { from, to };
          return {
            cells: [
              label,
              toEventCount(runs, within({ ...PROGRAMS, ...inSlot })),
              toEventCount(ok, within({ ...MADE_CALLS, ...inSlot, outcomes: ["ok"] })),
              toEventCount(failed, within({ ...MADE_CALLS, ...inSlot, outcomes: MADE_NOT_OK })),
              toEventCount(denied, within({ ...inSlot, actions: ["call.denied"] })),
            ],
          };
        }),
        ...(idle > 0 &&
          busy.length > 0 && { rest: `Nothing was done in the other ${idle} of ${slots.length}.` }),
        empty: "No program ran and no call was made.",
      };
    },
  };
}

function toSlots({ from, to }: ReportPeriod): { slots: readonly Slot[]; unit: string } {
  const length = to - from;
  if (length > 217 * DAY_MS) return toMonths(from, to);
  const [stepMs, unit]: [number, string] =
    length <= 2 * HOUR_MS
      ? [HOUR_MS / 12, "five minutes"]
      : length <= DAY_MS + HOUR_MS
        ? [HOUR_MS, "hour"]
        : length <= 31 * DAY_MS
          ? [DAY_MS, "day"]
          : [7 * DAY_MS, "week"];
  const slots: Slot[] = [];
  for (
    let at = Math.floor(from / Math.min(stepMs, DAY_MS)) * Math.min(stepMs, DAY_MS);
    at < to;
    at += stepMs
  ) {
    const iso = new Date(at).toISOString();
    const label =
      stepMs >= DAY_MS
        ? iso.slice(0, 10)
        : length > HOUR_MS && stepMs === HOUR_MS
          ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
          : iso.slice(11, 16);
    slots.push(createSlot(Math.max(at, from), Math.min(at + stepMs, to), label));
  }
  return { slots, unit };
}

/** Months, or as many together that there are not too many. */
function toMonths(from: number, to: number): { slots: readonly Slot[]; unit: string } {
  const start = new Date(from);
  const months = Math.ceil((to - from) / (30 * DAY_MS));
  const step = months <= 31 ? 1 : Math.ceil(months / 31 / 3) * 3;
  const slots: Slot[] = [];
  const first = step === 1 ? start.getUTCMonth() : Math.floor(start.getUTCMonth() / 3) * 3;
  for (let month = first; ; month += step) {
    const at = Date.UTC(start.getUTCFullYear(), month);
    if (at >= to) return { slots, unit: step === 1 ? "month" : `${step} months` };
    const until = Date.UTC(start.getUTCFullYear(), month + step);
    slots.push(createSlot(Math.max(at, from), Math.min(until, to), new Date(at).toISOString().slice(0, 7)));
  }
}

function createSlot(from: number, to: number, label: string): Slot {
  const [runs, ok, failed, denied] = [createTally(), createTally(), createTally(), createTally()];
  return { from, to, label, runs, ok, failed, denied };
}
