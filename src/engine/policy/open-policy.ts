import { type AllowedTools, createAllowedTools } from "../../policy/permissions/allowed-tools.ts";
import { createPolicy, type Policy } from "../../policy/permissions/policy.ts";
import type { Project } from "../project.ts";

/** What the config files of a project and its user say of calls. */
export function openPolicy({ config, state }: Pick<Project, "config" | "state">): {
  policy: Policy;
  allowed: AllowedTools;
} {
  const allowed = createAllowedTools(state);
  return { policy: createPolicy(config.policies, allowed), allowed };
}
