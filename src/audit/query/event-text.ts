import { isRecord } from "../../text/is-record.ts";

/** What stands under these keys is an id or a hash: nobody looks for a part of one. */
const WHOLE_KEYS: ReadonlySet<string> = new Set([
  "id",
  "session",
  "run",
  "call",
  "resumes",
  "approval",
  "approvals",
  "events",
  "hash",
  "archiveHash",
  "definition",
  "previous",
  "policy",
  "config",
  "content",
  "shape",
  "key",
  "sealed",
]);
const HASH = /^[0-9a-f]{32,}$/i;
/** What our own events have is far below it. */
const MAX_DEPTH = 12;

/**
 * Tells every text of an event, as it is written; `isWhole`: an id or a hash. Of the keys, only the names of classes of
 * personal values are texts.
 */
export function eachEventText(event: unknown, visit: (text: string, isWhole: boolean) => void): void {
  walk(event, "", 0, visit);
}

function walk(
  value: unknown,
  key: string,
  depth: number,
  visit: (text: string, isWhole: boolean) => void,
): void {
  if (typeof value === "string") {
    if (value !== "") visit(value, WHOLE_KEYS.has(key) || HASH.test(value));
    return;
  }
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) walk(item, key, depth + 1, visit);
  else if (isRecord(value))
    for (const [name, item] of Object.entries(value)) {
      if (key === "classes") visit(name, false);
      walk(item, name, depth + 1, visit);
    }
}

/** Whether a text stands in an event, in any case of letters; ids and hashes are compared as a whole. */
export function createTextMatch(text: string): (event: unknown) => boolean {
  const wanted = text.toLowerCase();
  return (event) => {
    let isFound = false;
    eachEventText(event, (found, isWhole) => {
      if (isFound || found.length < text.length / 3) return;
      const lower = found.toLowerCase();
      isFound = isWhole ? lower === wanted : lower.includes(wanted);
    });
    return isFound;
  };
}
