import { randomBytes } from "node:crypto";

const TIME_DIGITS = 9;
const COUNT_DIGITS = 5;
const MAX_COUNT = 36 ** COUNT_DIGITS;
/** Of this process, and this thread of it. */
const MAKER = BigInt(`0x${randomBytes(8).toString("hex")}`)
  .toString(36)
  .padStart(13, "0");

let time = 0;
let prefix = "";
let count = 0;

/**
 * `e_`, the time, a number and who made it: those of one process sort as they were made, those of several by their time. No
 * random bytes for each: a number is enough beside the maker's name.
 */
export function toEventId(now: number): string {
  // A clock that is set back does not make ids twice.
  if (now > time || count >= MAX_COUNT) {
    time = Math.max(now, time + (count >= MAX_COUNT ? 1 : 0));
    prefix = `e_${time.toString(36).padStart(TIME_DIGITS, "0")}`;
    count = 0;
  }
  const digits = (count++).toString(36);
  return `${prefix}${ZEROS[COUNT_DIGITS - digits.length]}${digits}${MAKER}`;
}

const ZEROS = Array.from({ length: COUNT_DIGITS + 1 }, (_, length) => "0".repeat(length));
