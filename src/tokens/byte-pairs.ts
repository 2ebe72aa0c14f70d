import { NO_RANK, type TokenTable } from "./token-table.ts";

/** Whole pieces that were counted before; words come again and again. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_CHARS = 130;

/** Counts the tokens of a text; stops once there are more than `limitTokens`, and then says a number above it. */
export type PairCounter = (text: string, limitTokens?: number) => number;

/** Byte pair encoding: of two neighbours, those whose union has the lowest rank are merged first. Only counts. */
export function createPairCounter({ split, rankOf }: TokenTable): PairCounter {
  const encoder = new TextEncoder();
  const known = new Map<string, number>();
  // One piece at a time is looked at. A character takes three bytes at most, for UTF-16's two halves together four.
  let bytes = new Uint8Array(1024);
  let next = new Int32Array(1025);
  let ranks = new Float64Array(1025);

  function countPiece(piece: string): number {
    if (piece.length * 3 > bytes.length) {
      bytes = new Uint8Array(piece.length * 3);
      next = new Int32Array(bytes.length + 1);
      ranks = new Float64Array(bytes.length + 1);
    }
    const length = encoder.encodeInto(piece, bytes).written;
    return rankOf(bytes, 0, length) === NO_RANK ? merge(length) : 1;
  }

  /** `next` leads from the start of each part to that of the following one; `ranks` is of a part with the following. */
  function merge(length: number): number {
    const rankAt = (start: number) => {
      const middle = next[start] ?? length;
      return middle >= length ? NO_RANK : rankOf(bytes, start, next[middle] ?? length);
    };
    for (let index = 0; index <= length; index++) next[index] = index + 1;
    for (let index = 0; index < length; index++) ranks[index] = rankAt(index);
    for (let parts = length; ; parts--) {
      let best = -1;
      let before = -1;
      let beforeBest = -1;
      let lowest = NO_RANK;
      for (let start = 0; start < length; start = next[start] ?? length) {
        const rank = ranks[start] ?? NO_RANK;
        if (rank < lowest) {
          lowest = rank;
          best = start;
          beforeBest = before;
        }
        before = start;
      }
      if (best === -1) return parts;
      next[best] = next[next[best] ?? length] ?? length;
      ranks[best] = rankAt(best);
      if (beforeBest !== -1) ranks[beforeBest] = rankAt(beforeBest);
    }
  }

  return (text, limitTokens = Number.POSITIVE_INFINITY) => {
    let tokens = 0;
    for (const [piece] of text.matchAll(split)) {
      const before = known.get(piece);
      const count = before ?? countPiece(piece);
      tokens += count;
      if (tokens > limitTokens) return tokens;
      if (before !== undefined || piece.length > MAX_KNOWN_CHARS) continue;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(piece, count);
    }
    return tokens;
  };
}
