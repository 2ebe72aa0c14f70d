import { Transform } from "node:stream";

/** Hands bytes on, and each piece's length to whoever counts; what that throws ends the stream. */
export function createByteMeter(count: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error("Not counted"));
      }
    },
  });
}
