import { type Position, toExcerpt, toPosition } from "./position.ts";

/** Why a program was not run: data for the model, which has to mend it. */
export type ProgramFailure = {
  /** `syntax`: no program at all; `import`: it imports what there is not; `too_large`: more than we take. */
  readonly kind: "syntax" | "import" | "too_large";
  readonly message: string;
  readonly hint?: string;
  /** The line with a caret below the column. */
  readonly excerpt?: string;
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

/** One mistake, in few tokens, with what it takes to mend it. */
export type TypeMistake = Position & {
  readonly message: string;
  readonly hint?: string;
  /** What the tool concerned takes or returns; said once. */
  readonly signature?: string;
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
  const excerpt = toExcerpt(source, position);
  // A name in it may be as long as the program.
  const told = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return { kind, message: told, ...position, excerpt, ...(hint === undefined ? {} : { hint }) };
}
