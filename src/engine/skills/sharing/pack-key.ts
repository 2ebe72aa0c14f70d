import { homedir } from "node:os";
import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { openPackKey } from "../../../skills/packs/signing-key.ts";
import { userDir } from "../../project.ts";

/** The user's own key for packs, which is made when there is none: the public one, and by what people compare it. */
export async function showPackKey(): Promise<{ readonly key: string; readonly fingerprint: string }> {
  const { key } = await openPackKey(userDir({ homeDir: homedir(), env: process.env }));
  return { key, fingerprint: toFingerprint(key) };
}
