import type { Catalog } from "../../catalog/catalog.ts";
import type { Policy } from "../../policy/permissions/policy.ts";
import { approve } from "../approvals/approve.ts";
import type { Recorder } from "../recorder.ts";
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

export type CallContext = {
  readonly catalog: Catalog;
  /** Which calls may be made. */
  readonly policy: Policy;
  /** Where calls are written down, beside their run. */
  readonly recorder?: Pick<Recorder, "callStarted" | "callEnded">;
};

/** What every call of a tool passes, in this order, and what comes back in the other. A new stage is one line. */
export function toStages({ catalog, policy, recorder }: CallContext): CallStage[] {
  return [
    createReveal(recorder),
    createPlan(policy),
    replay,
    createRecord(recorder),
    createCurrent(catalog, policy),
    createPermission(policy, approve),
    markSent,
    // The cache has its place here.
    deadline,
    notices,
    conceal,
    createLearn(catalog.learner),
  ];
}

/** All of it as one function. The last one alone has a connection. */
export function toPipeline({ catalog }: CallContext, stages: readonly CallStage[]): NextStage {
  return stages.reduceRight<NextStage>((next, stage) => (call) => stage(call, next), createSend(catalog));
}
