import { KEPT_CLASSES } from "../../../../pii-classes.ts";
import type { TextFinding } from "../json/json-finding.ts";

const KEPT: ReadonlySet<string> = new Set(KEPT_CLASSES);

/**
 * Findings in the order of a text, none over another. The longer one holds what is in it; of two with the same letters the
 * surer holds; two that share some become one, so that nothing of either is left. What is shown anyway (a place, a date)
 * gives way to what is not: it must not be shown with a name in it.
 */
export function withoutOverlaps(findings: readonly TextFinding[]): readonly TextFinding[] {
  if (findings.length < 2) return findings;
  const sorted = [...findings].sort(
    (a, b) => a.start - b.start || b.end - a.end || b.confidence - a.confidence,
  );
  const kept: TextFinding[] = [];
  for (const finding of sorted) {
    const last = kept.at(-1);
    if (last === undefined || finding.start >= last.end) kept.push(finding);
    else if (finding.start === last.start && finding.end === last.end)
      kept[kept.length - 1] = { ...finding, ...last };
    else if (KEPT.has(last.class) !== KEPT.has(finding.class)) {
      if (KEPT.has(last.class)) kept[kept.length - 1] = finding;
    } else if (finding.end > last.end) kept[kept.length - 1] = joined(last, finding);
  }
  return kept;
}

function joined(first: TextFinding, second: TextFinding): TextFinding {
  const { class: name, rule, confidence } = second.confidence > first.confidence ? second : first;
  return { class: name, start: first.start, end: second.end, rule, confidence };
}
