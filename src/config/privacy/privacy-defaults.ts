import type { SecurityLevel } from "../permissions/schema.ts";
import { DEFAULT_ACTIONS } from "./actions.ts";
import type { PrivacySection } from "./schema.ts";

/** The stricter one last. */
export const PRIVACY_MODES = ["egress", "boundary"] as const;

export const DEFAULT_PRESIDIO_TIMEOUT_MS = 5_000;

/** Where nothing is said of it. */
export function toDefaultMode(level: SecurityLevel): (typeof PRIVACY_MODES)[number] {
  return level === "high" || level === "maximum" ? "boundary" : "egress";
}

/**
 * A section that also says what holds where it says nothing, so that no other can be weaker. One that nobody has accepted can't
 * choose the weaker mode.
 */
export function toHeldPrivacy(
  written: PrivacySection | null | undefined,
  { isAccepted }: { readonly isAccepted: boolean },
): PrivacySection {
  const { mode, ...rest } = written ?? {};
  return {
    ...rest,
    ...(mode === "boundary" || (mode !== undefined && isAccepted) ? { mode } : {}),
    helpers: rest.helpers ?? true,
    classes: { ...DEFAULT_ACTIONS, ...rest.classes },
  };
}
