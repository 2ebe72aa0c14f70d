import type { RiskLevel } from "../../policy/risk/score.ts";
import type { EventAction, EventOutcome } from "../event.ts";

/**
 * A field by its path, such as `details.host`: it is this (in a list: one of them is), it is something else, it is there, or it is
 * not (`null`).
 */
export type FieldCondition = { readonly field: string; readonly is?: string | null; readonly isNot?: string };

/** What is asked for: all that is given must hold. */
export type LogFilter = {
  /** Milliseconds since 1970; `to` itself is not in it. */
  readonly from?: number;
  readonly to?: number;
  readonly session?: string;
  readonly principal?: string;
  readonly client?: string;
  readonly run?: string;
  readonly call?: string;
  /** One event, by its own id. */
  readonly id?: string;
  readonly server?: string;
  readonly tool?: string;
  /** This level or above. */
  readonly risk?: RiskLevel;
  readonly outcomes?: readonly EventOutcome[];
  readonly actions?: readonly EventAction[];
  /** Stands somewhere in what the event says, in any case of letters; ids and hashes only as a whole (`event-text.ts`). */
  readonly text?: string;
  /** What single fields say (`where.ts`). */
  readonly where?: readonly FieldCondition[];
};
