import type { CopyPart } from "../machine/folder-copies.ts";
import { TAR_END, tarPadding, toTarHeader } from "./tar-header.ts";
import { wholeFiles } from "./whole-files.ts";

export type ArchiveOwner = { readonly uid: number; readonly fileMode: number; readonly folderMode: number };

export type ArchiveOptions = {
  readonly owner: ArchiveOwner;
  /** Told of each file, with the SHA-256 of what is in it. */
  onFile(path: string, hash: string): void;
};

/** An archive of a folder; nothing at all where nothing is in it. */
export async function* toArchive(
  parts: AsyncIterable<CopyPart>,
  { owner, onFile }: ArchiveOptions,
): AsyncGenerator<Buffer> {
  const { uid, fileMode, folderMode } = owner;
  const mtime = Math.floor(Date.now() / 1000);
  let isEmpty = true;
  for await (const entry of wholeFiles(parts)) {
    isEmpty = false;
    const { path, kind } = entry;
    if (kind === "folder") {
      yield toTarHeader({ kind, path, mode: folderMode, mtime, uid });
      continue;
    }
    const { spool } = entry;
    yield toTarHeader({ kind, path, mode: fileMode, size: spool.size, mtime, uid });
    yield* spool.pieces();
    yield tarPadding(spool.size);
    onFile(path, spool.hash());
  }
  if (!isEmpty) yield TAR_END;
}
