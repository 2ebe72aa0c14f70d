import { gapAt, has, isSign, kindAt, NEW_LINE, SIGN, TAKEN, type Tokens, wordAt } from "./tokens.ts";
import { BEFORE_PERSON, HONORIFIC, PERSON_VERB } from "./word-flags.ts";

const words = (text: string) => new Set(text.trim().split(/\s+/));
const NAME_LABELS = words(`
  name user customer contact from author by sender assignee assigned owner patient client attn recipient employee manager
  guest host passenger tenant buyer seller cc bcc to signed nom nombre nome naam vorname nachname navn imie`);
const BEFORE_ONE = words(
  "by with said told asked and to for from than me under early at add of invite ask tell email call let meet met about",
);
const IS = words("is are was were");
const COMPANY_BEFORE = words("for at by of with became joined founded called company firm employer");
const COMPANY_TELLS = words(`
  work works worked working employed employee employees job ceo cfo founder founders cofounder president chairman address
  recorded year years position intern internship hired joined founded became company firm startup contract supplier vendor
  customer acquired merged invoice headquarters office internship career shareholders subsidiary`);
const COMPANY_AFTER = words(
  "founded acquired announced headquarters shares employees brainchild orchestra hired subsidiary merged stock ceo launched",
);
const PLACE_PREPOSITIONS = words("in from to near at visit visiting toward towards around of into outside");
const PLACE_TELLS = words(`
  lives live lived living born grew raised moved moving move originally based located visit visited visiting travel
  traveling travelling trip flight fly flying coming came come went resident residents residing resides city town village
  street headquartered vacation holiday relocated back`);
const PLACE_LABELS = words(
  "where city town location country state place region birthplace ort stadt ville ciudad citta",
);

/** How sure the words before say that a person comes: 0, 1 or 2. */
export function personBefore(tokens: Tokens, at: number): number {
  if (gapAt(tokens, at) >= NEW_LINE && !isSign(tokens, at - 1, ",") && !isSign(tokens, at - 1, ":")) return 0;
  const last = wordAt(tokens, at - 1);
  if (last === ":") return NAME_LABELS.has(wordAt(tokens, at - 2)) ? 2 : 0;
  if (has(tokens, at - 1, BEFORE_PERSON | HONORIFIC)) return 2;
  if (last === "," && has(tokens, at - 2, BEFORE_PERSON)) return 2;
  const second = wordAt(tokens, at - 2);
  if (last === "name" || last === "named") return 2;
  if (IS.has(last) && (second === "name" || second === "this")) return second === "name" ? 2 : 1;
  if (last === "me" && /^calls?$/.test(second)) return 2;
  if (last === "i'm" || (last === "am" && second === "i")) return 1;
  if (last === "it's" || last === "that's") return 1;
  return BEFORE_ONE.has(last) ? 1 : 0;
}

/** The same of the words after. */
export function personAfter(tokens: Tokens, end: number): number {
  if (gapAt(tokens, end) >= NEW_LINE) return 0;
  if (has(tokens, end, PERSON_VERB)) return 2;
  const next = wordAt(tokens, end);
  const second = wordAt(tokens, end + 1);
  if (IS.has(next) && /^(?:a|an|very|so|my|born|not|his|her|married|only|never|always)$/.test(second))
    return 1;
  if ((next === "had" || next === "has") && !has(tokens, end + 1, 0)) return 1;
  if (next === "'" || next === "’") return second === "s" ? 1 : 0;
  return next === "and" || next === "who" || next === "whose" ? 1 : 0;
}

export function companyBefore(tokens: Tokens, at: number): boolean {
  const last = wordAt(tokens, at - 1);
  if (!COMPANY_BEFORE.has(last) || gapAt(tokens, at) >= NEW_LINE) return false;
  if (last === "joined" || last === "became" || last === "company" || last === "firm" || last === "employer")
    return true;
  for (let before = at - 2; before >= 0 && before >= at - 4; before--) {
    if (kindAt(tokens, before) === SIGN) return false;
    if (COMPANY_TELLS.has(wordAt(tokens, before))) return true;
  }
  return false;
}

export function companyAfter(tokens: Tokens, end: number): boolean {
  for (let next = end; next < end + 4 && next < tokens.count; next++) {
    if (kindAt(tokens, next) === SIGN || kindAt(tokens, next) === TAKEN) return false;
    if (COMPANY_AFTER.has(wordAt(tokens, next))) return true;
  }
  return false;
}

/** 1: a preposition that places follow; 2: one of them after a verb that tells of places. */
export function placeBefore(tokens: Tokens, at: number): number {
  const last = wordAt(tokens, at - 1);
  if (last === ":") return PLACE_LABELS.has(wordAt(tokens, at - 2)) ? 2 : 0;
  if (gapAt(tokens, at) >= NEW_LINE) return 0;
  if (!PLACE_PREPOSITIONS.has(last))
    return /^(?:southern|northern|eastern|western|downtown|central)$/.test(last) ? 2 : 0;
  if (last.startsWith("visit")) return 2;
  for (let before = at - 2; before >= 0 && before >= at - 4; before--) {
    if (kindAt(tokens, before) === SIGN) break;
    if (PLACE_TELLS.has(wordAt(tokens, before))) return 2;
  }
  return 1;
}
