import type { RefusedProgram, TypeMistake, WrongTypes } from "../run-failure.ts";
import { toPosition, toSourceExcerpt } from "../text/position.ts";

/** Why a program was not run, while its language still looks into it. */
export type ProgramFailure = RefusedProgram & {
  /** The server that it imports, where there is none of that name. */
  readonly missingServer?: string;
};

const MAX_MESSAGE = 400;

export function toFailure(
  kind: "syntax" | "import",
  message: string,
  source: string,
  offset: number,
  hint?: string,
): ProgramFailure {
  const location = toPosition(source, offset);
  const excerpt = toSourceExcerpt(source, location);
  // A name in it may be as long as the program.
  const told = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return { kind, message: told, location, excerpt, ...(hint === undefined ? {} : { hint }) };
}

/** @param more how many further mistakes there are */
export function toWrongTypes(errors: readonly TypeMistake[], more: number): WrongTypes {
  const lines = errors.map(({ line, column, message, hint, signature }) =>
    [`${line}:${column} ${message}`, hint, signature]
      .filter((part) => part !== undefined)
      .join("\n")
      .replaceAll("\n", "\n  "),
  );
  if (more > 0) lines.push(`and ${more} more`);
  return { kind: "types", message: lines.join("\n"), errors };
}
