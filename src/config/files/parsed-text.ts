import type { JsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";

/** Both count from one, as editors do. */
export type Position = { line: number; column: number };

export type ParsedText = {
  data: JsonValue;
  /** Where a key or its value stands; for a path that is not there, the nearest thing around it. */
  locate(path: KeyPath, part: "key" | "value"): Position;
  /** What the parser let pass but a reader should know. */
  remarks: { position: Position; text: string }[];
};

/** The text is no JSON, YAML or TOML. */
export class ParseProblem extends Error {
  override readonly name = "ParseProblem";
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
