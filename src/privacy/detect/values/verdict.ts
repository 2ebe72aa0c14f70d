import type { Finding } from "../finding.ts";

/** What a candidate is. */
export type Verdict = Pick<Finding, "class" | "rule" | "confidence">;
