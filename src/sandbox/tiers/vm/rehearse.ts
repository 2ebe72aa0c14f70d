import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { PONG_BYTES, renewFrame } from "../../renew-frame.ts";
import { SEED_BYTES } from "./machine-words.ts";

/**
 * Has a runner go the way of a program, for nothing, while none waits: in an emulated machine all that has been done once is faster,
 * and in a template all that has been loaded and compiled is there in every machine. What is random in it is its own from the first
 * time on.
 */
export async function rehearse(input: Writable, output: Readable, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    input.write(renewFrame(randomBytes(SEED_BYTES), true));
    await skip(output, PONG_BYTES);
  }
}

async function skip(output: Readable, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const read: unknown = output.read(left) ?? output.read();
    if (Buffer.isBuffer(read)) left -= read.length;
    else if (output.readableEnded || output.destroyed) throw new Error("The runner has ended");
    else await untilMore(output);
  }
}

function untilMore(output: Readable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off("readable", done).off("end", done).off("close", done);
      resolve();
    };
    output.on("readable", done).on("end", done).on("close", done);
  });
}
