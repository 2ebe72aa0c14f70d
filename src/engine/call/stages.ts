import { NO_TELEMETRY, type Telemetry } from "../../audit/telemetry/telemetry.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Policy } from "../../policy/permissions/policy.ts";
import { approve } from "../approvals/approve.ts";
import type { AnomalyHeed } from "../audit/heed-anomaly.ts";
import type { Recorder } from "../recorder.ts";
import { announce } from "./announce.ts";
import { type CallCache, createCache } from "./cache.ts";
import type { CallStage, NextStage } from "./call.ts";
import { conceal } from "./conceal.ts";
import { createCurrent } from "./current.ts";
import { deadline } from "./deadline.ts";
import { createLearn } from "./learn.ts";
import { notices } from "./notices.ts";
import { createPermission } from "./permission.ts";
import { createPlan } from "./plan.ts";
import { createRecord } from "./record.ts";
import { markSent, replay } from "./replay.ts";
import { createReveal } from "./reveal.ts";
import { createSend } from "./send.ts";
import { createTrace } from "./trace.ts";

export type CallContext = {
  readonly catalog: Catalog;
  /** Which calls may be made. */
  readonly policy: Policy;
  /** Where calls are written down, beside their run. */
  readonly recorder?: Pick<Recorder, "callStarted" | "callEnded">;
  readonly telemetry?: Telemetry;
  /** What equal calls returned before. */
  readonly cache?: CallCache;
  /** What the watch for anomalies has to say. */
  readonly heed?: AnomalyHeed | undefined;
  /** Where changes of tools are told: each before the first call that meets it. */
  readonly changesTold?: (() => Promise<void>) | undefined;
};

/** What every call of a tool passes, in this order, and what comes back in the other. A new stage is one line. */
export function toStages({
  catalog,
  policy,
  recorder,
  heed,
  changesTold,
  cache,
  telemetry = NO_TELEMETRY,
}: CallContext): CallStage[] {
  return [
    createReveal(recorder),
    createPlan(policy),
    replay,
    createRecord(recorder),
    createCurrent(catalog, policy, changesTold),
    createPermission(policy, approve, heed),
    deadline,
    notices,
    conceal,
    createCache(cache),
    markSent,
    announce,
    createLearn(catalog.learner),
    createTrace(telemetry, catalog),
  ];
}

/** All of it as one function. The last one alone has a connection. */
export function toPipeline({ catalog }: CallContext, stages: readonly CallStage[]): NextStage {
  return stages.reduceRight<NextStage>((next, stage) => (call) => stage(call, next), createSend(catalog));
}
