import {
  isDay,
  isOneDigitRepeated,
  passesLuhn,
  passesMod11And10,
  passesVerhoeff,
  remainderOf,
  weightedSum,
} from "../checksums.ts";
import type { Grouped } from "../digit-groups.ts";
import { HINT } from "../hints.ts";
import type { Judged } from "../judged.ts";

type NumericId = {
  readonly rule: string;
  readonly length: number;
  /** Shapes in which it is written, beside bare digits. */
  readonly written?: RegExp;
  readonly check: (digits: string) => boolean;
  /** How sure the written shape is without a word that says what it is; none: that word is needed. */
  readonly byShape?: number;
  /** The same of bare digits. */
  readonly bare?: number;
};

const IDS: readonly NumericId[] = [
  {
    rule: "fr-nir",
    length: 15,
    written: /^1([ .-]?)2\1?2\1?(?:2\1?3\1?3|5\1?3|2\1?6|8)([ .-])2$|^13[ -]2$/,
    check: isNir,
    byShape: 0.96,
    bare: 0.92,
  },
  { rule: "br-cpf", length: 11, written: /^3\.3\.3-2$|^9-2$/, check: isCpf, byShape: 0.97 },
  {
    rule: "in-aadhaar",
    length: 12,
    written: /^4([ -])4\1[4]$/,
    check: (digits) => digits >= "2" && passesVerhoeff(digits) && !isPalindrome(digits),
    byShape: 0.85,
  },
  {
    rule: "ca-sin",
    length: 9,
    written: /^3([ -])3\1[3]$/,
    check: (digits) => !/^[08]/.test(digits) && passesLuhn(digits),
  },
  {
    rule: "au-tfn",
    length: 9,
    written: /^3([ -])3\1[3]$/,
    check: (digits) => weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  },
  {
    rule: "au-tfn",
    length: 8,
    written: /^2 3 3$/,
    check: (digits) => weightedSum(digits, [10, 7, 8, 4, 6, 3, 5, 1]) % 11 === 0,
  },
  { rule: "au-medicare", length: 10, written: /^4([ -])5\1[1]$/, check: isMedicare, byShape: 0.9 },
  { rule: "au-medicare", length: 11, written: /^4([ -])5\1[1][-/ ]1$/, check: isMedicare, byShape: 0.92 },
  { rule: "de-tax-id", length: 11, written: /^2 3 3 3$/, check: isGermanTaxId },
  { rule: "pl-pesel", length: 11, check: isPesel },
  {
    rule: "uk-nhs",
    length: 10,
    written: /^3([ -])3\1[4]$/,
    check: (digits) =>
      (11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[9]),
  },
  {
    rule: "nl-bsn",
    length: 9,

    check: (digits) => weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  {
    rule: "ch-ahv",
    length: 13,
    written: /^3\.4\.4\.2$/,
    check: (digits) =>
      digits.startsWith("756") && weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
    byShape: 0.97,
  },
  { rule: "cn-resident-id", length: 18, check: isChineseId, bare: 0.95 },
];

/** Ids that are digits alone, each with its checksum. */
export function judgeNumericId(
  { digits, shape }: Grouped,
  hint: number,
  isAlone: boolean,
): Judged | undefined {
  if (digits.length < 8 || isOneDigitRepeated(digits)) return undefined;
  const isBare = shape.length <= 2;
  for (const id of IDS) {
    if (id.length !== digits.length || !(isBare || id.written?.test(shape)) || !id.check(digits)) continue;
    const confidence = sureness(id, isBare, hint, isAlone);
    if (confidence > 0) return { class: "NATIONAL_ID", rule: id.rule, confidence };
  }
  return undefined;
}

function sureness(id: NumericId, isBare: boolean, hint: number, isAlone: boolean): number {
  if (hint === HINT.nationalId) return 0.97;
  // Its own rules come first.
  if (hint === HINT.ssn) return 0.91;
  if (isAlone) return (isBare ? id.bare : id.byShape) ?? 0.6;
  if (hint === HINT.other || hint === HINT.phone) return 0;
  return (isBare ? id.bare : id.byShape) ?? 0;
}

function isNir(digits: string): boolean {
  const month = Number(digits.slice(3, 5));
  if (!/^[12378]/.test(digits) || month === 0 || (month > 12 && month < 20) || digits.slice(5, 7) === "00")
    return false;
  return 97 - remainderOf(digits.slice(0, 13), 97) === Number(digits.slice(13));
}

function isCpf(digits: string): boolean {
  const checkOf = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    const rest = (weightedSum(digits, weights) * 10) % 11;
    return rest === 10 ? 0 : rest;
  };
  return checkOf(9) === Number(digits[9]) && checkOf(10) === Number(digits[10]);
}

function isMedicare(digits: string): boolean {
  return (
    /^[2-6]/.test(digits) &&
    weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]) &&
    digits[9] !== "0"
  );
}

/** Those that were given out repeat one digit, but examples do not always: no digit stands more than three times. */
function isGermanTaxId(digits: string): boolean {
  if (digits.startsWith("0") || !passesMod11And10(digits)) return false;
  const counts = new Array<number>(10).fill(0);
  for (const digit of digits.slice(0, 10)) counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1;
  return counts.every((count) => count <= 3);
}

/** The month tells the century. */
function isPesel(digits: string): boolean {
  const century = [1900, 2000, 2100, 2200, 1800][Math.floor(Number(digits.slice(2, 4)) / 20)] ?? 0;
  const month = Number(digits.slice(2, 4)) % 20;
  if (!isDay(century + Number(digits.slice(0, 2)), month, Number(digits.slice(4, 6)))) return false;
  return weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

function isChineseId(digits: string): boolean {
  return isChineseResident(digits.slice(0, 17), digits.slice(17));
}

/** ISO 7064 MOD 11-2, with the day of birth in the middle. */
export function isChineseResident(digits: string, check: string): boolean {
  const year = Number(digits.slice(6, 10));
  if (/^0/.test(digits) || year < 1850 || year > 2100) return false;
  if (!isDay(year, Number(digits.slice(10, 12)), Number(digits.slice(12, 14)))) return false;
  const sum = weightedSum(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return "10X98765432"[sum % 11] === check.toUpperCase();
}

function isPalindrome(digits: string): boolean {
  return [...digits].reverse().join("") === digits;
}
