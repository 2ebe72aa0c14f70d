import type { PolicySource } from "../../config/permissions/policy-source.ts";
import { SECURITY_LEVELS, type SecurityLevel } from "../../config/permissions/schema.ts";

const DEFAULT: SecurityLevel = "moderate";

/** Where several files speak, the strictest holds. */
export function toSecurityLevel(policies: readonly PolicySource[]): SecurityLevel {
  const said = policies.flatMap(({ securityLevel }) => securityLevel ?? []);
  return SECURITY_LEVELS.findLast((level) => said.includes(level)) ?? DEFAULT;
}
