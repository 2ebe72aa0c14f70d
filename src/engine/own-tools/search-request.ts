import type { LanguageNaming } from "../../catalog/names.ts";
import { OWN_WORDS } from "../../codegen/own-words.ts";
import { KeyholeError } from "../../errors.ts";
import type { Detail, SearchRequest } from "../../search/answer.ts";
import { findLanguageName, LANGUAGE_NAMES } from "../language-names.ts";

const DETAILS: readonly Detail[] = ["name", "description", "full"];
const MAX_LIMIT = 1_000;
/** No more of a query is read: what it asks for stands at its start. */
const MAX_QUERY = 2_000;

/**
 * Models, programs and callers without types can ask anything; what makes no sense is refused with the way out.
 * @param naming of the language that a program asks in
 */
export function toSearchRequest(asked: unknown, naming: LanguageNaming = "typescript"): SearchRequest {
  const { query, detail, limit, language, only } = Object(asked);
  const refuse = refuseIn(naming);
  return {
    query: isAbsent(query)
      ? undefined
      : typeof query === "string"
        ? query.slice(0, MAX_QUERY)
        : refuse("query", "a string"),
    detail: isAbsent(detail) ? undefined : oneOf(DETAILS, detail, "detail", refuse),
    language: isAbsent(language)
      ? undefined
      : (findLanguageName(language) ?? oneOf(LANGUAGE_NAMES, language, "language", refuse)),
    ...(!isAbsent(only) && { only: oneOf(["skills"] as const, only, "only", refuse) }),
    limit:
      isAbsent(limit) || isLimit(limit)
        ? (limit ?? undefined)
        : refuse("limit", `a whole number from 1 to ${MAX_LIMIT}`),
  };
}

/** Several models send null for "not given". */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT;
}

function oneOf<Value extends string>(
  values: readonly Value[],
  value: unknown,
  what: string,
  refuse: Refuse,
): Value {
  const known = values.find((one) => one === value);
  return known ?? refuse(what, `one of ${values.map((one) => `"${one}"`).join(", ")}`);
}

type Refuse = (what: string, expected: string) => never;

function refuseIn(naming: LanguageNaming): Refuse {
  return (what, expected) => {
    throw new KeyholeError("usage", `"${what}" must be ${expected}`, {
      hint: `In a program: ${OWN_WORDS[naming].search}("what it does", "full", 10); leave out from the end what you do not need`,
    });
  };
}
