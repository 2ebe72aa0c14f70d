import { CALL_CASES } from "./calls.ts";
import type { ProgramCase } from "./case.ts";
import { FLOOD_CASES } from "./floods.ts";
import { TEXT_CASES } from "./texts.ts";
import { TRICK_CASES } from "./tricks.ts";
import { TYPE_CASES } from "./types.ts";
import { VALUE_CASES } from "./values.ts";

/** What is refused before it runs is the same in every tier. */
const REFUSED_CASES =
  process.env["KEYHOLE_TEST_HOSTILE_TIER"] === undefined ? [...TEXT_CASES, ...TYPE_CASES] : [];

export const PROGRAM_CASES: readonly ProgramCase[] = [
  ...REFUSED_CASES,
  ...CALL_CASES,
  ...VALUE_CASES,
  ...FLOOD_CASES,
  ...TRICK_CASES,
];
