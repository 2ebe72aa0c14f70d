import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import type { CommandContext } from "../command.ts";

/** Why there may be nothing to see. */
export function tellNothing({ output, projectDir }: CommandContext, { isOn, log }: ProjectAudit): void {
  if (log === undefined)
    output.print(isOn ? "Nothing has been written down here yet" : "Nothing has been written down here");
  if (!isOn) tellOff({ output });
  else if (log === undefined)
    output.note(
      `What programs do is written down as they run: ${createKeyholeCommand(projectDir)("run FILE")}`,
    );
}

export function tellOff({ output }: Pick<CommandContext, "output">): void {
  output.note('The audit log is off: "auditLogging" is false in the config, so nothing is added to it');
}
