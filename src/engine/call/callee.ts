import type { ToolRecord } from "../../catalog/tool.ts";
import type { Callee } from "../../result/call-log.ts";
import { isReading, verbOf } from "../../search/lexicon/verbs.ts";
import type { ToolMatch } from "./find-tool.ts";

/** Words that read, beyond those that search tells apart. */
const READS = new Set(
  "count compare preview summarize summarise analyze analyse calculate is has can tail head peek diff watch wait ping whoami".split(
    " ",
  ),
);
/** What follows one of these is a verb again: `get_or_create`, `find_and_replace`. */
const JOINS = new Set(["and", "or", "then"]);
const callees = new WeakMap<ToolRecord, Callee>();

/** A tool as a failed program's answer names it. */
export function toCallee({ server, tool }: ToolMatch): Callee {
  const known = callees.get(tool);
  if (known !== undefined) return known;
  const callee = {
    name: `${server.identifiers.typescript}.${tool.identifiers.typescript}`,
    isRead: isRead(tool),
  };
  callees.set(tool, callee);
  return callee;
}

/**
 * By its annotation where that is believed, else by the first verb in its name. What can't be told counts as a write:
 * to name one call too many does no harm.
 */
export function isRead({ name, annotations, trusted }: Pick<ToolRecord, "name" | "annotations" | "trusted">) {
  if (trusted && annotations.readOnly) return true;
  const words = toWords(name);
  const first = words.findIndex((word) => READS.has(word) || verbOf(word) !== undefined);
  if (first === -1) return false;
  const more = words.flatMap((word, at) => (at > first && JOINS.has(words[at - 1] ?? "") ? [word] : []));
  return [words[first] ?? "", ...more].every(reads) && !isCheckInOrOut(words, first);
}

function reads(word: string): boolean {
  const verb = verbOf(word);
  return verb === undefined ? READS.has(word) : isReading(verb);
}

function isCheckInOrOut(words: readonly string[], first: number): boolean {
  return words[first] === "check" && ["in", "out"].includes(words[first + 1] ?? "");
}

function toWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}
