import { companyAfter, companyBefore, personAfter, personBefore } from "./context.ts";
import type { NameRun } from "./name-runs.ts";
import {
  CAPITALISED,
  gapAt,
  has,
  isIn,
  isPlain,
  isSign,
  JOINED,
  kindAt,
  MIXED,
  NEW_LINE,
  SPACED,
  type Tokens,
  UPPER,
  wordSet,
} from "./tokens.ts";
import {
  COMPANY_WORD,
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
  FUNCTION_WORD,
  GIVEN,
  LEGAL_FORM,
  MONTH,
  NATIONALITY,
  NO_NAME,
  WEEKDAY,
} from "./word-flags.ts";

export type Company = {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly confidence: number;
};

/** Legal forms that are words, or parts of codes, where they are not written in capitals. */
const ONLY_CAPITALS = wordSet("as ab sa ag kg nv bv spa oy kk");
const ONE_IS = wordSet("is was has became announced as in");
const AND = wordSet("and");
const FOR = wordSet("for at joined");
const TO = wordSet("to");
const SHORT_FORMS = wordSet("inc ltd corp co bros");

export function readCompany(tokens: Tokens, run: NameRun): Company | undefined {
  return (
    listed(tokens, run) ??
    formed(tokens, run) ??
    worded(tokens, run) ??
    hyphened(tokens, run) ??
    told(tokens, run)
  );
}

/** Acme Inc., Drake PLC, Berg & Sons Ltd. */
function formed(tokens: Tokens, run: NameRun): Company | undefined {
  const start = withoutLeadIn(tokens, run);
  const index = run.words.findIndex((word) => word > start && isLegalForm(tokens, word));
  let form = index === -1 ? undefined : run.words[index];
  // "GmbH" is written as no name is.
  if (form === undefined && gapAt(tokens, run.end) === SPACED && isLegalForm(tokens, run.end)) form = run.end;
  // "Acme, Inc."
  if (form === undefined && isSign(tokens, run.end, ",") && isLegalForm(tokens, run.end + 1))
    form = run.end + 1;
  if (form === undefined || (isSign(tokens, form + 1, "-") && gapAt(tokens, form + 1) === JOINED))
    return undefined;
  // "AK, AS, AZ" are codes.
  const isNamed = run.words.some((word) => word !== form && kindAt(tokens, word) === CAPITALISED);
  if (isIn(tokens, form, ONLY_CAPITALS) && !isNamed) return undefined;
  const end =
    isSign(tokens, form + 1, ".") && gapAt(tokens, form + 1) === JOINED && isIn(tokens, form, SHORT_FORMS)
      ? form + 2
      : form + 1;
  return { start, end, rule: "legal-form", confidence: 0.9 };
}

function isLegalForm(tokens: Tokens, at: number): boolean {
  // "including but not limited to"
  if (!has(tokens, at, LEGAL_FORM) || isIn(tokens, at + 1, TO)) return false;
  const kind = kindAt(tokens, at);
  if (tokens.isCaseless) return !isIn(tokens, at, ONLY_CAPITALS);
  if (isIn(tokens, at, ONLY_CAPITALS)) return kind === UPPER;
  return kind === CAPITALISED || kind === UPPER || kind === MIXED;
}

/** Palantir Technologies: the last word is one that companies have, another is no ordinary one. */
function worded(tokens: Tokens, run: NameRun): Company | undefined {
  const start = withoutLeadIn(tokens, run);
  const words = run.words.filter((word) => word >= start);
  const last = words.at(-1);
  if (last === undefined || words.length < 2 || !has(tokens, last, COMPANY_WORD)) return undefined;
  if (words.some((word) => has(tokens, word, NO_NAME)) || tokens.isCaseless) return undefined;
  const isToldOf = companyBefore(tokens, start) || companyAfter(tokens, run.end);
  const isOwn = words
    .slice(0, -1)
    .some(
      (word) =>
        !isPlain(tokens, word) &&
        kindAt(tokens, word) === CAPITALISED &&
        !has(tokens, word, NATIONALITY | WEEKDAY | MONTH | COUNTRY),
    );
  return isToldOf || isOwn
    ? { start, end: run.end, rule: "company-word", confidence: isToldOf ? 0.8 : 0.6 }
    : undefined;
}

