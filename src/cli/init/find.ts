import { isDeepStrictEqual } from "node:util";
import { type FoundConfig, findClientConfigs } from "../../config/clients.ts";
import { isKeyhole } from "../../config/is-keyhole.ts";
import type { LoadOptions } from "../../config/load.ts";
import type { ClientId, ServerDefinition } from "../../config/server-definition.ts";

export type Place = { client: ClientId; scope: string; file: string };

/** A server that can be taken over. The first place it was found in defines it. */
export type Candidate = {
  name: string;
  server: ServerDefinition;
  place: Place;
  others: (Place & { server: ServerDefinition; differs: boolean })[];
};

/** A notice, and the server of that place that it is about; without one it is about the whole. */
export type Note = { text: string; about?: { name: string; place: Place } };

export type Findings = { configs: FoundConfig[]; candidates: Candidate[]; notes: Note[] };

export async function findCandidates(options: LoadOptions): Promise<Findings> {
  const configs = await findClientConfigs(options);
  const candidates = new Map<string, Candidate>();
  const notes = configs.flatMap(toNotes);
  for (const { client, scope, file, servers } of configs) {
    const place = { client, scope, file };
    for (const server of servers) {
      const { name, transport } = server;
      const known = candidates.get(name);
      if (isKeyhole(transport))
        notes.push({ text: `server "${name}" of ${file} is Keyhole itself and is left out` });
      else if (known === undefined) candidates.set(name, { name, server, place, others: [] });
      else
        known.others.push({
          ...place,
          server,
          differs: !isDeepStrictEqual(known.server.transport, transport),
        });
    }
  }
  return { configs, candidates: [...candidates.values()], notes };
}

/** The notices that concern the chosen servers, each text once; without a choice, all of them. */
export function noticesAbout(notes: readonly Note[], chosen: readonly Candidate[] | undefined): string[] {
  const shown = notes.filter(({ about }) => {
    if (about === undefined || chosen === undefined) return true;
    return chosen.some(({ name, place }) => name === about.name && isSamePlace(place, about.place));
  });
  return [...new Set(shown.map(({ text }) => text))];
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.client === other.client && one.scope === other.scope && one.file === other.file;
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

function toNotes({ client, scope, file, servers, invalidServers, notices }: FoundConfig): Note[] {
  const names = [...servers, ...invalidServers].map(({ name }) => name);
  return notices.map((text) => {
    const name = names.find((name) => text.includes(`server "${name}"`));
    return name === undefined ? { text } : { text, about: { name, place: { client, scope, file } } };
  });
}
