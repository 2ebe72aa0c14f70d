import { tellSent } from "../audit/call-events.ts";
import type { CallStage } from "./call.ts";

/** What may write, or discloses something, is in the audit log before it is handed to the server; where it can't be, it is not sent. */
export const announce: CallStage = async (call, next) => {
  const { trail } = call.run;
  if (trail === undefined) return next(call);
  const told = tellSent(call, trail);
  if (told !== undefined) await told;
  return next(call);
};
