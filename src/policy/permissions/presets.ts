import type { ToolRecord } from "../../catalog/tool.ts";
import type { Decision, PermissionLevel, SecurityLevel } from "../../config/permissions/schema.ts";
import { type Effect, isGrave, toEffect } from "./verbs.ts";

/** What holds where no rule decides. */

/** `permissions.level`: what may be done at all. */
export const LEVEL_DECISIONS: Readonly<Record<PermissionLevel, (tool: ToolRecord) => Decision>> = {
  read_only: (tool) => (toEffect(tool) === "reads" ? "allow" : "deny"),
  write_restricted: (tool) => (isGrave(toEffect(tool)) ? "ask" : "allow"),
  execute_full: () => "allow",
};

/** `securityLevel`: what is asked for. */
export const SECURITY_DECISIONS: Readonly<Record<SecurityLevel, (tool: ToolRecord) => Decision>> = {
  low: () => "allow",
  moderate: (tool) => (isGrave(toEffect(tool)) ? "ask" : "allow"),
  high: (tool) => (toEffect(tool) === "reads" ? "allow" : "ask"),
  maximum: (tool) => (tool.trusted && toEffect(tool) === "reads" ? "allow" : "ask"),
};

const DOES: Readonly<Record<Effect, string>> = {
  reads: "only reads",
  writes: "changes something",
  destroys: "destroys something, or can",
  sends: "sends something to others",
  pays: "spends money, or commits somebody to it",
  publishes: "makes something public",
  unknown: "does not say that it only reads",
};

/** `"delete_file" destroys something, or can`. */
export function describeEffect(tool: ToolRecord): string {
  const effect = toEffect(tool);
  const whose = tool.declared?.destructive === true ? ", as its server declares" : "";
  const claim =
    effect !== "reads" && tool.declared?.readOnly === true && !tool.trusted
      ? "; that it only reads is the word of a server that is not trusted"
      : "";
  return `"${tool.name}" ${DOES[effect]}${whose}${claim}`;
}
