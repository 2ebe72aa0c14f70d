import { encodeFrame, FRAME } from "./host/protocol.ts";

/**
 * For a guest that is a copy of another: from here on what is random in it is its own. One that `rehearses` goes the way of a program
 * after that, for nothing, and answers with a pong at its end.
 */
export function renewFrame(seed: Uint8Array, rehearses: boolean): Buffer {
  return encodeFrame(FRAME.renew, rehearses ? 1 : 0, seed);
}

export const PONG_BYTES = encodeFrame(FRAME.pong, 0, "").length;
