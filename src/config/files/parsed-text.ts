import type { Position } from "../../text/position.ts";
import type { JsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";

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
