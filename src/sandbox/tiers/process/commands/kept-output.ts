import type { Readable } from "node:stream";
import type { KeptOutput } from "../../../machine/commands.ts";

/** Reads a command's output, keeps its beginning and counts the rest. */
export function keepOutput(
  stream: Readable,
  keptBytes: number,
  onRead: (bytes: number) => void,
): () => KeptOutput {
  const chunks: Buffer[] = [];
  let kept = 0;
  let cutBytes = 0;
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, keptBytes - kept);
    // A copy: a part would keep all of the chunk from being freed.
    if (part.length > 0) chunks.push(part.length === chunk.length ? chunk : Buffer.from(part));
    kept += part.length;
    cutBytes += chunk.length - part.length;
    onRead(chunk.length);
  });
  return () => ({ bytes: Buffer.concat(chunks), cutBytes });
}
