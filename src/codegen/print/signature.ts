/** From all there is to say to the least from which a call can be written. */
export type SignatureStyle = "documented" | "whole" | "short" | "shortest";

export type Signature = {
  readonly code: string;
  /** Whether a part of a type had to be left out (`…` stands for it). */
  readonly isCut: boolean;
};
