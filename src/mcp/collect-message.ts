import { createJsonScan, type JsonScan } from "./json-scan.ts";
import { RECEIVE_BUDGET, type Reservation } from "./receive-budget.ts";
import { type Excess, findExcess, type MessageLimits } from "./too-large.ts";

/** From here on a message is read off the main thread. The worst JSON of this size takes some 15 ms to parse. */
export const LARGE_BYTES = 256 * 1024;
/** Below it nothing can be too much. */
const SCANNED_FROM_BYTES = 2_048;
/** The rest of a message that is too large is passed over, so that the connection survives; up to this many times its limit. */
const PASSED_OVER = 4;

export type Collected =
  | { readonly kind: "small"; readonly bytes: Buffer }
  | { readonly kind: "large"; readonly bytes: Buffer; readonly scan: JsonScan; release(): void }
  | { readonly kind: "excess"; readonly excess: Excess; readonly scan: JsonScan };

/** One message as it comes in, in pieces. Pieces are joined once: joining at each would cost gigabytes of copying. */
export type MessageCollector = {
  /** When it returns a promise, nothing more may be added until that is kept. */
  add(piece: Buffer): Promise<void> | undefined;
  /** The message is there as a whole; the next one begins. */
  end(): Collected;
  /** Gives back what it holds. */
  drop(): void;
};

export type CollectorOptions = MessageLimits & {
  /** The message under way does not end within reason; nothing is read after this. */
  onEndless(excess: Excess, scan: JsonScan): void;
  /** It takes too long while others wait for room. */
  onOverdue(): void;
};

export function createMessageCollector(options: CollectorOptions): MessageCollector {
  const limits: MessageLimits = options;
  let pieces: Buffer[] = [];
  let bytes = 0;
  let scan: JsonScan | undefined;
  let reservation: Reservation | undefined;
  let excess: Excess | undefined;

  function clear(): void {
    pieces = [];
    bytes = 0;
    scan = undefined;
    reservation = undefined;
    excess = undefined;
  }

  function release(): void {
    reservation?.release();
    reservation = undefined;
  }

  function look(piece: Buffer): JsonScan {
    if (scan === undefined) {
      scan = createJsonScan();
      for (const earlier of pieces) scan.push(earlier);
    } else scan.push(piece);
    excess ??= findExcess({ bytes, values: scan.values, depth: scan.depth }, limits);
    return scan;
  }

  return {
    add(piece) {
      bytes += piece.length;
      if (excess === undefined) pieces.push(piece);
      if (bytes <= LARGE_BYTES && bytes <= limits.maxBytes) return undefined;
      const seen = look(piece);
      if (excess !== undefined) {
        pieces = [];
        release();
        if (bytes > PASSED_OVER * limits.maxBytes) options.onEndless(excess, seen);
        return undefined;
      }
      if (reservation !== undefined) return undefined;
      reservation = RECEIVE_BUDGET.reserve(limits.maxBytes, options.onOverdue);
      return reservation.granted;
    },
    end() {
      const [only] = pieces;
      const whole = pieces.length === 1 && only ? only : Buffer.concat(pieces);
      if (scan === undefined && whole.length > SCANNED_FROM_BYTES) look(whole);
      const collected = toCollected(whole, scan, excess, reservation);
      clear();
      return collected;
    },
    drop() {
      release();
      clear();
    },
  };
}

function toCollected(
  bytes: Buffer,
  scan: JsonScan | undefined,
  excess: Excess | undefined,
  reservation: Reservation | undefined,
): Collected {
  if (excess !== undefined && scan !== undefined) return { kind: "excess", excess, scan };
  if (scan === undefined || reservation === undefined) return { kind: "small", bytes };
  return { kind: "large", bytes, scan, release: () => reservation.release() };
}
