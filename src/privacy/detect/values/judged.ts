import type { PiiFinding } from "../finding.ts";

/** What a candidate is. */
export type Judged = Pick<PiiFinding, "class" | "rule" | "confidence">;
