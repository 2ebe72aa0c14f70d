import type { DiskUse } from "./machine.ts";
import { type Survey, surveyFolders } from "./survey.ts";

/** Looking through folders costs more than reading counters: it is done when this much has been written since. */
const LOOK_AGAIN_BYTES = 4 * 1024 * 1024;
/** And after this time: a small file is written with few bytes, an empty one with none. */
const LOOK_AGAIN_MS = 500;
/** What takes long is done seldom: the host has other things to do. */
const PAUSE_BY_BYTES = 1;
const PAUSE_BY_TIME = 20;
/** So often something may be gone when it is its turn before that is taken for a trick. */
const MAX_MISSED_LOOKS = 3;

export type DiskWatch = {
  /** To be called again and again, with what the process has written so far where that is known. */
  note(writtenBytes: number | undefined): void;
};

export type WatchedDisk = {
  readonly dirs: readonly string[];
  /** From here on nothing else matters. */
  readonly maxBytes: number;
  /** So many times as long as a look took, there is none. */
  readonly pause?: number;
  /** Holds the process still for a moment, where that can be done. */
  setStopped(isStopped: boolean): void;
  onLook(use: DiskUse): void;
};

/** Measures what lies in folders of a machine whose files this process can see. */
export function watchDisk(watched: WatchedDisk): DiskWatch {
  const { dirs, maxBytes, pause = PAUSE_BY_TIME, setStopped, onLook } = watched;
  let first: number | undefined;
  let last = 0;
  let atLook = 0;
  let lookedAt = performance.now();
  let lookMs = 0;
  let missedLooks = 0;
  /** By the last look; nothing before the first. */
  let seenBytes = 0;
  let isLooking = false;

  function isTimeToLook(): boolean {
    const since = performance.now() - lookedAt;
    if (since > Math.max(LOOK_AGAIN_MS, lookMs * pause)) return true;
    return last - atLook > LOOK_AGAIN_BYTES && since > lookMs * PAUSE_BY_BYTES;
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const { bytes, entries, unmeasured, hasMissed } = await surveyWhileStill();
    seenBytes = bytes;
    lookedAt = performance.now();
    lookMs = lookedAt - startedAt;
    isLooking = false;
    missedLooks = hasMissed ? missedLooks + 1 : 0;
    const writtenBytes = last - (first ?? last);
    // Who renames folders all the time hides what is in them.
    const hides = missedLooks >= MAX_MISSED_LOOKS && writtenBytes > maxBytes;
    onLook({
      bytes: hides ? Math.max(bytes, writtenBytes) : bytes,
      entries,
      ...(unmeasured === undefined ? {} : { unmeasured }),
    });
  }

  /**
   * Who may be over the limit by what it has written is stopped while it is looked at: it could move what it wrote from where
   * nobody has looked yet to where somebody has.
   */
  async function surveyWhileStill(): Promise<Survey> {
    const mayBeOver = seenBytes + last - (first ?? last) > maxBytes;
    if (mayBeOver) setStopped(true);
    try {
      return await surveyFolders(dirs, maxBytes);
    } finally {
      if (mayBeOver) setStopped(false);
    }
  }

  return {
    note(writtenBytes) {
      if (writtenBytes !== undefined) {
        if (first === undefined) {
          first = writtenBytes;
          atLook = writtenBytes;
        }
        last = writtenBytes;
      }
      if (isLooking || !isTimeToLook()) return;
      isLooking = true;
      atLook = last;
      look().catch(() => {
        // The host has no open file left to look with. There is another look soon, and one after the run.
        lookedAt = performance.now();
        isLooking = false;
      });
    },
  };
}
