import type { Policy } from "../../policy/permissions/policy.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import { type CallStage, toAsked } from "./call.ts";

/** In a pass that only plans, a write is noted and answered by a stand-in; what is denied is denied, and reads are made. */
export function createPlan(policy: Policy): CallStage {
  return async (call, next) => {
    const book = call.run.gate?.plan;
    const { number, server, tool, id } = call;
    if (book === undefined || number === undefined) return next(call);
    if (toEffect(tool) === "reads") {
      book.look(call);
      return next(call);
    }
    const waiting = policy.ready();
    if (waiting !== undefined) await waiting;
    const { decision, reason } = policy.decide(toAsked(call));
    if (decision === "deny") return next(call);
    const value = book.add({ ...call, number }, decision === "ask" ? reason : "It is part of the plan");
    return { value, content: [], from: { server: server.name, tool: tool.name, callId: id } };
  };
}
