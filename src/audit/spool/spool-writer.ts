import type { KeyholeError } from "../../errors.ts";
import { toStoreError } from "../../store/database/store-error.ts";
import { createLineBuffer } from "./line-buffer.ts";
import { createSpoolFile } from "./spool-file.ts";

/** How much has been written to spools. */
export type SpoolTotals = { readonly events: number; readonly bytes: number };

/** What this process writes down: kept in memory until `flush`, in a file of its own from then on. */
export type SpoolWriter = {
  /** False where nothing more can be kept in memory, since nothing can be written. */
  add(line: string): boolean;
  /** Writes all that was added; it is in the file when this returns nothing, and what can't be written stays here. */
  flush(now: number): KeyholeError | undefined;
  /** Makes the file, so that it is known whether that can be done. */
  open(now: number): KeyholeError | undefined;
  /** Lines that are not in a file. */
  pending(): number;
  totals(): SpoolTotals;
  /** Nothing more is added to the file; a later `flush` begins another one. */
  finish(): void;
};

/** What is kept while nothing can be written. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

export function createSpoolWriter(
  folder: string,
  { maxPendingBytes = MAX_PENDING_BYTES, maxFileBytes }: SpoolLimits = {},
): SpoolWriter {
  const file = createSpoolFile(folder, maxFileBytes === undefined ? {} : { maxBytes: maxFileBytes });
  const buffer = createLineBuffer();
  let events = 0;
  let bytes = 0;

  return {
    add(line) {
      if (buffer.bytes() + line.length > maxPendingBytes) return false;
      buffer.add(line);
      return true;
    },
    flush(now) {
      const length = buffer.bytes();
      if (length === 0) return undefined;
      const lines = buffer.lines();
      const { written, failure } = file.append(buffer.content(), length, now);
      buffer.drop(written);
      bytes += written;
      events += lines - buffer.lines();
      return failure === undefined ? undefined : toStoreError(failure, folder);
    },
    open(now) {
      try {
        file.open(now);
        return undefined;
      } catch (error) {
        return toStoreError(error, folder);
      }
    },
    pending: buffer.lines,
    totals: () => ({ events, bytes }),
    finish: file.close,
  };
}

/** Smaller ones, for tests. */
export type SpoolLimits = { readonly maxPendingBytes?: number; readonly maxFileBytes?: number };
