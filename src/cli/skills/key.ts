import { showPackKey } from "../../engine/skills/sharing/pack-key.ts";
import type { CommandContext } from "../command.ts";

/** The public key that signs the user's packs: others write it into their config to trust it. */
export async function showKey({ output }: CommandContext): Promise<number> {
  const { key, fingerprint } = await showPackKey();
  if (output.json) output.printJson({ key, fingerprint });
  else {
    output.print(key);
    output.note(
      `Fingerprint ${fingerprint}. Others trust it by "skills": { "trustedKeys": { "NAME": "${key}" } } in ~/.config/keyhole/config.json`,
    );
  }
  return 0;
}
