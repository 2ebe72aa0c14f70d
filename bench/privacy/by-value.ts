import type { Finding } from "../../src/privacy/detect/finding.ts";

/** What proves itself, in the simplest form: a stand-in for `src/privacy/detect/values` on texts that hold one or two values. */
const RULES: readonly (readonly [Finding["class"], RegExp])[] = [
  ["EMAIL", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g],
  ["IP", /\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[\da-f]{1,4}:){4,7}[\da-f]{1,4}\b/gi],
  ["IBAN", /\b[a-z]{2}\d{2}[a-z\d]{11,30}\b/gi],
  ["SSN", /\b\d{3}-\d{2}-\d{4}\b/g],
  ["CREDIT_CARD", /\b\d{12,19}\b|\b(?:\d{4}[ -]){3}\d{4}\b/g],
  [
    "PHONE",
    /(?<![\w.-])(?:\+|\(|0)[\d() .-]{6,20}\d(?:x\d{1,5})?\b|(?<![\w.-])\d{3}[-. ]\d{3}[-. ]\d{3,4}(?:x\d{1,5})?\b|(?<=(?:phone|call me at|messages to|fax|mobile|desk)\W{1,3})[\d(+][\d() .-]{5,18}\d(?:x\d{1,5})?/gi,
  ],
];

export function findByValue(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [found, rule] of RULES)
    for (const match of text.matchAll(rule)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (findings.some((other) => start < other.end && other.start < end)) continue;
      if (
        found === "PHONE" &&
        /^0?\d{2,5} \d{1,5} |^\d{4}-\d\d-\d\d/.test(match[0]) &&
        !isPhoneLike(match[0])
      )
        continue;
      findings.push({ class: found, start, end, rule: "stand-in", confidence: 0.9 });
    }
  return findings;
}

function isPhoneLike(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "").length;
  return digits > 7 && !/^\d{4}-\d\d-\d\d/.test(text);
}
