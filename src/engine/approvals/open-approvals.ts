import type { KeyholeConfig } from "../../config/schema.ts";
import {
  type ApprovalListener,
  type Approvals,
  createApprovals,
  type MisfitOf,
} from "../../policy/approvals/approvals.ts";
import { createDesk, type Desk } from "../../policy/approvals/desk.ts";
import type { Database } from "../../store/database/sqlite.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { createKeyholeCommand, type KeyholeCommand } from "../../text/keyhole-command.ts";
import { randomId } from "../../text/random-id.ts";
import type { TellShown } from "../audit/shown-approvals.ts";
import { type ApprovalWays, toApprovalWays } from "./ways.ts";
import { createWebhook, toWebhookSettings, type Webhook } from "./webhook.ts";

export type OpenApprovals = {
  readonly approvals: Approvals;
  readonly desk: Desk;
  readonly webhook?: Webhook | undefined;
  readonly answerBy: ApprovalWays["answerBy"];
  readonly command: KeyholeCommand;
};

export type OpenApprovalsOptions = {
  database(): Promise<Database>;
  readonly state: Pick<StateDir, "prove">;
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly misfitOf: MisfitOf;
  /** Is told of questions and answers. */
  readonly listener?: ApprovalListener | undefined;
  /** Of questions with personal values in them, before they are shown. */
  readonly tellShown?: TellShown | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** What the config says of approvals, over the project's database. */
export function openApprovals(
  config: Pick<KeyholeConfig, "approval" | "http">,
  { database, state, projectDir, env, misfitOf, listener, tellShown, onNotice }: OpenApprovalsOptions,
): OpenApprovals {
  const { holdMs, expiresMs, onExpiry, channels } = config.approval;
  const command = createKeyholeCommand(projectDir);
  const { answerBy, ...ways } = toApprovalWays(config, command);
  const approvals = createApprovals({
    database,
    expiresMs,
    onExpiry,
    prove: (text) => state.prove("approval", text),
    command,
    misfitOf,
    listener,
  });
  const settings = toWebhookSettings(config, env);
  const webhook = settings && createWebhook(settings, { approvals, tellShown, onNotice });
  const desk = createDesk({
    approvals,
    holdMs,
    channels,
    ...ways,
    newId: () => randomId("a"),
    onNotice,
    ...(webhook && { notify: webhook.notify }),
  });
  return { approvals, desk, webhook, answerBy, command };
}
