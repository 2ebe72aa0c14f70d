import { acceptBrought, revokeTrust } from "../config/trust/accept.ts";
import type { Brought } from "../config/trust/brought.ts";
import { tellTrust } from "../engine/audit/trail-of-project.ts";
import { loadWithDiscovered } from "../engine/skills/discovered-skills.ts";
import { acceptOwn, isOwnSkill, ownBrought, revokeOwn } from "../engine/skills/own-brought.ts";
import { KeyholeError } from "../errors.ts";
import type { CommandHandler } from "./command.ts";
import { askToTrust, printBrought } from "./show-brought.ts";

const NO_TERMINAL = new KeyholeError("usage", "There is no terminal to ask on, so nothing was trusted", {
  hint: "Look at what is shown above, then run `keyhole trust --yes`",
});

/** Shows what the folder brings, and writes down a person's yes to it. Nothing is started. */
export const trust: CommandHandler = async ({ output, projectDir, options }) => {
  const place = { projectDir, onNotice: output.notice };
  if (options["revoke"] === true) {
    let revoked = 0;
    await tellTrust({ projectDir, onNotice: output.notice }, "trust.revoked", "cli", async () => {
      const { brought } = await loadWithDiscovered({ projectDir });
      revoked = (await revokeTrust({ projectDir })) + (await revokeOwn(place));
      return brought.filter(
        ({ state, isOfHome }) => (state === "trusted" || state === "changed") && !isOfHome,
      );
    });
    if (output.json) output.printJson({ revoked });
    else
      output.print(
        revoked === 0 ? "Nothing of this folder was trusted" : "Nothing of this folder is trusted any more",
      );
    return 0;
  }
  const found = await loadWithDiscovered({ projectDir });
  const brought = [...found.brought, ...(await ownBrought(place))];
  const pending = brought.filter(({ state }) => state !== "trusted");
  if (!output.json) printBrought(brought, output);
  if (pending.length === 0) {
    if (output.json) output.printJson({ trusted: brought.map(toData), pending: [] });
    else output.print(brought.length === 0 ? "This folder brings nothing to trust" : "All of it is trusted");
    return 0;
  }
  const isSaid = options["yes"] === true || (output.interactive && (await askToTrust(pending.length)));
  if (isSaid)
    await tellTrust({ projectDir, onNotice: output.notice }, "trust.given", "cli", async () => {
      const others = pending.filter((item) => !isOwnSkill(item));
      if (others.length > 0) await acceptBrought(others, { projectDir });
      await acceptOwn(pending.filter(isOwnSkill), place);
      return pending;
    });
  const trusted = isSaid ? brought : brought.filter((item) => !pending.includes(item));
  if (output.json)
    output.printJson({ trusted: trusted.map(toData), pending: isSaid ? [] : pending.map(toData) });
  else if (isSaid)
    output.print(
      "Trusted. What runs already takes up servers and skills by itself, settings when it is started again",
    );
  else if (output.interactive) output.print("Nothing was trusted");
  else throw NO_TERMINAL;
  return isSaid ? 0 : 1;
};

function toData({ id, kind, name, file, state, lines, remarks, diff }: Brought) {
  return { id, kind, name, file, state, lines, remarks, diff };
}
