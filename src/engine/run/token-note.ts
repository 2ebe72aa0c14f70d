import { hasToken } from "../../privacy/token-text/has-token.ts";
import type { Run } from "./run-record.ts";

type NotedRun = Pick<Run, "privacy" | "hasTokens">;

const OF_VALUES =
  "(Texts like [NAME_1] stand for personal values: use them in programs as if they were the values.)";
const OF_TOKENS = "(Programs see tokens like [NAME_1] for personal values: use and compare them whole;";

/** What tokens are, for the model: said where there is one, or where looking into them may be why a program found nothing. */
export function withTokenNote(
  text: string,
  { privacy, hasTokens }: NotedRun,
  hasFoundNothing = false,
): string {
  if (!hasToken(text) && !(hasTokens && hasFoundNothing)) return text;
  if (privacy?.mode !== "boundary") return `${text}\n${OF_VALUES}`;
  const more = privacy.tellsFacts
    ? "pii.domain, last4, country, year, mask and equal tell more.)"
    : "pii.equal compares them with values.)";
  return `${text}\n${OF_TOKENS} ${more}`;
}

/** Also a list or an object of nothing else. */
export function isNothing(value: unknown): boolean {
  if (!value) return true;
  return typeof value === "object" && Object.values(value).every(isNothing);
}
