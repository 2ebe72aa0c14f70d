/** Calling codes of two digits (ITU E.164); 1 and 7 have one, all others three. */
const TWO_DIGITS = new Set(
  "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98".split(
    " ",
  ),
);
const SHORTEST = 7;

/** A phone number without what is dialled before it from elsewhere: its country's code, or the zero. Empty where too little is left. */
export function toNationalNumber(text: string): string {
  const digits = text.replace(/\(0\)/, "").replace(/[^\d+]/g, "");
  const international = /^(?:\+|00)([1-9]\d*)/.exec(digits)?.[1];
  const rest =
    international === undefined
      ? digits.replace(/^\+?0*/, "")
      : international.slice(codeLength(international));
  return rest.length < SHORTEST ? "" : rest;
}

function codeLength(digits: string): number {
  if (digits.startsWith("1") || digits.startsWith("7")) return 1;
  return TWO_DIGITS.has(digits.slice(0, 2)) ? 2 : 3;
}
