import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";

/** What a child was handed as a pipe, which leads both ways. */
export function channelOf(child: ChildProcess, fd: number): Duplex {
  const stream: unknown = [...child.stdio][fd];
  if (isDuplex(stream)) return stream;
  throw new TypeError("A child with pipes has none");
}

function isDuplex(stream: unknown): stream is Duplex {
  return typeof stream === "object" && stream !== null && "write" in stream && "read" in stream;
}
