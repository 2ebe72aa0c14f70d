import { type ErrorCode, KeyholeError, ToolError } from "../../errors.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { ResultSource, WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { tellFound } from "../audit/privacy-events.ts";
import type { Call, CallResult, CallStage } from "./call.ts";

/** What comes back is looked at: personal values are known from here on, and in boundary mode they do not enter the sandbox. */
export const conceal: CallStage = async (call, next) => {
  const { privacy } = call.run;
  if (privacy === undefined) return next(call);
  const found: FoundValues | undefined = call.run.trail && new Map();
  const from = { ...toSource(call), ...(found && { found }) };
  let result: CallResult;
  try {
    result = await next(call);
  } catch (error) {
    const taken = await takeFailure(error, privacy, from);
    if (found) tellFound(call, found, privacy);
    throw taken;
  }
  const taken = privacy.takeResult(result.value, from);
  const value = taken instanceof Promise ? await taken : taken;
  if (found) tellFound(call, found, privacy);
  if (value === result.value) return result;
  if (privacy.mode === "boundary") call.run.noteTokens?.();
  // What stands for a value must mean the same tomorrow.
  await privacy.commit();
  return { ...result, value };
};

function toSource({ session, server, id, tool }: Call): ResultSource {
  return { session: session.id, server: server.name, callId: id, schema: tool.outputSchema };
}

/** A server's words about what went wrong are data like its results; ours are not. */
const THEIRS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "tool_failed",
  "server_misbehaved",
  "server_closed",
  "server_unreachable",
  "input_required",
]);

async function takeFailure(error: unknown, privacy: WorkspacePrivacy, from: ResultSource): Promise<unknown> {
  if (!(error instanceof KeyholeError) || !THEIRS.has(error.code)) return error;
  const { code, hint, server = "", tool = "" } = error;
  const message = await privacy.takeText(error.message, from);
  const details = await Promise.all(error.details.map((line) => privacy.takeText(line, from)));
  if (privacy.mode === "egress") return error;
  if (error instanceof ToolError) return new ToolError(server, tool, message, []);
  return new KeyholeError(code, message, { details, server, tool, ...(hint !== undefined && { hint }) });
}
