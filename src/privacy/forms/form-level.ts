import type { Work } from "../../text/slices.ts";
import { buildAutomaton } from "./automaton.ts";
import { isMatch, type StreamEdges } from "./form-match.ts";
import type { FoundSpan } from "./found-spans.ts";
import { type FormEntry, type Pattern, RULES } from "./patterns.ts";
import { endOf, type SymbolStream } from "./symbol-stream.ts";

export type LevelPattern = Pattern & { readonly entry: number };

/** Patterns that were built together. */
export type FormLevel = {
  readonly patterns: readonly LevelPattern[];
  readonly states: number;
  readonly bytes: number;
  canBegin(first: number, second: number): boolean;
  scan(stream: SymbolStream, onEnd: (pattern: LevelPattern, at: number) => boolean): void;
};

/** Of one text of symbols there can be many: a family name. */
const MAX_SAME = 64;
/** A pattern's rows in the list, about. */
const PATTERN_BYTES = 72;

/** Whole values come before those of which it is some. */
export function* createFormLevel(patterns: readonly LevelPattern[]): Work<FormLevel> {
  const ranked = [
    ...patterns.filter(({ rules }) => !(rules & RULES.part)),
    ...patterns.filter(({ rules }) => rules & RULES.part),
  ];
  const automaton = yield* buildAutomaton(ranked.map(({ symbols }) => symbols));
  const { order } = automaton;

  return {
    patterns: ranked,
    states: automaton.stateCount,
    bytes: automaton.bytes + ranked.length * PATTERN_BYTES,
    canBegin: (first, second) => automaton.isDeep(automaton.step(automaton.step(0, first), second)),
    scan(stream, onEnd) {
      automaton.scan(stream.symbols, stream.length, (state, at) => {
        // The longest first; the others that end here lie within it.
        for (let end = automaton.longestEnd(state); end >= 0; end = automaton.nextEnd(end)) {
          const last = Math.min(automaton.lastPattern(end), automaton.firstPattern(end) + MAX_SAME);
          for (let place = automaton.firstPattern(end); place < last; place++) {
            const pattern = ranked[order[place] ?? 0];
            if (pattern !== undefined && onEnd(pattern, at)) return;
          }
        }
      });
    },
  };
}

/** What of a level's patterns is in a stream. */
export function scanPiece(
  level: FormLevel,
  stream: SymbolStream,
  edges: StreamEdges,
  entries: readonly (FormEntry | undefined)[],
  spans: FoundSpan[],
): void {
  level.scan(stream, ({ symbols, rules, gaps, entry: number }, last) => {
    const entry = entries[number];
    if (entry === undefined) return false;
    const first = last - symbols.length + 1;
    if (!isMatch({ rules, gaps, entry, first, last }, stream, edges)) return false;
    const start = stream.starts[first] ?? 0;
    const end = endOf(stream, last);
    // Those that lie within it are of no use any more.
    for (let before = spans.at(-1); before && isWithin(before, start, end); before = spans.at(-1))
      spans.pop();
    const before = spans.at(-1);
    // A value that overlaps itself is one row of it: in "aaaa…" each place would be another.
    if (before?.entry === number && start < before.end && end > before.end && before.start <= start)
      spans[spans.length - 1] = { ...before, end, rules: rules | RULES.part | RULES.repeated };
    else spans.push({ start, end, entry: number, rules });
    return true;
  });
}

function isWithin(span: FoundSpan, start: number, end: number): boolean {
  return span.start >= start && span.end <= end && span.end - span.start < end - start;
}
