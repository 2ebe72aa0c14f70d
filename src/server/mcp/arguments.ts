import type { RunRequest, SearchRequest } from "../../engine/engine.ts";
import { LANGUAGE_NAMES } from "../../engine/language-names.ts";
import { toSearchRequest } from "../../engine/own-tools/search-request.ts";
import { toKeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

/** What a client sent as arguments: the request, or what is wrong with it in words that lead to a right one. */
export type ParsedArguments<Request> = { readonly request: Request } | { readonly problem: string };

export function parseSearchArguments(args: Record<string, unknown>): ParsedArguments<SearchRequest> {
  const problem = unknownArgument(args, ["query", "detail", "limit", "language"]);
  if (problem !== undefined) return { problem };
  try {
    return { request: toSearchRequest(args) };
  } catch (error) {
    return { problem: toKeyholeError(error).message };
  }
}

export function parseRunArguments(
  args: Record<string, unknown>,
): ParsedArguments<Pick<RunRequest, "code" | "language">> {
  const { code, language } = args;
  // Which languages there are is the engine's to say.
  const problem =
    unknownArgument(args, ["code", "language"]) ??
    unless(
      isAbsent(language) || typeof language === "string",
      `"language" must be one of ${list(LANGUAGE_NAMES)}`,
    );
  if (problem !== undefined) return { problem };
  if (typeof code !== "string" || code.trim() === "")
    return { problem: '"code" must be a program, as a string' };
  return { request: { code, ...(typeof language === "string" && { language }) } };
}

function unknownArgument(args: Record<string, unknown>, known: readonly string[]): string | undefined {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `Unknown argument ${JSON.stringify(toExcerpt(unknown, 60))}; there are ${list(known)}`;
}

function unless(isRight: boolean, problem: string): string | undefined {
  return isRight ? undefined : problem;
}

/** Several models send null for "not given". */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
