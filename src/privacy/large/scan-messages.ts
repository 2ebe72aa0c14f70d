import type { PiiClass } from "../../pii-classes.ts";

/** A value that is personal, found in JSON. */
export type FoundValue = {
  readonly class: PiiClass;
  readonly value: string;
  /** The same for values that stood in one record. */
  readonly together?: number;
};

export type LargeScanOptions = {
  /** Where numbers without a country are taken to be from (ISO 3166). */
  readonly region?: string | undefined;
  /** The JSON Schema of the value, as a hint. */
  readonly schema?: unknown;
  /** Those to report; others stay as they are. */
  readonly classes: readonly PiiClass[];
  /** Full names that are known so far, of which the first 10,000 count. */
  readonly names: readonly string[];
  readonly maxValues: number;
  readonly wantsRewrite: boolean;
  /** Whether what looks like a token in the data gets its tilde; it does unless this is false. */
  readonly escapes?: boolean;
  /** Whether what would be one with brackets around it gets one as well. */
  readonly bareWords?: boolean;
};

export type ScanJob = LargeScanOptions & {
  readonly json: Uint8Array;
  /** What the thread may use before it gives up. */
  readonly budgetMb: number;
};

/** To the thread. What is long comes in parts, so that neither side is held up by reading it. */
export type ScanRequest =
  | { readonly kind: "scan"; readonly job: ScanJob }
  /** The next of what was found. */
  | { readonly kind: "next" }
  | { readonly kind: "replacements"; readonly part: readonly string[] }
  | { readonly kind: "rewrite" }
  | { readonly kind: "forget" };

/** From the thread; nothing comes unasked. */
export type ScanReply =
  | {
      readonly kind: "found";
      readonly part: readonly FoundValue[];
      readonly isLast: boolean;
      readonly isCut: boolean;
    }
  | { readonly kind: "rewritten"; readonly json: Uint8Array }
  | { readonly kind: "refused"; readonly reason: "unreadable" | "nested" | "out of memory" };
