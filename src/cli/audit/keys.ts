import { listAuditKeys } from "../../engine/audit/audit-keys.ts";
import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import type { CommandContext } from "../command.ts";

/** The public keys by which somebody else can verify the log, or a proof. */
export async function keys({ output }: CommandContext, audit: ProjectAudit): Promise<number> {
  const { keys: known, text } = await listAuditKeys(audit);
  if (output.json) output.printJson({ keys: known, pem: text });
  else if (known.length === 0) output.print("There is no key yet: one is made with the first event");
  else output.raw(text);
  return 0;
}
