import type { KeyholeConfig } from "../../config/schema.ts";
import { type Approvals, createApprovals } from "../../policy/approvals/approvals.ts";
import { createDesk, type Desk } from "../../policy/approvals/desk.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { randomId } from "../../text/random-id.ts";

export type OpenApprovals = { readonly approvals: Approvals; readonly desk: Desk };

/** What the config says of approvals, over the project's database. */
export function openApprovals(
  { approval }: Pick<KeyholeConfig, "approval">,
  database: () => Promise<Database>,
): OpenApprovals {
  const { holdMs, expiresMs, onExpiry, channels } = approval;
  const approvals = createApprovals({ database, expiresMs, onExpiry });
  return { approvals, desk: createDesk({ approvals, holdMs, channels, newId: () => randomId("a") }) };
}
