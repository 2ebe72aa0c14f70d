import type { PiiFinding, Surroundings } from "../../finding.ts";
import type { KnownNames } from "../names/known-names.ts";

/** A personal value in a value of JSON. */
export type JsonFinding = TextFinding & {
  /** JSON Pointer to the text, number or member. */
  readonly path: string;
  /** In a key, of the member that the path leads to; in the text under it; or the number there, as a whole. */
  readonly in: "key" | "text" | "number";
};

/** A personal value in a text that may be written in some encoding of that text. */
export type TextFinding = PiiFinding & {
  /** What it is, where the text has it in other letters (escapes, entities, quotes doubled). */
  readonly value?: string;
  /** A number of JSON inside a text: what takes its place needs this on both sides, a quote as that text writes it. */
  readonly quote?: string;
};

/** Finds what shows itself, without a key that says so. */
export type FindText = (text: string, surroundings: Surroundings) => readonly PiiFinding[];

export type FindInJsonOptions = {
  readonly findText: FindText;
  /** Where numbers without a country are taken to be from. */
  readonly region?: string | undefined;
  /** The names of the session so far. Those that are found are added. */
  readonly names?: KnownNames;
  /** The JSON Schema of the value, as a hint. */
  readonly schema?: unknown;
  /** How often a text was taken out of another already. */
  readonly level?: number;
};
