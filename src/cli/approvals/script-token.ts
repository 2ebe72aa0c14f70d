import { createHash, timingSafeEqual } from "node:crypto";
import { toPlaces } from "../../config/places.ts";
import { readUserConfig } from "../../config/user-config.ts";
import { KeyholeError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";

const VARIABLE = "KEYHOLE_APPROVAL_TOKEN";

/**
 * A script may approve with a token of which the user's own config has the hash: whoever can read the config can't approve by that.
 * What a project says of it does not count. Throws where it is not given, or another.
 */
export async function assertScriptToken(projectDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const layer = await readUserConfig(toPlaces({ projectDir, env }));
  const approval = layer?.block["approval"];
  const wanted = isRecord(approval) ? approval["scriptToken"] : undefined;
  const given = env[VARIABLE];
  if (typeof wanted !== "string")
    throw refusal("The user's own config has no approval.scriptToken", ON_TERMINAL);
  if (given === undefined || given === "") throw refusal(`${VARIABLE} is not set`, ON_TERMINAL);
  const hash = `sha256:${createHash("sha256").update(given).digest("hex")}`;
  if (hash.length !== wanted.length || !timingSafeEqual(Buffer.from(hash), Buffer.from(wanted)))
    throw refusal(`${VARIABLE} is not the token of approval.scriptToken`, ON_TERMINAL);
}

const ON_TERMINAL = "A person approves it on a terminal; docs/approvals.md tells how a script can";

function refusal(message: string, hint: string): KeyholeError {
  return new KeyholeError("denied", `Nothing was approved: ${message}`, { hint });
}
