import type { AuditEvent } from "../../audit/event.ts";
import { errorMessage } from "../../errors.ts";
import { type DeliveryOptions, deliverSigned } from "../../network/webhook/post-signed.ts";
import type { WebhookTarget } from "../../network/webhook/webhook-target.ts";

/** Tells an address of the user's own, in the order in which they were found. */
export type AnomalyWebhook = {
  notify(event: AuditEvent<"anomaly.found">): void;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
  close(): void;
};

export type AnomalyWebhookOptions = Pick<DeliveryOptions, "retryAfterMs"> & {
  readonly onNotice: (text: string) => void;
};

const MAX_WAITING = 200;

export function createAnomalyWebhook(
  target: WebhookTarget,
  { onNotice, retryAfterMs }: AnomalyWebhookOptions,
): AnomalyWebhook {
  const closing = new AbortController();
  const waiting: AuditEvent<"anomaly.found">[] = [];
  let work: Promise<void> | undefined;
  let left = 0;

  async function deliverAll(): Promise<void> {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      const post = { purpose: "anomaly", id: event.id, body: toBody(event) } as const;
      const options = { signal: closing.signal, ...(retryAfterMs && { retryAfterMs }) };
      const problem = await deliverSigned(target, post, options).catch(errorMessage);
      if (closing.signal.aborted) return;
      if (problem !== undefined)
        onNotice(`The webhook at ${target.url.origin} was not told of an anomaly: ${problem}`);
    }
    if (left > 0) onNotice(`The webhook at ${target.url.origin} was not told of ${left} anomalies: too many`);
    left = 0;
  }

  return {
    notify(event) {
      if (closing.signal.aborted) return;
      if (waiting.length >= MAX_WAITING) {
        left++;
        return;
      }
      waiting.push(event);
      work ??= deliverAll().finally(() => {
        work = undefined;
      });
    },
    settled: async () => work,
    close: () => closing.abort(),
  };
}

function toBody({
  id,
  at,
  session,
  principal,
  client,
  run,
  server,
  tool,
  details,
}: AuditEvent<"anomaly.found">): string {
  return JSON.stringify({
    type: "anomaly",
    id,
    at,
    session,
    principal,
    client,
    run,
    server,
    tool,
    ...details,
  });
}
