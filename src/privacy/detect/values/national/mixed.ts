import { remainderOf } from "../checksums.ts";
import { HINT } from "../hints.ts";
import type { Judged } from "../judged.ts";
import { isChineseResident } from "./numeric.ts";

type MixedId = {
  readonly rule: string;
  readonly lengths: readonly number[];
  /** Of what the check is given, without spaces, hyphens and full stops, in capitals. */
  readonly form: RegExp;
  readonly check?: (value: string) => boolean;
  /** How sure it is as one word, and in its groups; none: a word that says what it is is needed. */
  readonly bare?: number;
  readonly grouped?: number;
};

const IDS: readonly MixedId[] = [
  {
    rule: "it-codice-fiscale",
    lengths: [16],
    form: /^[A-Z]{6}[\dL-V]{2}[A-EHLMPR-T][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]$/,
    check: isCodiceFiscale,
    bare: 0.97,
    grouped: 0.97,
  },
  { rule: "es-dni", lengths: [8, 9], form: /^\d{7,8}[A-HJ-NP-TV-Z]$/, check: isDni, bare: 0.8, grouped: 0.8 },
  {
    rule: "es-nie",
    lengths: [9],
    form: /^[XYZ]\d{7}[A-HJ-NP-TV-Z]$/,
    check: isDni,
    bare: 0.93,
    grouped: 0.93,
  },
  {
    rule: "uk-nino",
    lengths: [9],
    form: /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/,
    bare: 0.75,
    grouped: 0.92,
  },
  { rule: "in-pan", lengths: [10], form: /^[A-Z]{5}\d{4}[A-Z]$/ },
  { rule: "in-pan", lengths: [10], form: /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/, bare: 0.75 },
  { rule: "sg-nric", lengths: [9], form: /^[STFGM]\d{7}[A-Z]$/, check: isNric, bare: 0.85 },
  {
    rule: "us-mbi",
    lengths: [11],
    form: /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d[AC-HJKMNP-RT-Y]{2}\d\d$/,
    bare: 0.8,
    grouped: 0.92,
  },
  {
    rule: "mx-curp",
    lengths: [18],
    form: /^[A-Z][AEIOUX][A-Z]{2}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d$/,
    bare: 0.97,
  },
  {
    rule: "cn-resident-id",
    lengths: [18],
    form: /^\d{17}X$/,
    check: (value) => isChineseResident(value.slice(0, 17), "X"),
    bare: 0.97,
  },
  {
    rule: "fi-hetu",
    lengths: [10, 11],
    form: /^\d{6}[+A]?\d{3}[\dA-FHJ-NPR-Y]$/,
    check: isHetu,
  },
  {
    rule: "fr-nir",
    lengths: [15],
    form: /^[12378]\d{4}2[AB]\d{8}$/,
    check: (value) =>
      97 - remainderOf(value.slice(0, 13).replace("2A", "19").replace("2B", "18"), 97) ===
      Number(value.slice(13)),
    bare: 0.95,
    grouped: 0.96,
  },
];

const BY_LENGTH = Array.from({ length: 19 }, (_, length) =>
  IDS.filter(({ lengths }) => lengths.includes(length)),
);

/** Ids of letters and digits, by their form and their check characters. */
export function judgeMixedId(
  value: string,
  isGrouped: boolean,
  hint: number,
  isAlone: boolean,
): Judged | undefined {
  const ids = BY_LENGTH[value.length] ?? [];
  if (ids.length === 0) return undefined;
  const isTold = hint === HINT.nationalId || hint === HINT.ssn;
  // Codes in small letters are codes of something else, unless a word tells.
  const capitals = isTold || isAlone ? value.toUpperCase() : value;
  for (const id of ids) {
    if (!id.form.test(capitals) || id.check?.(capitals) === false) continue;
    const confidence = isTold ? 0.97 : hint === HINT.other ? 0 : ((isGrouped ? id.grouped : id.bare) ?? 0);
    if (confidence > 0) return { class: "NATIONAL_ID", rule: id.rule, confidence };
  }
  return undefined;
}

function isDni(value: string): boolean {
  const number = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] === value.at(-1);
}

const ODD = "1,0,5,7,9,13,15,17,19,21,2,4,18,20,11,3,6,8,12,14,16,10,22,25,24,23".split(",").map(Number);

/** Characters on odd places count by a table of the tax office, the others by their rank. */
function isCodiceFiscale(value: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const code = value.charCodeAt(index);
    const rank = code <= 57 ? code - 48 : code - 65;
    sum += index % 2 === 0 ? (ODD[rank] ?? 0) : rank;
  }
  return value.charCodeAt(15) === 65 + (sum % 26);
}

function isNric(value: string): boolean {
  const sum = [2, 7, 6, 5, 4, 3, 2].reduce(
    (total, weight, index) => total + weight * Number(value[index + 1]),
    0,
  );
  const check = (table: string, offset: number) => table[(sum + offset) % 11] === value[8];
  if (value[0] === "S") return check("JZIHGFEDCBA", 0);
  if (value[0] === "T") return check("JZIHGFEDCBA", 4);
  if (value[0] === "F") return check("XWUTRQPNMLK", 0);
  if (value[0] === "G") return check("XWUTRQPNMLK", 4);
  return "KLJNPQRTUWX"[10 - ((sum + 3) % 11)] === value[8];
}

function isHetu(value: string): boolean {
  const digits = value.replace(/[+A]/, "");
  if (digits.length !== 10) return false;
  return "0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(digits.slice(0, 9)) % 31] === digits[9];
}
