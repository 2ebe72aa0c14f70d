import type { RefusedProgram, TypeMistake } from "../run-failure.ts";
import { type Position, toPosition, toSourceExcerpt } from "../text/position.ts";

/** Why a program was not run: data for the model, which has to mend it. */
export type ProgramFailure = Omit<RefusedProgram, "location"> & {
  /** The server that it imports, where there is none of that name. */
  readonly missingServer?: string;
} & Partial<Position>;

/** Its types do not fit the tools that it calls. */
export type TypesFailure = {
  readonly kind: "types";
  readonly errors: readonly TypeMistake[];
  /** How many further errors there are. */
  readonly more: number;
};

const MAX_MESSAGE = 400;

export function toFailure(
  kind: "syntax" | "import",
  message: string,
  source: string,
  offset: number,
  hint?: string,
): ProgramFailure {
  const position = toPosition(source, offset);
  const excerpt = toSourceExcerpt(source, position);
  // A name in it may be as long as the program.
  const told = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return { kind, message: told, ...position, excerpt, ...(hint === undefined ? {} : { hint }) };
}
