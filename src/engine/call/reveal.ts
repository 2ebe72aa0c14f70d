import { toKeyholeError } from "../../errors.ts";
import type { CallStage } from "./call.ts";
import { namingOfLanguage } from "./callee.ts";
import { type CallRecorder, recordRefused } from "./record.ts";

/**
 * Arguments as the tool is to get them, and where it may not, an error. First of all, so that rules, people and plans decide on what
 * is really sent.
 */
export function createReveal(recorder: CallRecorder | undefined): CallStage {
  return async (call, next) => {
    const { id, run, session, server, tool, args, trace } = call;
    const { privacy } = run;
    if (privacy === undefined) return next(call);
    if (run.trail !== undefined) trace.revealed = new Map();
    const to = {
      server: server.name,
      tool: tool.name,
      function: tool.identifiers[namingOfLanguage(run.request?.language)],
      inputSchema: tool.inputSchema,
      ...(trace.revealed && { revealed: trace.revealed }),
    };
    // Where tools may not see everything, what came in must have been looked at.
    await privacy.settled(session.id);
    let revealed: typeof args;
    try {
      revealed = privacy.sendArguments(args, to, session.id);
    } catch (error) {
      const failure = toKeyholeError(error);
      recordRefused(recorder, { id, run, args, server: server.name, tool: tool.name }, failure);
      throw failure;
    }
    return next(revealed === args ? call : { ...call, args: revealed });
  };
}
