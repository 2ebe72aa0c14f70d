import { timingSafeEqual } from "node:crypto";
import type { KeyholeConfig } from "../../config/schema.ts";
import { expandVariables } from "../../config/variables.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { deliverSigned, nowSeconds } from "../../network/webhook/post-signed.ts";
import { isSigned, type Signed, toNonce } from "../../network/webhook/signature.ts";
import { parseWebhookTarget, type WebhookTarget } from "../../network/webhook/webhook-target.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { Approvals } from "../../policy/approvals/approvals.ts";
import type { TellShown } from "../audit/shown-approvals.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toShownApproval } from "./shown-approval.ts";

/** Tells an address of the user's own of each question, and takes answers that are signed by the same secret. */
export type Webhook = {
  notify(approval: Approval): void;
  /** Throws with code `denied` what is not signed as it should be. */
  accept(id: string, signed: Signed, signature: string): Promise<Approval>;
  close(): void;
};

export type WebhookOptions = {
  readonly approvals: Pick<Approvals, "get" | "answer">;
  /** Told before values leave in a question; where it fails, the question does not. */
  readonly tellShown?: TellShown | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
};

const MAX_UNDER_WAY = 8;
const MAX_WAITING = 1_000;
const MAX_BODY_BYTES = 256 * 1024;
/** Clocks differ. */
const WINDOW_SECONDS = 300;

export function createWebhook(
  { url, secret }: WebhookTarget,
  { approvals, tellShown, onNotice }: WebhookOptions,
): Webhook {
  const closing = new AbortController();
  const waiting: Approval[] = [];
  let underWay = 0;

  async function deliver(approval: Approval): Promise<void> {
    if (isWhole(approval)) await tellShown?.([approval], "webhook", url.host);
    const problem = await deliverSigned(
      { url, secret },
      { purpose: "question", id: approval.id, body: toBody(approval) },
      {
        signal: closing.signal,
        isWanted: async () => (await approvals.get(approval.id))?.status === "pending",
      },
    );
    if (problem === undefined || closing.signal.aborted) return;
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
): WebhookTarget | undefined {
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
  const target = parseWebhookTarget(expand(webhook.url, "url"), secret);
  if ("fault" in target) throw invalid(`"approval.webhook.${target.key}" ${target.fault}`);
  return target;
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

function invalid(message: string): KeyholeError {
  return new KeyholeError("config_invalid", message, {
    hint: 'Mend "approval.webhook" in the config, set the variable it names, or remove it',
  });
}
