import {
  gapAt,
  has,
  isIn,
  isSign,
  isSignOf,
  kindAt,
  NEW_LINE,
  SIGN,
  TAKEN,
  type Tokens,
  wordSet,
} from "./tokens.ts";
import { BEFORE_PERSON, HONORIFIC, JOB, PERSON_VERB } from "./word-flags.ts";

const NAME_LABELS = wordSet(`
  name user customer contact from author by sender assignee assigned owner patient client attn recipient employee manager
  guest host passenger founders founder members attendees participants authors guests employees players contributors friends owners tenant buyer seller cc bcc to signed nom nombre nome naam vorname nachname navn imie`);
const BEFORE_ONE = wordSet(`
  by with said told asked to for from than me under early at add of invite ask tell email call let meet met about given
  gave showed thanked helped paid sent that because when while if did does has is was i'm it's that's`);
const PERSON_OBJECT = wordSet("ask tell told asked said thanked invite invited met with by");
const SIGN_OFF = wordSet(
  "thanks thank you best greetings wishes love yours truly respectfully cordially gruse grusse saludos cordialement",
);
const NAME = wordSet("name named");
const IS = wordSet("is are was were");
const CALL = wordSet("call calls");
const ME = wordSet("me");
const THIS = wordSet("this");
const AFTER_IS = wordSet("a an very so my born not his her married only never always");
const AFTER_ONE = wordSet("had has his her who whose");
const S = wordSet("s");
const ET = wordSet("et");
const AL = wordSet("al");

const COMPANY_BEFORE = wordSet("for at by of called founded");
const COMPANY_OF_JOB = wordSet("at for");
const COMPANY_RIGHT_BEFORE = wordSet("became joined company firm employer acquired");
const COMPANY_TELLS = wordSet(`
  work works worked working employed employee employees job ceo cfo founder founders cofounder president chairman address
  recorded year years position intern internship hired joined founded became company firm startup contract supplier vendor
  customer customers client clients account acquired merged invoice headquarters office career shareholders subsidiary
  folks team staff people contract deal partnership`);
const COMPANY_AFTER = wordSet(
  "founded acquired announced headquarters shares employees brainchild orchestra hired subsidiary merged stock ceo",
);

const PLACE_PREPOSITIONS = wordSet("in from to near at toward towards around of into outside");
const VISIT = wordSet("visit visiting visited");
const SIDE = wordSet("southern northern eastern western downtown central");
const PLACE_TELLS = wordSet(`
  lives live lived living born grew raised moved moving move originally based located visit visited visiting travel
  traveling travelling trip flight fly flying coming came come went resident residents residing resides city town village
  street headquartered flew drove traveled travelled sailed heading headed going goes returned returning tour vacation holiday relocated back`);
const PLACE_LABELS = wordSet(
  "where city town location country state place region birthplace ort stadt ville ciudad citta",
);

/** How sure the words before say that a person comes: from 0 to 2. */
export function personBefore(tokens: Tokens, at: number): number {
  const last = at - 1;
  if (gapAt(tokens, at) >= NEW_LINE && !isSignOf(tokens, last, ",:")) return 0;
  if (isSign(tokens, last, ":")) return isIn(tokens, last - 1, NAME_LABELS) ? 2 : 0;
  if (has(tokens, last, BEFORE_PERSON | HONORIFIC)) return 2;
  if (isSign(tokens, last, ","))
    return has(tokens, last - 1, BEFORE_PERSON) ||
      (gapAt(tokens, at) >= NEW_LINE && isIn(tokens, last - 1, SIGN_OFF))
      ? 2
      : 0;
  if (isIn(tokens, last, NAME)) return 2;
  if (isIn(tokens, last, IS) && isIn(tokens, last - 1, NAME)) return 2;
  if (isIn(tokens, last, ME) && isIn(tokens, last - 1, CALL)) return 2;
  if (isIn(tokens, last, IS)) return isIn(tokens, last - 1, THIS) ? 1 : 0;
  if (isIn(tokens, last, PERSON_OBJECT)) return 1.5;
  return isIn(tokens, last, BEFORE_ONE) ? 1 : 0;
}

/** The same of the words after. */
export function personAfter(tokens: Tokens, end: number): number {
  if (gapAt(tokens, end) >= NEW_LINE) return 0;
  if (has(tokens, end, PERSON_VERB) || (isIn(tokens, end, ET) && isIn(tokens, end + 1, AL))) return 2;
  if (isIn(tokens, end, IS)) return isIn(tokens, end + 1, AFTER_IS) ? 1 : 0;
  if (isSignOf(tokens, end, "'’")) return isIn(tokens, end + 1, S) ? 0.5 : 0;
  return isIn(tokens, end, AFTER_ONE) ? 1 : 0;
}

export function companyBefore(tokens: Tokens, at: number): boolean {
  if (gapAt(tokens, at) >= NEW_LINE) return false;
  if (isIn(tokens, at - 1, COMPANY_RIGHT_BEFORE)) return true;
  if (!isIn(tokens, at - 1, COMPANY_BEFORE)) return false;
  for (let before = at - 2; before >= 0 && before >= at - 4; before--) {
    if (kindAt(tokens, before) === SIGN) return false;
    if (
      isIn(tokens, before, COMPANY_TELLS) ||
      (has(tokens, before, JOB) && isIn(tokens, at - 1, COMPANY_OF_JOB))
    )
      return true;
  }
  return false;
}

export function companyAfter(tokens: Tokens, end: number): boolean {
  for (let next = end; next < end + 4 && next < tokens.count; next++) {
    if (isIn(tokens, next, COMPANY_AFTER)) return true;
    const isOwner = next === end && isSignOf(tokens, next, "'’");
    if ((kindAt(tokens, next) === SIGN && !isOwner) || kindAt(tokens, next) === TAKEN) return false;
  }
  return false;
}

/** 1: a preposition that places follow; 2: one of them after a verb that tells of places. */
export function placeBefore(tokens: Tokens, at: number): number {
  if (isSign(tokens, at - 1, ":")) return isIn(tokens, at - 2, PLACE_LABELS) ? 2 : 0;
  if (gapAt(tokens, at) >= NEW_LINE) return 0;
  if (isIn(tokens, at - 1, VISIT) || isIn(tokens, at - 1, SIDE)) return 2;
  if (!isIn(tokens, at - 1, PLACE_PREPOSITIONS)) return 0;
  for (let before = at - 2; before >= 0 && before >= at - 4; before--) {
    if (kindAt(tokens, before) === SIGN) return 1;
    if (isIn(tokens, before, PLACE_TELLS)) return 2;
  }
  return 1;
}
