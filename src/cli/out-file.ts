import { stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorMessage, KeyholeError } from "../errors.ts";
import { atomicWritePieces } from "../store/atomic-write.ts";
import { hasCode } from "../store/error-code.ts";
import { toExcerpt } from "../text/plain-text.ts";

const NOT_WRITABLE = [
  "ENOENT",
  "EACCES",
  "EPERM",
  "ENOSPC",
  "EROFS",
  "EISDIR",
  "ENOTDIR",
  "ENOTEMPTY",
  "EBUSY",
];

/** What an option names to be written to; nothing where that is standard output, as `-` is. */
export function toOutFile(written: unknown): string | undefined {
  return typeof written === "string" && written !== "-" ? resolve(written) : undefined;
}

/** For its owner alone, as a whole or not at all; into a pipe or a device as it comes. */
export async function writeOutFile(
  target: string,
  pieces: AsyncIterable<string> | Iterable<string | Uint8Array>,
  options: { beforeDone?(): Promise<void> } = {},
): Promise<void> {
  try {
    if (await isSpecial(target)) {
      await writeFile(target, pieces);
      await options.beforeDone?.();
    } else await atomicWritePieces(target, pieces, options);
  } catch (error) {
    if (!NOT_WRITABLE.some((code) => hasCode(error, code))) throw error;
    throw new KeyholeError(
      "file_conflict",
      // Behind the comma stands the name of a file that nobody knows.
      `Cannot write "${toExcerpt(target, 200)}": ${errorMessage(error).replace(/,.*$/s, "")}`,
      { hint: "Name a file in a folder that can be written to", cause: error },
    );
  }
}

async function isSpecial(target: string): Promise<boolean> {
  const found = await stat(target).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
