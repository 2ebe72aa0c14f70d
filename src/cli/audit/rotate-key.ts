import { rotateAuditKey } from "../../engine/audit/audit-keys.ts";
import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { rotateAuditSeal } from "../../engine/audit/keep-of-project.ts";
import type { CommandContext } from "../command.ts";

/** A new key signs the log from now on; what the old one signed counts on. */
export async function rotateKey({ output, options }: CommandContext, audit: ProjectAudit): Promise<number> {
  if (options["seal"] === true) return rotateSeal(output, audit);
  const { key, previous } = await rotateAuditKey(audit);
  if (output.json) output.printJson({ key, ...(previous !== undefined && { previous }) });
  else {
    output.print(
      `The log is signed by key ${key} now${previous === undefined ? "" : `, in the place of ${previous}`}`,
    );
    output.note("It is for all logs of this user; the old key's signatures count on");
  }
  return 0;
}

/** Likewise for what seals the details of events; the old one stays in the user's folder, and opens what it sealed. */
async function rotateSeal(output: CommandContext["output"], audit: ProjectAudit): Promise<number> {
  const seal = await rotateAuditSeal(audit);
  const isSealing = audit.settings.encrypt;
  if (output.json) output.printJson({ seal, encrypt: isSealing });
  else if (!isSealing) {
    output.print(`The key that seals details is ${seal} now, and nothing is sealed: "audit.encrypt" is off`);
    output.note('Set "encrypt": true in the section "audit" of the config to have details sealed');
  } else {
    output.print(`Details are sealed by key ${seal} from now on`);
    output.note(
      "Gateways that run go on with the old key until they are started anew; both open what they sealed",
    );
  }
  return 0;
}
