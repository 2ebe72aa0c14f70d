import type { PiiClass } from "../pii-classes.ts";

type ClassActions = { readonly [kind in PiiClass]?: "tokenise" | "mask" | "keep" | "block" };

/** What becomes of personal values, as under `privacy` in `keyhole.config`. */
export type PrivacyConfig = {
  /** Where values become tokens: on their way to the model, or before programs have them. */
  readonly mode?: "egress" | "boundary";
  readonly classes?: ClassActions;
  readonly servers?: {
    readonly [server: string]: {
      readonly classes?: ClassActions;
      /** What its tools may be told: these classes and no others. */
      readonly reveal?: readonly PiiClass[];
      readonly tools?: {
        readonly [tool: string]: {
          readonly reveal?: readonly PiiClass[];
          readonly parameters?: { readonly [name: string]: readonly PiiClass[] };
        };
      };
    };
  };
  /** Where numbers without a country are from (ISO 3166). */
  readonly region?: string;
  /** Whether programs may ask for parts of values. */
  readonly helpers?: boolean;
  readonly names?: "lists" | "compromise";
};
