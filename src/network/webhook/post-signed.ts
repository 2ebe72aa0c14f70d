import { errorMessage } from "../../errors.ts";
import { withTimeLimit } from "../../process/time-limit.ts";
import { type SignaturePurpose, sign, toNonce } from "./signature.ts";
import type { WebhookTarget } from "./webhook-target.ts";

export type SignedPost = {
  readonly purpose: SignaturePurpose;
  /** Of what is told; its nonce is made of it, so that a receiver knows what came twice. */
  readonly id: string;
  readonly body: string;
};

export type DeliveryOptions = {
  readonly signal: AbortSignal;
  /** Asked before each attempt. */
  readonly isWanted?: () => Promise<boolean>;
  /** What is waited before each further attempt. */
  readonly retryAfterMs?: readonly number[];
};

const ATTEMPT_MS = 10_000;
const RETRY_AFTER_MS = [1_000, 5_000, 25_000];

/** Posts it until the address has taken it, or nobody wants that any more. Tells what stood against it in the end. */
export async function deliverSigned(
  target: WebhookTarget,
  post: SignedPost,
  { signal, isWanted, retryAfterMs = RETRY_AFTER_MS }: DeliveryOptions,
): Promise<string | undefined> {
  let problem: string | undefined;
  for (const pauseMs of [0, ...retryAfterMs]) {
    await pause(pauseMs, signal);
    if (signal.aborted) return problem;
    if ((await isWanted?.()) === false) return undefined;
    problem = await postSigned(target, post, signal);
    if (problem === undefined || signal.aborted) return problem;
  }
  return problem;
}

async function postSigned(
  { url, secret }: WebhookTarget,
  { purpose, id, body }: SignedPost,
  ending: AbortSignal,
): Promise<string | undefined> {
  const signed = { timestamp: String(nowSeconds()), nonce: toNonce(secret, id), body };
  try {
    const response = await withTimeLimit(ATTEMPT_MS, [ending], (signal) =>
      fetch(url, {
        method: "POST",
        // A redirect would lead to where the user's config does not.
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "keyhole-timestamp": signed.timestamp,
          "keyhole-nonce": signed.nonce,
          "keyhole-signature": sign(secret, purpose, signed),
        },
        body,
        signal,
      }),
    );
    await response.body?.cancel();
    return response.ok ? undefined : `it answers ${response.status}`;
  } catch (error) {
    return errorMessage(error);
  }
}

export const nowSeconds = () => Math.floor(Date.now() / 1_000);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener("abort", done);
  });
}
