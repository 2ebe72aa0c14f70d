import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { KeyholeConfig } from "../../config/schema.ts";
import { expandVariables } from "../../config/variables.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { Approvals } from "../../policy/approvals/approvals.ts";
import { withTimeLimit } from "../../process/time-limit.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toShownApproval } from "./shown-approval.ts";
import { isSigned, type Signed, sign, toNonce } from "./signature.ts";

/** Tells an address of the user's own of each question, and takes answers that are signed by the same secret. */
export type Webhook = {
  notify(approval: Approval): void;
  /** Throws with code `denied` what is not signed as it should be. */
  accept(id: string, signed: Signed, signature: string): Promise<Approval>;
  close(): void;
};

export type WebhookSettings = { readonly url: URL; readonly secret: string };

export type WebhookOptions = {
  readonly approvals: Pick<Approvals, "get" | "answer">;
  readonly onNotice?: ((text: string) => void) | undefined;
};

const ATTEMPT_MS = 10_000;
/** What is waited before each further attempt. */
const RETRY_AFTER_MS = [1_000, 5_000, 25_000];
const MAX_UNDER_WAY = 8;
const MAX_WAITING = 1_000;
const MAX_BODY_BYTES = 256 * 1024;
/** Clocks differ. */
const WINDOW_SECONDS = 300;
const MIN_SECRET = 16;

export function createWebhook(
  { url, secret }: WebhookSettings,
  { approvals, onNotice }: WebhookOptions,
): Webhook {
  const closing = new AbortController();
  const waiting: Approval[] = [];
  let underWay = 0;

  async function attempt(approval: Approval): Promise<string | undefined> {
    const body = toBody(approval);
    const signed = { timestamp: String(nowSeconds()), nonce: toNonce(secret, approval.id), body };
    try {
      const response = await withTimeLimit(ATTEMPT_MS, [closing.signal], (signal) =>
        fetch(url, {
          method: "POST",
          // A redirect would lead to where the user's config does not.
          redirect: "manual",
          headers: {
            "content-type": "application/json",
            "keyhole-timestamp": signed.timestamp,
            "keyhole-nonce": signed.nonce,
            "keyhole-signature": sign(secret, "question", signed),
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

  async function deliver(approval: Approval): Promise<void> {
    let problem: string | undefined;
    for (const pauseMs of [0, ...RETRY_AFTER_MS]) {
      await pause(pauseMs, closing.signal);
      if (closing.signal.aborted) return;
      const now = await approvals.get(approval.id);
      if (now?.status !== "pending") return;
      problem = await attempt(approval);
      if (problem === undefined || closing.signal.aborted) return;
    }
    onNotice?.(`The webhook at ${url.origin} was not told of approval ${approval.id}: ${problem}`);
  }

  function deliverNext(): void {
    while (underWay < MAX_UNDER_WAY) {
      const approval = waiting.shift();
      if (approval === undefined) return;
      underWay++;
      void deliver(approval)
        .catch((error: unknown) => onNotice?.(`The webhook at ${url.origin} failed: ${errorMessage(error)}`))
        .finally(() => {
          underWay--;
          deliverNext();
        });
    }
  }

  return {
    notify(approval) {
      if (waiting.length >= MAX_WAITING) {
        onNotice?.(`The webhook at ${url.origin} is not told of approval ${approval.id}: too many wait`);
        return;
      }
      waiting.push(approval);
      deliverNext();
    },
    async accept(id, signed, signature) {
      const age = Math.abs(nowSeconds() - Number(signed.timestamp));
      const isRight =
        isSigned(secret, "answer", signed, signature) && isSameText(signed.nonce, toNonce(secret, id));
      if (!isRight) throw new KeyholeError("denied", "The signature is not right");
      if (!(age <= WINDOW_SECONDS))
        throw new KeyholeError("denied", `The timestamp is more than ${WINDOW_SECONDS} seconds off`);
      // A question is answered once: sent again, the same answer meets one that is not open any more.
      const answer = parseAnswer(parseJson(signed.body));
      const isWider = answer.decision === "approve" && answer.scope !== "once";
      const approval = isWider ? await approvals.get(id) : undefined;
      if (approval !== undefined && !isWhole(approval))
        throw new KeyholeError("usage", 'Its calls were not in the question: "scope" can only be "once"');
      return approvals.answer(id, answer, "webhook");
    },
    close: () => closing.abort(),
  };
}

/** As it is configured, with its variables put in; nothing where it is not. */
export function toWebhookSettings(
  { approval }: Pick<KeyholeConfig, "approval">,
  env: NodeJS.ProcessEnv,
): WebhookSettings | undefined {
  const { webhook, channels } = approval;
  if (!webhook || !channels.includes("webhook")) return undefined;
  const expand = (text: string, key: string) => {
    try {
      return expandVariables(text, `approval.webhook.${key}`, env);
    } catch (error) {
      throw invalid(errorMessage(error));
    }
  };
  const secret = expand(webhook.secret, "secret");
  if (secret.length < MIN_SECRET)
    throw invalid(`"approval.webhook.secret" must have at least ${MIN_SECRET} characters`);
  const text = expand(webhook.url, "url");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== "" || url.password !== "")
    throw invalid(
      '"approval.webhook.url" must be an https address without a password, or http on this machine',
    );
  return { url, secret };
}

function toBody(approval: Approval): string {
  const answerAt = `/approvals/${approval.id}/webhook`;
  if (isWhole(approval))
    return JSON.stringify({ type: "approval", answerAt, approval: toShownApproval(approval) });
  const { id, runId, status, createdAt, expiresAt, risk } = toShownApproval(approval);
  const short = { id, runId, status, createdAt, expiresAt, risk, calls: approval.calls.length };
  return JSON.stringify({ type: "approval", answerAt, approval: short, omitted: ["calls"] });
}

/** Whether its calls are in what is posted. */
function isWhole(approval: Approval): boolean {
  const { answer: _, ...asked } = toShownApproval(approval);
  return Buffer.byteLength(JSON.stringify(asked)) <= MAX_BODY_BYTES;
}

function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost";
}

function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyholeError("usage", "The answer is no JSON");
  }
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

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

function invalid(message: string): KeyholeError {
  return new KeyholeError("config_invalid", message, {
    hint: 'Mend "approval.webhook" in the config, set the variable it names, or remove it',
  });
}
