import { nearestName, sameName } from "../../text/nearest-name.ts";
import { OWN_NAME } from "../is-keyhole.ts";
import type { PolicySource } from "./policy-source.ts";

/** A misspelt name in a rule would leave a server without it, and nobody would know. The user's own file speaks of servers
 * that other projects have. */
export function unknownServers(
  policies: readonly PolicySource[],
  servers: readonly { readonly name: string }[],
  userFile: string | undefined,
): string[] {
  const names = [...servers.map(({ name }) => name), OWN_NAME];
  return policies.flatMap(({ file, permissions, privacy }) => {
    if (file === userFile) return [];
    const named = [
      ...(permissions?.rules ?? []).map(({ server }, at) => ({
        server,
        by: `rule ${at + 1} of "permissions"`,
      })),
      ...Object.keys(privacy?.servers ?? {}).map((server) => ({ server, by: '"privacy.servers"' })),
    ];
    return named.flatMap(({ server, by }) => {
      if (server === undefined || server.includes("*") || sameName(server, names) !== undefined) return [];
      const near = nearestName(server, names);
      const meant = near === undefined ? "" : `; did you mean "${near}"?`;
      return [`${file}: ${by} names server "${server}", which is not there${meant}`];
    });
  });
}
