import { KeyholeError, toErrorCode, toKeyholeError } from "../../errors.ts";
import { StoreError, type StoreFault } from "../../store/database/store-error.ts";
import type { LogPlace } from "../log-place.ts";

export type DrainRequest = {
  readonly ticket: number;
  readonly kind: "take" | "close";
  /** Told apart from another one's of the same thread. */
  readonly drain: number;
  readonly place: LogPlace;
};

export type DrainReply =
  | { readonly kind: "done"; readonly ticket: number; readonly failure?: PlainFailure }
  | { readonly kind: "notice"; readonly drain: number; readonly text: string };

/** An error as it can be handed from thread to thread. */
export type PlainFailure = {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly fault: StoreFault | undefined;
};

export function toPlainFailure(error: unknown): PlainFailure {
  const { code, message, hint } = toKeyholeError(error);
  return { code, message, hint, fault: error instanceof StoreError ? error.fault : undefined };
}

export function fromPlainFailure({ code, message, hint, fault }: PlainFailure): KeyholeError {
  if (fault !== undefined) return new StoreError(fault, message, hint ?? "");
  return new KeyholeError(toErrorCode(code), message, hint === undefined ? {} : { hint });
}
