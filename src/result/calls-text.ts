import type { TokenCounter } from "../tokens/tokens.ts";
import { type ShownArguments, toArgumentsText } from "./arguments-text.ts";
import type { CallOutcome, ShownCall } from "./call-log.ts";
import { cutEnd, findLargest } from "./fit.ts";
import { toCountText } from "./number-text.ts";
import { sliceStart, toVisibleLines } from "./safe-text.ts";

/** Calls in a row of one tool that ended alike. */
type Group = {
  readonly name: string;
  readonly outcome: CallOutcome;
  readonly written: ShownArguments[];
  times: number;
};

/** From the least that is told of writes to the most: groups, calls of a group, characters of the arguments of a call. */
const LEVELS = [
  { groups: 4, calls: 0, chars: 0 },
  { groups: 8, calls: 2, chars: 40 },
  { groups: 10, calls: 4, chars: 60 },
  { groups: 12, calls: 8, chars: 60 },
  { groups: 16, calls: 12, chars: 100 },
  { groups: 20, calls: 20, chars: 160 },
  { groups: 30, calls: 40, chars: 300 },
  { groups: 60, calls: 100, chars: 600 },
];
const MAX_READS = 12;
const MAX_NAME = 120;
const OUTCOMES: { readonly [outcome in CallOutcome]: string } = {
  done: "done",
  failed: "failed",
  unknown: "no answer, may have been done",
  unsent: "not made",
};

const READ_OUTCOMES: { readonly [outcome in CallOutcome]: string } = {
  done: "",
  failed: " (failed)",
  unknown: " (no answer)",
  unsent: " (not made)",
};

/**
 * The calls that were made before a program failed: those that may have changed something one by one, with what they were
 * called with, so that the next program goes on instead of doing them again; then the others by name.
 */
export function toCallsText(
  calls: readonly ShownCall[],
  budgetTokens: number,
  counter: TokenCounter,
): string {
  if (calls.length === 0) return "calls made before: none";
  const writes = toGroups(calls.filter(({ written }) => written !== undefined));
  const reads = calls.filter(({ written }) => written === undefined);
  const readLine = reads.length === 0 ? [] : [toReadLine(reads, writes.length > 0)];
  const render = (level: number) => [...toWriteLines(writes, level), ...readLine].join("\n");
  return (
    findLargest(LEVELS.length, render, budgetTokens, counter) ?? cutEnd(render(0), budgetTokens, counter)
  );
}

function toWriteLines(groups: readonly Group[], level: number): string[] {
  const detail = LEVELS[level];
  if (detail === undefined || groups.length === 0) return [];
  const { shown, omitted } = pickEnds(groups, detail.groups);
  const lines = shown.map((group) => {
    if (group === GAP) return `…${toCountText(omitted)} more in between…`;
    const times = group.times > 1 ? ` ×${toCountText(group.times)}` : "";
    const title = `${toName(group.name)}${times} ${OUTCOMES[group.outcome]}`;
    return detail.calls === 0 ? title : `${title}: ${toCallTexts(group.written, detail)}`;
  });
  return ["writes made before, in this order; do not repeat what is done:", ...lines];
}

function toCallTexts(written: readonly ShownArguments[], detail: { calls: number; chars: number }): string {
  const { shown, omitted } = pickEnds(written, detail.calls);
  const texts = shown.map((args) =>
    args === GAP ? `…${toCountText(omitted)} more…` : toArgumentsText(args, detail.chars),
  );
  return texts.join(", ");
}

const GAP = Symbol("left out");

/** The last are worth more than the first: that is where the program was. */
function pickEnds<Item>(items: readonly Item[], count: number) {
  const omitted = items.length - count;
  if (omitted <= 0) return { shown: items, omitted: 0 };
  const head = Math.floor(count / 2);
  return { shown: [...items.slice(0, head), GAP, ...items.slice(head - count)] as const, omitted };
}

function toReadLine(reads: readonly ShownCall[], areSomeWrites: boolean): string {
  const groups = toGroups(reads);
  const shown = groups.slice(-MAX_READS).map(({ name, times, outcome }) => {
    const count = times > 1 ? ` ×${toCountText(times)}` : "";
    return `${toName(name)}${count}${READ_OUTCOMES[outcome]}`;
  });
  const earlier = groups.length > MAX_READS ? "… " : "";
  const what = areSomeWrites ? "reads made before" : "calls made before, all of them reads";
  return `${what}: ${toCountText(reads.length)}: ${earlier}${shown.join(", ")}`;
}

function toGroups(calls: readonly ShownCall[]): Group[] {
  const groups: Group[] = [];
  for (const { name, outcome, written } of calls) {
    let last = groups.at(-1);
    if (last?.name !== name || last.outcome !== outcome) {
      last = { name, outcome, written: [], times: 0 };
      groups.push(last);
    }
    last.times++;
    if (written !== undefined) last.written.push(written);
  }
  return groups;
}

function toName(name: string): string {
  return toVisibleLines(sliceStart(name, MAX_NAME));
}