/** Davis, Reynolds and Williamson. */
function listed(tokens: Tokens, run: NameRun): Company | undefined {
  const first = run.words.at(-1) as number;
  if (!isSign(tokens, run.end, ",") || run.end !== first + 1 || !isFamily(tokens, first)) return undefined;
  const second = run.end + 1;
  const isJoin = isIn(tokens, second + 1, AND) || isSign(tokens, second + 1, "&");
  const third = second + 2;
  if (!isFamily(tokens, second) || !isJoin || !isFamily(tokens, third)) return undefined;
  if (isSign(tokens, third + 1, "-") || gapAt(tokens, third) !== SPACED) return undefined;
  const start = withoutLeadIn(tokens, run);
  if (start !== first) return undefined;
  const isOne =
    companyBefore(tokens, start) ||
    companyAfter(tokens, third + 1) ||
    isIn(tokens, third + 1, ONE_IS) ||
    isFirmLine(tokens, start, third + 1);
  return isOne && personAfter(tokens, third + 1) < 2
    ? { start, end: third + 1, rule: "family-names", confidence: 0.75 }
    : undefined;
}

const isFirmLine = (tokens: Tokens, start: number, end: number) =>
  gapAt(tokens, start) >= NEW_LINE && gapAt(tokens, end) >= NEW_LINE && end <= tokens.count;

const isFamily = (tokens: Tokens, at: number) =>
  (kindAt(tokens, at) === CAPITALISED || tokens.isCaseless) && has(tokens, at, FAMILY | FAMILY_RARE);

/** Weeks-Rivas, where nobody of that name is meant. */
function hyphened(tokens: Tokens, run: NameRun): Company | undefined {
  if (run.words.length !== 2 || run.end !== run.start + 3 || !isSign(tokens, run.start + 1, "-"))
    return undefined;
  const [first, last] = run.words as [number, number];
  if (
    !isFamily(tokens, first) ||
    !isFamily(tokens, last) ||
    (has(tokens, first, GIVEN) && has(tokens, last, GIVEN) && !companyBefore(tokens, first))
  )
    return undefined;
  if (personBefore(tokens, first) === 2 || personAfter(tokens, run.end) === 2) return undefined;
  return companyBefore(tokens, first) || gapAt(tokens, first) >= NEW_LINE
    ? { start: first, end: run.end, rule: "company-context", confidence: 0.65 }
    : undefined;
}

/** "I work for Citigroup": the words around say it. */
function told(tokens: Tokens, run: NameRun): Company | undefined {
  const start = withoutLeadIn(tokens, run);
  if (start >= run.end || has(tokens, start, FUNCTION_WORD) || tokens.isCaseless) return undefined;
  const words = run.words.filter((word) => word >= start);
  const isPersonal = words.length > 1 && has(tokens, start, GIVEN) && !isPlain(tokens, start);
  if (isPersonal || words.length > 6) return undefined;
  const isNamed = words.some((word) => !isPlain(tokens, word));
  const isOwn = isNamed || words.length > 1;
  const isBefore = companyBefore(tokens, start) && (isNamed || isIn(tokens, start - 1, FOR));
  if (!isBefore && !(companyAfter(tokens, run.end) && isOwn)) return undefined;
  if (
    words.length === 1 &&
    has(tokens, start, GIVEN | NO_NAME | NATIONALITY) &&
    !companyBefore(tokens, start)
  )
    return undefined;
  return { start, end: run.end, rule: "company-context", confidence: 0.65 };
}

function withoutLeadIn(tokens: Tokens, run: NameRun): number {
  for (const word of run.words) if (!has(tokens, word, FUNCTION_WORD)) return word;
  return run.end;
}
