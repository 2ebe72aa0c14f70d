import type { LoadedConfig } from "../../config/load.ts";
import type { Project } from "../project.ts";
import type { InForce } from "./known-changes.ts";
import type { AuditTrail } from "./trail.ts";

/**
 * Of what holds, wherever it is written: a file that says nothing of calls changes no policy.
 * @internal
 */
export function toPolicyHash(
  { hash }: Pick<AuditTrail, "hash">,
  { policies }: Pick<LoadedConfig, "policies">,
): string {
  const said = policies.map(({ file: _file, ...rules }) => rules);
  return hash(JSON.stringify(said.filter((rules) => Object.keys(rules).length > 0)));
}

/** What a change is seen by. */
export function toInForce(
  trail: Pick<AuditTrail, "hash">,
  { config, configuredBy }: Pick<Project, "config" | "configuredBy">,
): InForce {
  return {
    source: trail.hash(configuredBy),
    policy: toPolicyHash(trail, config),
    config: trail.hash(JSON.stringify([config.config, config.servers])),
  };
}
