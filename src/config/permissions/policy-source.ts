import type { CommandSettings } from "../commands/schema.ts";
import type { PrivacySection } from "../privacy/schema.ts";
import type { Permissions, SecurityLevel } from "./schema.ts";

/** What one config file says of calls; what it does not say, it leaves to the others. */
export type PolicySource = {
  readonly file: string;
  readonly permissions?: Permissions;
  readonly securityLevel?: SecurityLevel;
  readonly commands?: CommandSettings;
  readonly privacy?: PrivacySection;
};
