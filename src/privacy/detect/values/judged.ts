import type { Finding } from "../finding.ts";

/** What a candidate is. */
export type Judged = Pick<Finding, "class" | "rule" | "confidence">;
