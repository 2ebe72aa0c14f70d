import type { ParseText } from "../../config/server-definition.ts";
import type { ErrorCode } from "../../errors.ts";
import type { OpenRequest } from "../open-requests.ts";
import type { MessageLimits } from "../too-large.ts";

/** A large answer to be read, and what it answers. */
export type AnswerJob = {
  readonly server: string;
  readonly request: OpenRequest;
  readonly bytes: Uint8Array;
  readonly limits: MessageLimits;
  readonly parse: ParseText;
  readonly isDeclared: boolean;
};

/** What a large answer is, in parts that cost its reader little. */
export type Answer =
  | LargeValue
  /** A page of tools, each as JSON text. */
  | {
      readonly kind: "tools";
      readonly tools: readonly string[];
      readonly next?: string;
      readonly warnings: readonly string[];
    }
  /** The tool says that it failed. */
  | { readonly kind: "tool_failed"; readonly message: string }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string; readonly hint?: string };

export type LargeValue = {
  readonly kind: "value";
  /** The value as JSON in UTF-8. */
  readonly json: Uint8Array;
  /** What a client would hand its model; absent when that is the JSON. */
  readonly text?: string;
  readonly mediaBlocks: number;
  readonly notANumber?: string;
  readonly ttlMs?: number;
  /** A part of the value, in which long lists are shorter: to learn its shape from. */
  readonly sample: unknown;
  /** The outermost levels of the value, all lengths true: to say in a few words what it is. */
  readonly outline: unknown;
};
