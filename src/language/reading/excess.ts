import type { RefusedProgram } from "../../run-failure.ts";
import { MAX_MEMORY_BYTES, MAX_PREPARE_MS } from "./limits.ts";
import type { Why } from "./reader-process.ts";

/** Of the program's beginning; enough to see what it is made of. */
const LOOKED_AT = 64 * 1024;
const MANY = 1_000;
const LONG_LINE = 10_000;
const MAX_SHOWN = 30;

/** What the author of a program is told that could not be read within its limits. */
export function toExcess(why: Why, source: string): RefusedProgram {
  const what: { readonly [why in Why]: string } = {
    time: `it takes more than ${MAX_PREPARE_MS / 1000} seconds to read`,
    memory: `it takes more than ${MAX_MEMORY_BYTES / 1024 / 1024} MB of memory to read`,
    depth: "it is nested too deeply to be read",
    killed: "the process that reads it was ended, twice",
    broken: "it could not be read",
  };
  const seen = describe(source);
  const hint =
    "Send a shorter program: keep data in files in ./workspace, and write a loop where lines repeat";
  const message = `The program is too large: ${what[why]}${seen === "" ? "" : ` (${seen})`}`;
  return { kind: "too_large", message, hint };
}

/** What there is unusually much of in it. */
function describe(source: string): string {
  const text = source.slice(0, LOOKED_AT);
  const counts = new Map<string, number>();
  let longest = "";
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)) {
    if (word.length > longest.length) longest = word;
    if (word.length <= MAX_SHOWN) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [most = "", count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
  const line = text.split("\n").reduce((length, one) => Math.max(length, one.length), 0);
  const share = source.length / Math.max(1, text.length);
  const parts = [`${source.length.toLocaleString("en")} characters`];
  if (longest.length > LONG_LINE)
    parts.push(`a name or text of ${longest.length.toLocaleString("en")} or more`);
  else if (count > MANY)
    parts.push(`about ${(Math.round((count * share) / 100) * 100).toLocaleString("en")} times "${most}"`);
  if (line > LONG_LINE) parts.push("very long lines");
  return parts.join(", ");
}
