import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { KeyholeError } from "../../errors.ts";
import { TAR_END, tarPadding, toTarHeader } from "../archive/tar-header.ts";
import type { RootEntry, RootFiles } from "./root-files.ts";

const PIECE_BYTES = 1024 * 1024;

/** The same bytes for the same files, always: what a daemon says of them can be compared with what was sent. */
export function tarOf(files: Pick<RootFiles, "entries">): Readable {
  return Readable.from(toTar(files.entries), { objectMode: false });
}

async function* toTar(entries: readonly RootEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield toTarHeader(entry);
    if (entry.kind !== "file") continue;
    if (typeof entry.from === "string") yield* contentsOf(entry.from, entry.size);
    else yield Buffer.from(entry.from);
    yield tarPadding(entry.size);
  }
  yield TAR_END;
}

async function* contentsOf(path: string, size: number): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    let at = 0;
    while (at < size) {
      const length = Math.min(PIECE_BYTES, size - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw changed(path);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const changed = (path: string) =>
  new KeyholeError("file_conflict", `Cannot put a file into an image: it changed meanwhile: "${path}"`, {
    hint: "Run it again",
  });
