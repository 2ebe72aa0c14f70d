import { isDeepStrictEqual } from "node:util";
import { type FoundConfig, findClientConfigs } from "../../config/clients.ts";
import type { LoadOptions } from "../../config/load.ts";
import { isKeyhole } from "../../config/self.ts";
import type { ClientId, ServerDefinition } from "../../config/server-definition.ts";

export type Place = { client: ClientId; scope: string; file: string };

/** A server that can be taken over. The first place it was found in defines it. */
export type Candidate = {
  name: string;
  server: ServerDefinition;
  place: Place;
  others: (Place & { server: ServerDefinition; differs: boolean })[];
};

export type Findings = { configs: FoundConfig[]; candidates: Candidate[]; notices: string[] };

export async function findCandidates(options: LoadOptions): Promise<Findings> {
  const configs = await findClientConfigs(options);
  const candidates = new Map<string, Candidate>();
  const notices = configs.flatMap((config) => config.notices);
  for (const { client, scope, file, servers } of configs) {
    const place = { client, scope, file };
    for (const server of servers) {
      const { name, transport } = server;
      const known = candidates.get(name);
      if (isKeyhole(transport)) notices.push(`server "${name}" of ${file} is Keyhole itself and is left out`);
      else if (known === undefined) candidates.set(name, { name, server, place, others: [] });
      else
        known.others.push({
          ...place,
          server,
          differs: !isDeepStrictEqual(known.server.transport, transport),
        });
    }
  }
  return { configs, candidates: [...candidates.values()], notices: [...new Set(notices)] };
}

/** The same candidates as the given clients define them; those that none of them has are left out. */
export function narrowTo(candidates: readonly Candidate[], clients: readonly ClientId[]): Candidate[] {
  return candidates.flatMap((candidate) => {
    const { name, server, place, others } = candidate;
    if (clients.includes(place.client)) return [candidate];
    const chosen = others.find(({ client }) => clients.includes(client));
    if (chosen === undefined) return [];
    const first = { ...place, server, differs: chosen.differs };
    const rest = others.filter((other) => other !== chosen);
    const { client, scope, file } = chosen;
    return [{ name, server: chosen.server, place: { client, scope, file }, others: [first, ...rest] }];
  });
}
