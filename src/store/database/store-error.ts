import { errorMessage, KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

/** Why the store can't be used, for those who can do something about it. */
export type StoreFault =
  | "locked"
  | "full"
  | "read_only"
  | "damaged"
  | "not_ours"
  | "newer"
  | "replaced"
  | "unopened"
  | "other";

export class StoreError extends KeyholeError {
  override readonly name: string = "StoreError";
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, hint: string, cause?: unknown) {
    super("store_unusable", message, { hint, cause });
    this.fault = fault;
  }
}

/** Another process has it for the moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.fault === "locked";
}

type Words = readonly [fault: StoreFault, what: string, hint: string];

const LOCKED: Words = ["locked", "is locked by another program", "Close what has it open for writing"];
const FULL: Words = ["full", "can't grow: the disk is full", "Make room on the disk"];
const READ_ONLY: Words = ["read_only", "can't be written to", "Make the folder writable for this user"];
const DAMAGED: Words = ["damaged", "is damaged", "Move it elsewhere: Keyhole makes a new one"];
const UNOPENED: Words = ["unopened", "can't be opened", "See that the folder is there, and writable"];
const FAILED: Words = ["other", "failed", "See that the disk works"];

/** The first byte of SQLite's result codes; the others say more than is needed here. */
const BY_RESULT_CODE: Readonly<Record<number, Words>> = {
  3: READ_ONLY,
  5: LOCKED,
  6: LOCKED,
  8: READ_ONLY,
  11: DAMAGED,
  13: FULL,
  14: UNOPENED,
  26: DAMAGED,
};

const BY_SYSTEM_CODE: Readonly<Record<string, Words>> = {
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

export function toStoreError(error: unknown, path: string): KeyholeError {
  if (error instanceof KeyholeError) return error;
  const [fault, what, hint] = findWords(error);
  const reason = fault === "other" || fault === "unopened" ? `: ${toExcerpt(errorMessage(error))}` : "";
  return new StoreError(fault, `The store "${shown(path)}" ${what}${reason}`, hint, error);
}

export function shown(path: string): string {
  return toExcerpt(path === "" ? "in memory" : path, 4_096);
}

function findWords(error: unknown): Words {
  if (!(error instanceof Error)) return FAILED;
  if ("rawCode" in error && typeof error.rawCode === "number")
    return BY_RESULT_CODE[error.rawCode & 0xff] ?? FAILED;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // The library tells neither code when it can't open a file.
  return BY_SYSTEM_CODE[code] ?? (code === "" ? UNOPENED : FAILED);
}
