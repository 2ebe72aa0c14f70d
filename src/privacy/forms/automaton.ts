import type { Work } from "../../text/slices.ts";
import { BREAK, SYMBOLS } from "./symbols.ts";

/**
 * Finds any number of patterns in one pass (Aho and Corasick). A pattern is a text of symbols, one a unit. States are numbered
 * level by level, so that the children of one stand in a row: which of the 64 it has are bits, and counting those below one tells
 * its number. The first states, in which most of the time is spent, have whole rows.
 */
export type Automaton = {
  readonly stateCount: number;
  readonly bytes: number;
  /** From a state by a symbol. */
  step(state: number, symbol: number): number;
  /** Whether two symbols or more led to it. */
  isDeep(state: number): boolean;
  /** For each symbol of a row, the state after it, and tells of those in which patterns end. */
  scan(symbols: Uint8Array, length: number, onEnd: (state: number, at: number) => void): void;
  /** The state in which the longest pattern ends that ends in a state; -1 for none. */
  longestEnd(state: number): number;
  /** The same, for what is shorter. */
  nextEnd(state: number): number;
  /** The patterns that end in such a state are those in `order` from one place to another. */
  firstPattern(state: number): number;
  lastPattern(state: number): number;
  /** Numbers of patterns. */
  readonly order: Int32Array;
};

/** With 64 numbers each, they fit the second cache of a slow core. */
const FULL_STATES = 2_048;
/** What is built between two looks at the clock. */
const STRIDE = 2_048;

export function* buildAutomaton(patterns: readonly string[]): Work<Automaton> {
  const order = yield* sortPatterns(patterns);
  const most = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  let room = Math.min(most, 1_024);
  let first = new Int32Array(room);
  let low = new Int32Array(room);
  let high = new Int32Array(room);
  /** While it is built: the patterns that a state stands for. After that: those that end in it. */
  let from = new Int32Array(room);
  let to = new Int32Array(room);
  let stateCount = 1;
  to[0] = order.length;

  const grow = () => {
    room = Math.min(most, Math.ceil(room * 1.6) + SYMBOLS);
    first = resize(first, room);
    low = resize(low, room);
    high = resize(high, room);
    from = resize(from, room);
    to = resize(to, room);
  };

  let depth = 0;
  let levelEnd = 1;
  for (let state = 0; state < stateCount; state++) {
    if (state === levelEnd) {
      depth++;
      levelEnd = stateCount;
    }
    if (state % STRIDE === 0) yield;
    const end = to[state] ?? 0;
    let place = from[state] ?? 0;
    while (place < end && patterns[order[place] ?? 0]?.length === depth) place++;
    to[state] = place;
    first[state] = stateCount;
    while (place < end) {
      const symbol = patterns[order[place] ?? 0]?.charCodeAt(depth) ?? 0;
      let next = place + 1;
      while (next < end && patterns[order[next] ?? 0]?.charCodeAt(depth) === symbol) next++;
      if (stateCount === room) grow();
      from[stateCount] = place;
      to[stateCount] = next;
      stateCount++;
      if (symbol < 32) low[state] = (low[state] ?? 0) | (1 << symbol);
      else high[state] = (high[state] ?? 0) | (1 << (symbol - 32));
      place = next;
    }
  }
  return yield* connect({
    first: resize(first, stateCount),
    low: resize(low, stateCount),
    high: resize(high, stateCount),
    from: resize(from, stateCount),
    to: resize(to, stateCount),
    order,
    stateCount,
  });
}

function resize(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const resized = new Int32Array(length);
  resized.set(array.subarray(0, length));
  return resized;
}

type Tree = {
  readonly first: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly order: Int32Array;
  readonly stateCount: number;
};

