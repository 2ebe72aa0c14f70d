import type { AnomalyRuleName } from "../../config/audit/anomaly-rules.ts";
import type { Effect } from "../../policy/permissions/verb-table.ts";
import type { AuditEvent, EventAction } from "../event.ts";
import type { CarriedCounts } from "./carried.ts";

export type AnomalySeverity = "info" | "warning" | "critical";

/** Something that is not as usual, or that is never right. */
export type Anomaly = {
  readonly rule: string;
  readonly severity: AnomalySeverity;
  /** It may still be ordinary work: less grave than what its rule is for. */
  readonly isEarly?: true;
  /** With the numbers, for a person. */
  readonly text: string;
  readonly at: number;
  readonly session?: string;
  readonly principal?: string;
  readonly client?: string;
  readonly clientVersion?: string;
  /** The one whose event made it plain. */
  readonly run?: string;
  readonly server?: string;
  readonly tool?: string;
  /** What it was seen in, the last one last. */
  readonly events: readonly string[];
};

/** What a rule has found. */
export type AnomalyFinding = {
  readonly text: string;
  readonly events: readonly string[];
  /** Whom or what it concerns: of the same rule and subject nothing is told again for a while. */
  readonly subject: string;
  /** Where it is less than the rule's. */
  readonly severity?: AnomalySeverity;
};

/** What the detector knows of an event before a rule sees it. */
export type Scene = {
  /** Runs without a session are taken together by principal. */
  readonly session: string;
  /** After a release another, as the session. */
  readonly run: string | undefined;
  readonly principal: string;
  readonly client: string;
  /** The principal with the client: who comes back in another session. */
  readonly party: string;
  /** `server.tool`; empty where no tool is concerned. */
  readonly tool: string;
  /** What the tool does, by its name. */
  readonly effect: Effect;
  /** It is about credentials, by its name. */
  readonly isSecretTool: boolean;
  /** A `call.ended` whose `call.sent` was seen. */
  readonly isKnownCall: boolean;
};

export type AnomalyRule = {
  readonly name: string;
  readonly severity: AnomalySeverity;
  readonly on: readonly EventAction[];
  observe(event: AuditEvent, scene: Scene): AnomalyFinding | undefined;
};

export type RuleKind = {
  /** As the config names it. */
  readonly name: AnomalyRuleName;
  /** What it looks for, in a sentence. */
  readonly about: string;
  /** Whether it speaks unless the config switches it on. */
  readonly isQuiet?: boolean;
  /** @param carried what counts beyond a session */
  create(carried: CarriedCounts): AnomalyRule;
};

/** How many of these may be remembered; old ones are forgotten. */
export const MAX_SESSIONS = 2_000;
export const MAX_SUBJECTS = 5_000;
/** Of the events that an anomaly names. */
export const MAX_NAMED = 20;
