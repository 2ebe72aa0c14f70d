import { cutEnd } from "./fit.ts";
import { sliceStart, toVisibleLines } from "./safe-text.ts";
import type { TokenCounter } from "./tokens.ts";

export type ShownError = {
  readonly kind: string;
  readonly message: string;
  /** Both from 1. */
  readonly location?: { readonly line: number; readonly column: number };
  readonly hint?: string;
};

export type ShownCall = { readonly server: string; readonly tool: string; readonly ok: boolean };

const MAX_GROUPS = 12;
const MAX_LINE = 160;

/**
 * What went wrong, where, what to do, and which calls had been made by then: a program that failed half-way may have
 * changed things, and the next one must not do them again.
 */
export function toErrorText(
  error: ShownError,
  calls: readonly ShownCall[],
  code: string | undefined,
  budgetTokens: number,
  counter: TokenCounter,
): string {
  const hint = error.hint === undefined ? [] : [`hint: ${visible(error.hint)}`];
  const rest = [...excerpt(error, code), ...hint, ...callLines(calls)].join("\n");
  // A message may quote a whole result: what helps to go on comes after it and must not be pushed out.
  const restText = cutEnd(rest, budgetTokens / 2, counter);
  const spent = restText === "" ? 0 : counter.count(`\n${restText}`) + 1;
  const message = `error (${visible(error.kind)}): ${visible(error.message)}`;
  const head = cutEnd(message, Math.max(0, budgetTokens - spent), counter);
  return cutEnd(restText === "" ? head : `${head}\n${restText}`, budgetTokens, counter);
}

function excerpt(error: ShownError, code: string | undefined): string[] {
  const { location } = error;
  if (location === undefined) return [];
  const line = code?.split("\n")[location.line - 1];
  const place = `at line ${location.line}, column ${location.column}`;
  if (line === undefined) return [place];
  const start = Math.max(0, location.column - 1 - MAX_LINE / 2);
  const shown = line.slice(start, start + MAX_LINE);
  return [`${place}: ${start > 0 ? "…" : ""}${toVisibleLines(shown).trim()}`];
}

function callLines(calls: readonly ShownCall[]): string[] {
  if (calls.length === 0) return ["calls made before: none"];
  const groups: { call: ShownCall; times: number }[] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (
      last &&
      last.call.server === call.server &&
      last.call.tool === call.tool &&
      last.call.ok === call.ok
    ) {
      last.times++;
    } else {
      groups.push({ call, times: 1 });
    }
  }
  const shown = groups.slice(-MAX_GROUPS).map(({ call, times }) => {
    const name = `${sliceStart(call.server, 60)}.${sliceStart(call.tool, 60)}`;
    return `${visible(name)}${times > 1 ? ` ×${times}` : ""}${call.ok ? "" : " (failed)"}`;
  });
  const earlier = groups.length > MAX_GROUPS ? "… " : "";
  return [`calls made before: ${calls.length}: ${earlier}${shown.join(", ")}`];
}

function visible(text: string): string {
  // Cut first: a message can be as long as whatever a server sent.
  return toVisibleLines(sliceStart(text, 20_000));
}
