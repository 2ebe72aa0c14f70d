import { KeyholeError } from "../errors.ts";
import type { Detail, Language, SearchRequest } from "../search/answer.ts";

const DETAILS: readonly Detail[] = ["name", "description", "full"];
const LANGUAGES: readonly Language[] = ["typescript", "python"];

/** Programs and callers without types can ask anything; what makes no sense is refused with the way out. */
export function toSearchRequest(asked: unknown): SearchRequest {
  const { query, detail, limit, language } = Object(asked);
  return {
    query: isAbsent(query) || typeof query === "string" ? (query ?? undefined) : refuse("query", "a text"),
    detail: isAbsent(detail) ? undefined : oneOf(DETAILS, detail, "detail"),
    language: isAbsent(language) ? undefined : oneOf(LANGUAGES, language, "language"),
    limit:
      isAbsent(limit) || isCount(limit) ? (limit ?? undefined) : refuse("limit", "a whole number from 1"),
  };
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown, what: string): Value {
  const known = values.find((one) => one === value);
  return known ?? refuse(what, `one of ${values.map((one) => `"${one}"`).join(", ")}`);
}

function refuse(what: string, expected: string): never {
  throw new KeyholeError("usage", `"${what}" of a search must be ${expected}`, {
    hint: 'In a program: searchTools("what it does", "full", 10); each may be left out from the end',
  });
}
