import type { Work } from "../../text/slices.ts";
import { buildAutomaton } from "./automaton.ts";
import { isMatch, isWordEnd, type StreamEdges } from "./form-match.ts";
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
  /** Patterns that stand alone are not told of where no word ends. */
  scan(
    stream: SymbolStream,
    isEnd: (at: number) => boolean,
    onEnd: (pattern: SharedPattern, at: number) => boolean,
  ): void;
};

type SharedPattern = Pattern & { readonly entries: readonly number[] };

/** Those of one text of symbols that have to be looked at each. */
const MAX_SAME = 64;
/** What is done between two looks at the clock. */
const STRIDE = 1_024;
/** A pattern's rows in the lists, about. */
const PATTERN_BYTES = 96;

export function* createFormLevel(patterns: readonly LevelPattern[]): Work<FormLevel> {
  const shared = yield* sharePatterns(patterns);
  const automaton = yield* buildAutomaton(shared.map(({ symbols }) => symbols));
  const { order } = automaton;

  return {
    patterns,
    states: automaton.stateCount,
    bytes: automaton.bytes + patterns.length * PATTERN_BYTES,
    canBegin: (first, second) => automaton.isDeep(automaton.step(automaton.step(0, first), second)),
    scan(stream, isEnd, onEnd) {
      automaton.scan(stream.symbols, stream.length, (state, at) => {
        const isWordEnd = isEnd(at);
        // The longest first; the others that end here lie within it.
        for (let end = automaton.longestEnd(state); end >= 0; end = automaton.nextEnd(end)) {
          const last = Math.min(automaton.lastPattern(end), automaton.firstPattern(end) + MAX_SAME);
          for (let place = automaton.firstPattern(end); place < last; place++) {
            const pattern = shared[order[place] ?? 0];
            if (pattern === undefined || (pattern.rules & RULES.bounded && !isWordEnd)) continue;
            if (onEnd(pattern, at)) return;
          }
        }
      });
    },
  };
}

/** Values that are written in the same way and by the same rules are one pattern: a family name. Whole values come first. */
function* sharePatterns(patterns: readonly LevelPattern[]): Work<SharedPattern[]> {
  const shared = new Map<string, SharedPattern & { readonly entries: number[] }>();
  for (const { symbols, rules, gaps, entry } of patterns) {
    const own = rules & (RULES.exact | RULES.shared) ? entry : "";
    const key = `${symbols}\0${rules} ${gaps} ${own}`;
    const known = shared.get(key);
    if (known === undefined) shared.set(key, { symbols, rules, gaps, entries: [entry] });
    else known.entries.push(entry);
    if (shared.size % STRIDE === 0) yield;
  }
  const all = [...shared.values()];
  return [
    ...all.filter(({ rules }) => !(rules & RULES.part)),
    ...all.filter(({ rules }) => rules & RULES.part),
  ];
}

/** What of a level's patterns is in a stream. */
export function scanPiece(
  level: FormLevel,
  stream: SymbolStream,
  edges: StreamEdges,
  entries: readonly (FormEntry | undefined)[],
  spans: FoundSpan[],
): void {
  const isEnd = (at: number) => isWordEnd(at, stream, edges);
  level.scan(stream, isEnd, ({ symbols, rules, gaps, entries: numbers }, last) => {
    const number = numbers.find((one) => entries[one] !== undefined) ?? -1;
    const entry = entries[number];
    if (entry === undefined) return false;
    const first = last - symbols.length + 1;
    if (!isMatch({ rules, gaps, entry, first, last }, stream, edges)) return false;
    addSpan(spans, { start: stream.starts[first] ?? 0, end: endOf(stream, last), entry: number, rules });
    return true;
  });
}

function addSpan(spans: FoundSpan[], span: FoundSpan): void {
  const { start, end, entry, rules } = span;
  // Those that lie within it are of no use any more.
  for (let before = spans.at(-1); before && isWithin(before, start, end); before = spans.at(-1)) spans.pop();
  const before = spans.at(-1);
  // A value that overlaps itself is one row of it: in "aaaa…" each place would be another.
  if (before?.entry === entry && start < before.end && end > before.end && before.start <= start)
    spans[spans.length - 1] = { ...before, end, rules: rules | RULES.part | RULES.repeated };
  else spans.push(span);
}

function isWithin(span: FoundSpan, start: number, end: number): boolean {
  return span.start >= start && span.end <= end && span.end - span.start < end - start;
}
