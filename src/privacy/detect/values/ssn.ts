import type { Grouped } from "./digit-groups.ts";
import { HINT } from "./hints.ts";
import type { Judged } from "./judged.ts";

/** Printed in advertisements, and never given to anybody. */
const NEVER_GIVEN = new Set(["078051120", "219099999"]);

/** Forms that say too little where nothing else speaks for them. */
const LOOSE = /^(?:9|3([ .-])2\1[4]|3-6|5-4)$/;

/** Area, group and serial number have values that were never given out; there is no checksum. */
export function judgeSsn({ digits, shape }: Grouped, hint: number, isAlone: boolean): Judged | undefined {
  if (digits.length !== 9) return undefined;
  const area = digits.slice(0, 3);
  const isTold = hint === HINT.ssn;
  if (digits.slice(3, 5) === "00" || digits.slice(5) === "0000") return undefined;
  if (area >= "900") return judgeItin(digits, shape, hint, isAlone);
  if (area === "000" || area === "666" || NEVER_GIVEN.has(digits)) return undefined;
  const found = (rule: string, confidence: number): Judged => ({ class: "SSN", rule, confidence });
  if (shape === "3-2-4") return found("ssn", isTold ? 0.99 : hint === HINT.other ? 0.7 : 0.92);
  if (isTold) return LOOSE.test(shape) ? found("ssn-in-context", 0.95) : undefined;
  if (shape === "3 2 4" || shape === "3.2.4")
    return hint === HINT.other ? undefined : found("ssn-spaced", 0.65);
  if (isAlone && LOOSE.test(shape)) return found("ssn-alone", 0.5);
  return undefined;
}

/** Taxpayers without a social security number have one from the 900s. */
function judgeItin(digits: string, shape: string, hint: number, isAlone: boolean): Judged | undefined {
  const group = Number(digits.slice(3, 5));
  const isGiven =
    (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group !== 93);
  if (!isGiven) return undefined;
  const isTold = hint === HINT.ssn || hint === HINT.nationalId;
  const found = (confidence: number): Judged => ({ class: "NATIONAL_ID", rule: "us-itin", confidence });
  if (shape === "3-2-4") return found(isTold ? 0.97 : 0.85);
  if (isTold && LOOSE.test(shape)) return found(0.91);
  return isAlone && LOOSE.test(shape) ? found(0.5) : undefined;
}
