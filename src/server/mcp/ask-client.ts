import { SdkError, SdkErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { RunRequest } from "../../engine/engine.ts";
import type { Session } from "../../session.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import { toForm, toFormAnswer } from "./question.ts";

/** Why a request is cancelled whose client can't get the answer any more. */
export const CLIENT_GONE = "The client has gone";

/** Longer than any run is held. */
export const NO_TIMEOUT_MS = 2_000_000_000;

export type Asker = {
  readonly askPerson: NonNullable<RunRequest["askPerson"]>;
  /** Ends the run as the request's does; but a client that goes while it is asked leaves its run held. */
  readonly signal: AbortSignal;
};

/** Asks the person who uses a client of the older era, by a request while its call is under way. */
export function createAsker({ mcpReq }: ServerContext, { client }: Session, command: KeyholeCommand): Asker {
  const stop = new AbortController();
  let open = 0;
  const onAbort = () => {
    if (open === 0 || !hasGone(mcpReq.signal.reason)) stop.abort();
  };
  if (mcpReq.signal.aborted) onAbort();
  mcpReq.signal.addEventListener("abort", onAbort, { once: true });
  return {
    signal: stop.signal,
    askPerson: {
      channel: "elicitation",
      async ask(approval, signal) {
        open++;
        try {
          const params = { ...toForm(approval, command) };
          const options = { signal, timeout: NO_TIMEOUT_MS };
          const answer = toFormAnswer(
            await mcpReq.send({ method: "elicitation/create", params }, options),
            approval,
          );
          return answer && { answer, by: `elicitation ${client.name}` };
        } finally {
          open--;
        }
      },
    },
  };
}

function hasGone(reason: unknown): boolean {
  return (
    reason === CLIENT_GONE || (reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed)
  );
}
