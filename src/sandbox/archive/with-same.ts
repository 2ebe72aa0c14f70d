import type { CopyPart } from "../machine/folder-copies.ts";
import { createSpool, type FileSpool } from "./spool.ts";

/** A file that is as it was given is only named: whoever else has changed it meanwhile keeps what they wrote. */
export async function* withSame(
  parts: AsyncIterable<CopyPart>,
  hashOf: (path: string) => string | undefined,
): AsyncGenerator<CopyPart> {
  let file: { readonly path: string; readonly spool: FileSpool } | undefined;
  async function* release(): AsyncGenerator<CopyPart> {
    if (!file) return;
    const { path, spool } = file;
    if (spool.hash() === hashOf(path)) yield { kind: "same", path };
    else {
      yield { kind: "file", path };
      for await (const bytes of spool.pieces()) yield { kind: "bytes", bytes };
    }
    await spool.close();
    file = undefined;
  }
  try {
    for await (const part of parts) {
      if (part.kind === "bytes") {
        if (file) await file.spool.add(part.bytes);
        else yield part;
        continue;
      }
      yield* release();
      if (part.kind === "file" && hashOf(part.path) !== undefined)
        file = { path: part.path, spool: createSpool() };
      else yield part;
    }
    yield* release();
  } finally {
    await file?.spool.close();
  }
}
