import type { CallStage } from "./call.ts";
import { toCallee } from "./callee.ts";

/** Tells a program what it can't see in its result. */
export const notices: CallStage = async (call, next) => {
  const result = await next(call);
  if (result.notANumber !== undefined) {
    const text = `(${toCallee(call, call.run.request?.language).name} sent ${result.notANumber}, read as null)`;
    call.run.logOnce("not a number", { level: "warn", text, isNotice: true });
  }
  return result;
};
