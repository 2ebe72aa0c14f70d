import type { TextFinding } from "../detect/structure/json/json-finding.ts";

type Span = { readonly start: number; readonly end: number };

/**
 * What was found beside what is known in the same text: within a known value it is left to that, and where the two share some, the
 * finding takes in all of it, so that nothing of either is left over.
 */
export function withKnown<Finding extends TextFinding>(
  findings: readonly Finding[],
  known: readonly Span[],
): readonly Finding[] {
  if (known.length === 0 || findings.length === 0) return findings;
  const result: Finding[] = [];
  let end = 0;
  for (const finding of findings) {
    const over = known.filter((span) => span.start < finding.end && finding.start < span.end);
    if (over.some((span) => span.start <= finding.start && finding.end <= span.end && !isSame(span, finding)))
      continue;
    const start = Math.max(end, Math.min(finding.start, ...over.map((span) => span.start)));
    const last = Math.max(finding.end, ...over.map((span) => span.end));
    if (start >= last) continue;
    end = last;
    if (start === finding.start && last === finding.end) result.push(finding);
    else {
      // It is another text than what was read.
      const { value: _value, ...rest } = finding;
      result.push({ ...(rest as Finding), start, end: last });
    }
  }
  return result;
}

function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}
