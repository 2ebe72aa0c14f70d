import type { ProgramFailure, TypesFailure } from "../../language/failure.ts";
import { type PlaceTable, placeOf } from "../../language/place-table.ts";
import type { RunFailure } from "../../run-failure.ts";
import type { RunError } from "../../sandbox/sandbox.ts";
import type { OpenLanguages } from "../open-languages.ts";

/** What reading a program says of it, and what a sandbox says of its end, as one kind of failure. */

/** Of a program that was not run. */
export function toReadFailure(error: ProgramFailure | TypesFailure): RunFailure {
  if (error.kind === "types") return toTypesFailure(error);
  const { line, column, missingServer: _, ...rest } = error;
  return line === undefined || column === undefined ? rest : { ...rest, location: { line, column } };
}

/** @param places where each place of the program that ran stands in the one that was written */
export function toRunFailure({ line, column, source, ...error }: RunError, places: PlaceTable): RunFailure {
  const location =
    source ?? (line === undefined || column === undefined ? undefined : placeOf(places, line, column));
  return location === undefined ? error : { ...error, location };
}

/** A failure may be about a server whose own name is something else in a program. */
export function withServerNames(error: RunFailure, renamed: string | undefined): RunFailure {
  if (renamed === undefined) return error;
  const { hint } = error;
  return { ...error, hint: hint === undefined ? renamed : `${hint}. ${renamed}` };
}

export const CANCELLED: RunFailure = { kind: "cancelled", message: "The run was cancelled" };

/** The one place where a language is refused. */
export function noLanguage(name = "", { all }: OpenLanguages): RunFailure {
  const titles = all.map(({ title }) => title).join(" or ");
  return {
    kind: "language",
    message: `Programs in "${name}" can't run in this version`,
    hint: `Write the program in ${titles} (language: "${all[0].name}"); the same functions are there`,
  };
}

function toTypesFailure({ errors, more }: TypesFailure): RunFailure {
  const lines = errors.map(({ line, column, message, hint, signature }) =>
    [`${line}:${column} ${message}`, hint, signature].filter((part) => part !== undefined).join("\n  "),
  );
  if (more > 0) lines.push(`and ${more} more`);
  return { kind: "types", message: lines.join("\n"), errors };
}
