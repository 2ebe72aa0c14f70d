import type { KeyholeConfig } from "../../config/schema.ts";
import { type Approvals, createApprovals } from "../../policy/approvals/approvals.ts";
import { createDesk, type Desk } from "../../policy/approvals/desk.ts";
import type { Database } from "../../store/database/sqlite.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { randomId } from "../../text/random-id.ts";
import { createWebhook, toWebhookSettings, type Webhook } from "./webhook.ts";

export type OpenApprovals = {
  readonly approvals: Approvals;
  readonly desk: Desk;
  readonly webhook?: Webhook | undefined;
};

export type OpenApprovalsOptions = {
  database(): Promise<Database>;
  readonly state: Pick<StateDir, "prove">;
  readonly env: NodeJS.ProcessEnv;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** What the config says of approvals, over the project's database. */
export function openApprovals(
  config: Pick<KeyholeConfig, "approval">,
  { database, state, env, onNotice }: OpenApprovalsOptions,
): OpenApprovals {
  const { holdMs, expiresMs, onExpiry, channels } = config.approval;
  const approvals = createApprovals({
    database,
    expiresMs,
    onExpiry,
    prove: (text) => state.prove("approval", text),
  });
  const settings = toWebhookSettings(config, env);
  const webhook = settings && createWebhook(settings, { approvals, onNotice });
  const desk = createDesk({
    approvals,
    holdMs,
    channels,
    newId: () => randomId("a"),
    ...(webhook && { notify: webhook.notify }),
  });
  return { approvals, desk, webhook };
}
