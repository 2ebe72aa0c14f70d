import type { PiiClass } from "../../pii-classes.ts";

/** What is less sure is no reason to conceal anything. */
export const LEAST_CONFIDENCE = 0.5;

/** A personal value in a text. */
export type PiiFinding = {
  readonly class: PiiClass;
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Which of our rules found it, as `privacy scan` shows it: `email`, `card-luhn`, `key:first_name`. */
  readonly rule: string;
  /** From 0 to 1. What has a proof (a checksum, a key that says so) is above 0.9; under 0.5 nothing is told. */
  readonly confidence: number;
};

/** What is known of where a text stands. */
export type Surroundings = {
  /** The key, column or label that it stands under, as it is written. */
  readonly key?: string | undefined;
  /** The keys around that one, the outermost first. */
  readonly above?: readonly string[];
  /** Where numbers without a country are taken to be from (ISO 3166). */
  readonly region?: string | undefined;
};
