import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { proveLoggedEvent } from "../../engine/audit/prove-event.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { toOutFile, writeOutFile } from "../out-file.ts";

/** A proof that an event is in the log, for who does not have it. It is JSON in any case. */
export async function prove(
  { output, options }: CommandContext,
  audit: ProjectAudit,
  subject: string,
): Promise<number> {
  const { id, sequence, text } = await proveLoggedEvent(audit, subject);
  const target = toOutFile(options["out"]);
  if (target === undefined) {
    if (output.json) output.printJson(JSON.parse(text));
    else output.raw(text);
    return 0;
  }
  await writeOutFile(target, [text]);
  if (output.json) output.printJson({ event: id, sequence, out: target });
  else {
    output.print(`The proof of event ${sequence} is in "${toExcerpt(target, 200)}"`);
    output.note("keyhole audit verify --proof FILE --key FILE checks it, anywhere");
  }
  return 0;
}
