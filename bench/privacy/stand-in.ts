import type { Finding } from "../../src/privacy/detect/finding.ts";
import type { FindText } from "../../src/privacy/detect/structure/json/json-finding.ts";
import { findMailAddresses } from "../../src/privacy/detect/structure/values/mail-addresses.ts";

const PHONE = /(?<![\w.-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\)|\d{3})[ .-]\d{3}[ .-]\d{4}(?![\w-])/g;

/** What shows itself, found in the simplest way, so that structure is measured without the other detectors. */
export const findByValue: FindText = (text) => {
  const findings: Finding[] = [];
  if (text.includes("@"))
    for (const span of findMailAddresses(text))
      if (/\.[a-z]{2,}$/i.test(text.slice(span.start, span.end)))
        findings.push({ class: "EMAIL", ...span, rule: "stand-in", confidence: 0.9 });
  if (/\d{3}[ .)-]/.test(text))
    for (const match of text.matchAll(PHONE))
      findings.push({
        class: "PHONE",
        start: match.index,
        end: match.index + match[0].length,
        rule: "stand-in",
        confidence: 0.8,
      });
  return findings;
};
