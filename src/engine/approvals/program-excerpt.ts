import type { PendingCall } from "../../policy/approvals/approval.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { toQuestionText } from "../../text/plain-text.ts";
import { splitLines } from "../../text/position.ts";

const AROUND = 3;
const HEAD_LINES = 12;
const MAX_LINES = 40;
const MAX_COLUMNS = 160;

/** The program where it calls these tools, as far as its text shows; else its head. With line numbers, a mark where a call is. */
export function toProgramExcerpt(
  code: string,
  calls: readonly Pick<PendingCall, "server" | "tool">[],
  facts: Pick<ProgramFacts, "tools" | "dynamic"> | undefined,
): string {
  const lines = splitLines(code);
  const names = new Set(calls.map(({ server, tool }) => JSON.stringify([server, tool])));
  const named = facts?.tools.filter(({ server, tool }) => names.has(JSON.stringify([server, tool]))) ?? [];
  // What a skill does stands in no line of the program's.
  const own = named.filter(({ skill }) => skill === undefined);
  const places = named.length > 0 ? own : (facts?.dynamic ?? []).filter(({ skill }) => skill === undefined);
  const called = [...own.flatMap(({ otherLines = [] }) => otherLines), ...places.map(({ line }) => line)];
  const marked = new Set(called.filter((line) => line <= lines.length));
  const shown =
    marked.size === 0
      ? lines.slice(0, HEAD_LINES).map((_, index) => index + 1)
      : lines.map((_, index) => index + 1).filter((line) => isNear(line, marked));
  const width = String(shown.at(-1) ?? 1).length;
  const printed = shown.slice(0, MAX_LINES).flatMap((line, index) => {
    const previous = shown[index - 1];
    const gap = previous !== undefined && line > previous + 1 ? ["  …"] : [];
    const mark = marked.has(line) ? ">" : " ";
    return [...gap, `${mark} ${String(line).padStart(width)}  ${toLine(lines[line - 1] ?? "")}`.trimEnd()];
  });
  const isCut = shown.length > MAX_LINES || (marked.size === 0 && lines.length > HEAD_LINES);
  return [...printed, ...(isCut ? [`  … of ${lines.length} lines`] : [])].join("\n");
}

function isNear(line: number, marked: ReadonlySet<number>): boolean {
  for (let near = line - AROUND; near <= line + AROUND; near++) if (marked.has(near)) return true;
  return false;
}

function toLine(text: string): string {
  const shown = toQuestionText(text.slice(0, MAX_COLUMNS + 1).replaceAll("\t", "  "));
  return text.length > MAX_COLUMNS ? `${shown.slice(0, MAX_COLUMNS)}…` : shown;
}
