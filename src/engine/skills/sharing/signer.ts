import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { findPackKey } from "../../../skills/packs/signing-key.ts";
import type { SkillActor, Skills, SkillVersion } from "../../../skills/skill.ts";
import { isOwnOf } from "../../../skills/skill-status.ts";

/** `trusted`: in the user's own config; `own`: the user's own key. That a signature is right was proved before. */
export type Signer =
  | { readonly kind: "unsigned" }
  | { readonly kind: "unknown" | "own"; readonly key: string; readonly fingerprint: string }
  | { readonly kind: "trusted"; readonly key: string; readonly fingerprint: string; readonly name: string };

/** @param trusted public keys by the names that the user has given them */
export async function findSigner(
  signature: { readonly key: string } | undefined,
  trusted: Readonly<Record<string, string>>,
  userDir: string,
): Promise<Signer> {
  if (signature === undefined) return { kind: "unsigned" };
  const { key } = signature;
  const fingerprint = toFingerprint(key);
  const [name] = Object.entries(trusted).find(([, one]) => one === key) ?? [];
  if (name !== undefined) return { kind: "trusted", key, fingerprint, name };
  // A key that can't be read is not this one.
  const own = await findPackKey(userDir).catch(() => undefined);
  return { kind: own?.key === key ? "own" : "unknown", key, fingerprint };
}

/** Whose word counts as a yes: the principal under which it is written down. */
export function toApprover(signer: Signer): string | undefined {
  return signer.kind === "trusted" ? `key ${signer.fingerprint}` : undefined;
}

/** Whether somebody has said yes to these very files, or they are this one's own. */
export function isSaid(version: SkillVersion, { principal }: SkillActor): boolean {
  return version.approvedBy !== undefined || isOwnOf(version, principal);
}

/** A key that is trusted no more has said yes to nothing. */
export async function revokeUntrusted(
  store: Pick<Skills, "approvers" | "revoke">,
  trustedKeys: Readonly<Record<string, string>>,
): Promise<void> {
  const trusted = new Set(Object.values(trustedKeys).map((key) => `key ${toFingerprint(key)}`));
  for (const principal of await store.approvers())
    if (principal.startsWith("key ") && !trusted.has(principal)) await store.revoke({ principal });
}
