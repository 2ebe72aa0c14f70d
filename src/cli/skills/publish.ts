import { LOCAL_PRINCIPAL } from "../../session.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { withEngine } from "./with-engine.ts";

/** Into the team's library, with what they import. */
export function publishToTeam(context: CommandContext, names: string): Promise<number> {
  const { output } = context;
  return withEngine(context, async ({ skills }) => {
    const published = await skills.sharing.publish(names.split(" "), { principal: LOCAL_PRINCIPAL });
    if (output.json) {
      output.printJson(published);
      return 0;
    }
    for (const { name, version, isSame } of published.skills)
      output.print(
        `${output.style("bold", name)}  ${isSame ? "is there already as" : "published as"} v${version}`,
      );
    output.note(
      `In "${toExcerpt(published.library, 200)}", signed by your key ${published.fingerprint}: those use it who have that key in their "skills.trustedKeys"`,
    );
    return 0;
  });
}