/** Where to go on when a state has no child for a symbol: the longest end of what was read that begins a pattern. */
function* connect({ first, low, high, from, to, order, stateCount }: Tree): Work<Automaton> {
  const fail = new Int32Array(stateCount);
  /** The longest pattern that ends here, by its state. */
  const ends = new Int32Array(stateCount);
  const fullCount = Math.min(stateCount, FULL_STATES);
  const full = new Int32Array(fullCount * SYMBOLS);

  const child = (state: number, symbol: number): number => {
    if (symbol < 32) {
      const bits = low[state] ?? 0;
      return (bits >>> symbol) & 1 ? (first[state] ?? 0) + countBits(bits & ((1 << symbol) - 1)) : -1;
    }
    const bits = high[state] ?? 0;
    if (((bits >>> (symbol - 32)) & 1) === 0) return -1;
    return (first[state] ?? 0) + countBits(low[state] ?? 0) + countBits(bits & ((1 << (symbol - 32)) - 1));
  };
  const step = (state: number, symbol: number): number => {
    for (let at = state; ; at = fail[at] ?? 0) {
      if (at < fullCount) return full[at * SYMBOLS + symbol] ?? 0;
      const next = child(at, symbol);
      if (next >= 0) return next;
    }
  };

  ends[0] = -1;
  for (let state = 0; state < stateCount; state++) {
    if (state % STRIDE === 0) yield;
    const back = fail[state] ?? 0;
    if (state < fullCount) {
      for (let symbol = 1; symbol < SYMBOLS; symbol++) {
        const next = child(state, symbol);
        full[state * SYMBOLS + symbol] =
          next >= 0 ? next : state === 0 ? 0 : (full[back * SYMBOLS + symbol] ?? 0);
      }
    }
    if (state > 0) ends[state] = (to[state] ?? 0) > (from[state] ?? 0) ? state : (ends[back] ?? -1);
    let next = first[state] ?? 0;
    for (let bits = low[state] ?? 0; bits !== 0; bits &= bits - 1)
      fail[next++] = state === 0 ? 0 : step(back, 31 - Math.clz32(bits & -bits));
    for (let bits = high[state] ?? 0; bits !== 0; bits &= bits - 1)
      fail[next++] = state === 0 ? 0 : step(back, 63 - Math.clz32(bits & -bits));
  }

  return {
    stateCount,
    bytes: stateCount * 7 * 4 + full.byteLength + order.byteLength,
    step,
    isDeep: (state) => state > countBits(low[0] ?? 0) + countBits(high[0] ?? 0),
    scan(symbols, length, onEnd) {
      let state = 0;
      for (let at = 0; at < length; at++) {
        const symbol = symbols[at] ?? BREAK;
        if (state < fullCount) state = full[state * SYMBOLS + symbol] ?? 0;
        else {
          const bits = symbol < 32 ? (low[state] ?? 0) : 0;
          state =
            (bits >>> symbol) & 1
              ? (first[state] ?? 0) + countBits(bits & ((1 << symbol) - 1))
              : step(state, symbol);
        }
        if ((ends[state] ?? -1) >= 0) onEnd(state, at);
      }
    },
    longestEnd: (state) => ends[state] ?? -1,
    nextEnd: (state) => ends[fail[state] ?? 0] ?? -1,
    firstPattern: (state) => from[state] ?? 0,
    lastPattern: (state) => to[state] ?? 0,
    order,
  };
}

/** The shorter before those that it begins; the same in the order in which they came. One letter at a time, so that others get their turn. */
function* sortPatterns(patterns: readonly string[]): Work<Int32Array> {
  const buckets = new Map<number, number[]>();
  for (const [number, pattern] of patterns.entries()) {
    if (pattern === "") continue;
    const key = pattern.charCodeAt(0) * SYMBOLS + (pattern.charCodeAt(1) || 0);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [number]);
    else bucket.push(number);
    if (number % STRIDE === 0) yield;
  }
  const sorted = new Int32Array([...buckets.values()].reduce((sum, bucket) => sum + bucket.length, 0));
  let length = 0;
  for (const key of [...buckets.keys()].sort((a, b) => a - b)) {
    const bucket = buckets.get(key) ?? [];
    const named = bucket.sort((a, b) => compare(patterns[a] ?? "", patterns[b] ?? "") || a - b);
    sorted.set(named, length);
    length += named.length;
    yield;
  }
  return sorted;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
