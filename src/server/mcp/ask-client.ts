import { SdkError, SdkErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { RunRequest } from "../../engine/engine.ts";
import type { Session } from "../../session.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import { toForm, toFormAnswer } from "./question.ts";

/** Why a request is cancelled whose client can't get the answer any more. */
export const CLIENT_GONE = "The client has gone";

/** Longer than any run is held. */
export const NO_TIMEOUT_MS = 2_000_000_000;

/** Asks the person who uses a client of the older era, by a request while its call is under way. */
export function createAsker(
  { mcpReq }: ServerContext,
  { client, id: session }: Session,
  command: KeyholeCommand,
): NonNullable<RunRequest["askPerson"]> {
  return {
    channel: "elicitation",
    async ask(approval, signal) {
      const params = { ...toForm(approval, command, session) };
      const options = { signal, timeout: NO_TIMEOUT_MS };
      const answer = toFormAnswer(
        await mcpReq.send({ method: "elicitation/create", params }, options),
        approval,
        session,
      );
      return answer && { answer, by: `elicitation ${client.name}` };
    },
  };
}

/** Ends a run as its request does; but a client that goes while a person is asked, by whatever way, leaves the run held. */
export function createLeaving(
  request: AbortSignal,
  isAsking: (runId: string) => boolean,
): { readonly signal: AbortSignal; follow(runId: string): void } {
  const stop = new AbortController();
  let runId: string | undefined;
  const onAbort = () => {
    const isLeft = runId !== undefined && hasGone(request.reason) && isAsking(runId);
    if (!isLeft) stop.abort();
  };
  if (request.aborted) onAbort();
  request.addEventListener("abort", onAbort, { once: true });
  return {
    signal: stop.signal,
    follow(id) {
      runId = id;
    },
  };
}

export function hasGone(reason: unknown): boolean {
  return (
    reason === CLIENT_GONE || (reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed)
  );
}
