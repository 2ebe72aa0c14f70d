import type { KeyholeError } from "../../errors.ts";
import { type PlaceTable, placeOf } from "../../language/place-table.ts";
import type { RunFailure } from "../../run-failure.ts";
import type { RunError } from "../../sandbox/sandbox.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { toSourceExcerpt } from "../../text/position.ts";
import type { OpenLanguages } from "../open-languages.ts";

/** @param places where each place of the program that ran stands in the one that was written */
export function toRunFailure(
  { location: ran, source, stack: ranStack, ...error }: RunError,
  places: PlaceTable,
): RunFailure {
  const location = source ?? (ran && placeOf(places, ran.line, ran.column));
  const stack = ranStack?.flatMap((frame) => {
    const place = placeOf(places, frame.line, frame.column);
    return place === undefined ? [] : [{ ...frame, ...place }];
  });
  return {
    ...error,
    ...(location !== undefined && { location }),
    ...(stack !== undefined && stack.length > 0 && { stack }),
  };
}

/** A failure may be about a server whose own name is something else in a program. */
export function withServerNames(error: RunFailure, renamed: string | undefined): RunFailure {
  if (renamed === undefined) return error;
  const { hint } = error;
  return { ...error, hint: hint === undefined ? renamed : `${hint}. ${renamed}` };
}

export const CANCELLED: RunFailure = { kind: "cancelled", message: "The run was cancelled" };

/** Where the language's programs can't run on this machine: why, and what to do about it. */
export function noSandbox({ message, hint }: KeyholeError): RunFailure {
  return { kind: "sandbox", message, ...(hint !== undefined && { hint }) };
}

/** Python's own parser speaks in the sandbox, before anything of the program runs: what it refuses is no program. */
export function withSyntax(failure: RunFailure, code: string): RunFailure {
  if (failure.kind !== "exception" || failure.stack !== undefined || failure.location === undefined)
    return failure;
  if (!SYNTAX_ERRORS.has(failure.name)) return failure;
  const { message, hint, location } = failure;
  const excerpt = toSourceExcerpt(code, location);
  return { kind: "syntax", message, location, excerpt, ...(hint !== undefined && { hint }) };
}

const SYNTAX_ERRORS: ReadonlySet<unknown> = new Set(["SyntaxError", "IndentationError", "TabError"]);

/** The one place where a language is refused. */
export function noLanguage(name = "", { all }: OpenLanguages): RunFailure {
  const titles = all.map(({ title }) => title).join(" or ");
  return {
    kind: "language",
    message: `Programs in ${JSON.stringify(toExcerpt(name, 40))} can't run in this version`,
    hint: `Write the program in ${titles} (language: "${all[0].name}"); the same functions are there`,
  };
}
