import type { PiiFinding } from "../finding.ts";
import { type Context, hintAt } from "./context.ts";
import { HINT } from "./hints.ts";

const MAC =
  /(?<![\w:.-])(?:[\da-f]{2}([:-])[\da-f]{2}(?:\1[\da-f]{2}){4}|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4})(?![\w]|[:-]\w|\.\d)/gi;

export function findMacs(context: Context, findings: PiiFinding[]): void {
  MAC.lastIndex = 0;
  for (let match = MAC.exec(context.text); match !== null; match = MAC.exec(context.text)) {
    const [value] = match;
    const start = match.index;
    const end = start + value.length;
    // Everyone's, and nobody's.
    if (/^(?:ff.?)+$|^(?:00.?)+$/i.test(value)) continue;
    const isTold = hintAt(context, start, end) === HINT.mac;
    // Pairs of digits can be a time or a number in groups.
    const isPlain = /^[\d.-]+$/.test(value);
    if (isPlain && !isTold) continue;
    findings.push({ class: "MAC", start, end, rule: "mac", confidence: isTold ? 0.98 : 0.93 });
  }
}
