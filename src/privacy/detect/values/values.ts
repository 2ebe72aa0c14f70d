import type { PiiFinding, Surroundings } from "../finding.ts";
import { findApiKeys, findWebhooks } from "./api-key.ts";
import { findBirthDates } from "./birth.ts";
import { findKeyedValue } from "./by-key.ts";
import { createContext, keyHint } from "./context.ts";
import { findEmails } from "./email.ts";
import { isPlainForm, TRAIT, traitsOf } from "./gate.ts";
import { HINT, hintsIn } from "./hints.ts";
import { findIpv4, findIpv6 } from "./ip.ts";
import { findJwts } from "./jwt.ts";
import { findMacs } from "./mac.ts";
import { findNumbers } from "./numbers.ts";
import { findNamedSecrets } from "./password.ts";
import { findPrivateKeys } from "./private-key.ts";
import { findUserInfo } from "./url.ts";

/**
 * The personal values in a text that prove themselves, or that a word or the key tells of. In order, and apart from each other.
 *
 * Without `surroundings` somebody asks what a text is: a number that stands alone may then be what its form allows, at 0.5.
 * With them, be they empty, it must have a better reason.
 */
export function findValues(text: string, surroundings?: Surroundings): PiiFinding[] {
  const traits = traitsOf(text);
  const key = surroundings === undefined ? 0 : keyHint(surroundings);
  if (traits === 0 && key !== HINT.password) return [];
  if ((key === 0 || key === HINT.other) && isPlainForm(text)) return [];
  const hints = key | (traits & TRAIT.named ? hintsIn(text) : 0);
  const context = createContext(text, key, hints, surroundings);
  const findings: PiiFinding[] = [];
  if (traits & TRAIT.at) {
    findEmails(context, findings);
    findUserInfo(context, findings);
  }
  if (traits & TRAIT.dashes) findPrivateKeys(context, findings);
  if (traits & TRAIT.long) {
    findJwts(context, findings);
    findApiKeys(context, findings);
    if (text.includes("hooks")) findWebhooks(context, findings);
  }
  if (traits & TRAIT.digits || (traits & TRAIT.fewDigits && hints & HINT.postal))
    findNumbers(context, findings);
  if (traits & TRAIT.quads) findIpv4(context, findings);
  if (traits & TRAIT.colons) findIpv6(context, findings);
  if (traits & TRAIT.hex) findMacs(context, findings);
  if (hints & HINT.birth && traits & TRAIT.digits) findBirthDates(context, findings);
  if (hints & (HINT.password | HINT.secret) && traits & TRAIT.named) findNamedSecrets(context, findings);
  if (key !== 0) findKeyedValue(context, findings);
  return findings.length > 1 ? apart(findings) : findings;
}

/** Where two overlap, the better proof wins, and of equal ones the longer. */
function apart(findings: PiiFinding[]): PiiFinding[] {
  findings.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: PiiFinding[] = [];
  for (const finding of findings) {
    const last = kept.at(-1);
    if (last === undefined || finding.start >= last.end) kept.push(finding);
    else if (isBetter(finding, last)) kept[kept.length - 1] = finding;
  }
  return kept;
}

function isBetter(a: PiiFinding, b: PiiFinding): boolean {
  if (a.confidence !== b.confidence) return a.confidence > b.confidence;
  return a.end - a.start > b.end - b.start;
}
