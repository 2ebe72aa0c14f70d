import {
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../../store/error-code.ts";
import { MAX_SILENCE_MS, toSpoolFile, toSpoolName } from "./spool-name.ts";

/** The files to which this process alone appends, one after the other. A line is in one of them as a whole, or it is the torn end of one. */
export type SpoolFile = {
  /** Makes the file where there is none yet. */
  open(now: number): void;
  /**
   * Appends whole lines. Tells how many bytes of them are written, up to the end of a line: fewer than given means that
   * `failure` stands against the rest.
   */
  append(
    lines: Uint8Array,
    length: number,
    now: number,
  ): { readonly written: number; readonly failure?: unknown };
  /** Nothing more comes: whoever has taken all of it may remove it. An empty one goes at once. */
  close(): void;
};

/** So that what is taken can be removed while the process lives. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | (constants.O_NOFOLLOW ?? 0);

type Open = { readonly fd: number; readonly path: string; bytes: number; usedAt: number };

export function createSpoolFile(folder: string, { maxBytes = MAX_FILE_BYTES } = {}): SpoolFile {
  let current: Open | undefined;

  function open(now: number): Open {
    if (current !== undefined) {
      if (current.bytes < maxBytes && now - current.usedAt < MAX_SILENCE_MS) return current;
      finish();
    }
    const path = join(folder, toSpoolFile(toSpoolName(now)));
    current = { fd: create(path), path, bytes: 0, usedAt: now };
    return current;
  }

  function finish(): void {
    if (current === undefined) return;
    const { fd, path, bytes } = current;
    current = undefined;
    try {
      if (bytes === 0) unlinkSync(path);
      else fchmodSync(fd, 0o400);
    } catch {
      // Then it is finished when this process is gone.
    } finally {
      closeSync(fd);
    }
  }

  return {
    open: (now) => void open(now),
    append(lines, length, now) {
      let file: Open;
      try {
        file = open(now);
      } catch (failure) {
        return { written: 0, failure };
      }
      let written = 0;
      try {
        while (written < length) written += writeSync(file.fd, lines, written, length - written);
        file.bytes += written;
        file.usedAt = now;
        return { written };
      } catch (failure) {
        const whole = lines.lastIndexOf(NEWLINE, written - 1) + 1;
        const kept = written === 0 ? 0 : whole;
        file.bytes += kept;
        if (written > kept && !isCutBack(file)) finish();
        return { written: kept, failure };
      }
    },
    close: finish,
  };
}

/** Half a line is taken back; where that can't be done, it is the end of its file. */
function isCutBack({ fd, bytes }: Open): boolean {
  try {
    ftruncateSync(fd, bytes);
    return true;
  } catch {
    return false;
  }
}

function create(path: string): number {
  try {
    return openSync(path, FLAGS, 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeFolder(dirname(path));
    return openSync(path, FLAGS, 0o600);
  }
}

/** One by one, as `makeFolders` does: each is tried once more after those above it, and not again. */
function makeFolder(dir: string, isLast = false): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    const above = dirname(dir);
    if (isLast || !hasCode(error, "ENOENT") || above === dir) throw error;
    makeFolder(above);
    makeFolder(dir, true);
  }
}
