import type { CopyPart } from "../machine/folder-copies.ts";
import { createSpool, type FileSpool } from "./spool.ts";

/** The spool is closed when the next one is asked for. */
export type WholeEntry =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly spool: FileSpool };

/** An archive says of a file how large it is before what is in it: so each is gathered first. */
export async function* wholeFiles(parts: AsyncIterable<CopyPart>): AsyncGenerator<WholeEntry> {
  let file: (WholeEntry & { kind: "file" }) | undefined;
  async function* finish(): AsyncGenerator<WholeEntry> {
    if (file) yield file;
    await file?.spool.close();
    file = undefined;
  }
  try {
    for await (const part of parts) {
      if (part.kind === "bytes") {
        await file?.spool.add(part.bytes);
        continue;
      }
      yield* finish();
      if (part.kind === "folder") yield { kind: "folder", path: part.path };
      if (part.kind === "file") file = { kind: "file", path: part.path, spool: createSpool() };
    }
    yield* finish();
  } finally {
    await file?.spool.close();
  }
}
