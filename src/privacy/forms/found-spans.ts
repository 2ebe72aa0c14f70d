/** Where a pattern of a value was found. */
export type FoundSpan = {
  readonly start: number;
  readonly end: number;
  /** The number of the value. */
  readonly entry: number;
  readonly rules: number;
};

type Resolvable = { readonly start: number; readonly end: number; readonly isPart: boolean };

/** The leftmost, and of those the longest. What another covers goes; of what reaches beyond another the end stays. */
export function resolveSpans<Span extends Resolvable>(
  spans: readonly Span[],
  toEnd: (span: Span, start: number, end: number) => Span,
): Span[] {
  const sorted = [...spans].sort(
    (a, b) => a.start - b.start || b.end - a.end || Number(a.isPart) - Number(b.isPart),
  );
  const resolved: Span[] = [];
  let after = 0;
  for (const span of sorted) {
    if (span.end <= after) continue;
    resolved.push(span.start < after ? toEnd(span, after, span.end) : span);
    after = span.end;
  }
  return resolved;
}
