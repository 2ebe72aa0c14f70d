import { differencesOf, type SaidOfTool } from "../../catalog/changes.ts";
import { toExcerpt } from "../../text/plain-text.ts";

const MAX_SHOWN = 6;
const MAX_COUNTED = 1_000;
const MAX_CHARS = 140;
/** What stands before the first difference, so that one can see where it is. */
const CONTEXT = 30;

/** `description was "…", is now "…"; …`: old and new from where they differ, and how many places more there are. */
export function describeDifferences(before: SaidOfTool, after: SaidOfTool): string | undefined {
  const found = differencesOf(before, after, MAX_COUNTED);
  if (found.length === 0) return undefined;
  const shown = found.slice(0, MAX_SHOWN).map((one) => {
    const [old, now] = fromDifference(toText(one.before), toText(one.after));
    return `${toExcerpt(one.path, 100)} was ${old}, is now ${now}`;
  });
  const more = found.length - shown.length;
  if (more > 0) shown.push(`and ${more}${found.length === MAX_COUNTED ? " or more" : ""} other differences`);
  return shown.join("; ");
}

function toText(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** A long text that differs near its end must not be shown as twice the same. */
function fromDifference(before: string, after: string): [before: string, after: string] {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const start = Math.max(0, at - CONTEXT);
  const cut = (text: string) => `${start > 0 ? "…" : ""}${toExcerpt(text.slice(start), MAX_CHARS)}`;
  return [cut(before), cut(after)];
}
