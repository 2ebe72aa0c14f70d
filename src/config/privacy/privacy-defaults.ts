import type { SecurityLevel } from "../permissions/schema.ts";
import { DEFAULT_ACTIONS } from "./actions.ts";
import type { PRIVACY_MODES, PrivacySection } from "./schema.ts";

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
