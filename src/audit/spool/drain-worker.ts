import { parentPort } from "node:worker_threads";
import { createInlineDrain, type Drain } from "./drain.ts";
import { type DrainReply, type DrainRequest, toPlainFailure } from "./drain-messages.ts";

const drains = new Map<number, Drain>();

/** The thread that takes spools into the logs of this process, so that nobody waits for the database. */
parentPort?.on("message", ({ kind, ticket, drain: number, place }: DrainRequest) => {
  const drain =
    drains.get(number) ??
    createInlineDrain({
      place,
      onNotice: (text) => tell({ kind: "notice", drain: number, text }),
      isBackground: true,
    });
  drains.set(number, drain);
  if (kind === "close") drains.delete(number);
  drain[kind]().then(
    () => tell({ kind: "done", ticket }),
    (error: unknown) => tell({ kind: "done", ticket, failure: toPlainFailure(error) }),
  );
});

function tell(reply: DrainReply): void {
  parentPort?.postMessage(reply);
}
