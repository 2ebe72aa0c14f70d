import { isDeepStrictEqual } from "node:util";
import { type FoundConfig, findClientConfigs } from "../../config/clients.ts";
import { isKeyhole } from "../../config/is-keyhole.ts";
import type { LoadOptions } from "../../config/load.ts";
import { toPlaces } from "../../config/places.ts";
import type { ClientId, ServerDefinition } from "../../config/server-definition.ts";

export type Place = { client: ClientId; scope: string; file: string };

/** Scopes of files that lie in the project folder. */
const FOLDER_SCOPES = new Set(["project", "workspace"]);

/** A server that can be taken over. The first place it was found in defines it. */
export type Candidate = {
  name: string;
  server: ServerDefinition;
  place: Place;
  /** It stands in a file of the project folder, which may be a cloned one: the user has not written it. */
  isBrought: boolean;
  others: (Place & { server: ServerDefinition; isBrought: boolean; differs: boolean })[];
};

/** A notice, and the server of that place that it is about; without one it is about the whole. */
export type Note = { text: string; about?: { name: string; place: Place } };

export type Findings = { configs: FoundConfig[]; candidates: Candidate[]; notes: Note[] };

export async function findCandidates(options: LoadOptions): Promise<Findings> {
  const configs = await findClientConfigs(options);
  const { projectDir, homeDir } = toPlaces(options);
  const isFolder = projectDir !== homeDir;
  const candidates = new Map<string, Candidate>();
  const notes = configs.flatMap(toNotes);
  for (const { client, scope, file, servers } of configs) {
    const place = { client, scope, file };
    for (const server of servers) {
      const { name, transport } = server;
      const known = candidates.get(name);
      if (isKeyhole(transport))
        notes.push({ text: `server "${name}" of ${file} is Keyhole itself and is left out` });
      else if (known === undefined)
        candidates.set(name, {
          name,
          server,
          place,
          isBrought: isFolder && FOLDER_SCOPES.has(scope),
          others: [],
        });
      else
        known.others.push({
          ...place,
          server,
          isBrought: isFolder && FOLDER_SCOPES.has(scope),
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
  return narrow(candidates, ({ client }) => clients.includes(client));
}

/** The same candidates as the user's own files define them, without those that the folder alone brings. */
export function narrowToOwn(candidates: readonly Candidate[]): Candidate[] {
  return narrow(candidates, ({ isBrought }) => !isBrought);
}

function narrow(
  candidates: readonly Candidate[],
  isMeant: (found: Place & { isBrought: boolean }) => boolean,
): Candidate[] {
  return candidates.flatMap((candidate) => {
    const { name, server, place, isBrought, others } = candidate;
    if (isMeant({ ...place, isBrought })) return [candidate];
    const chosen = others.find(isMeant);
    if (chosen === undefined) return [];
    const first = { ...place, server, isBrought, differs: chosen.differs };
    const rest = others.filter((other) => other !== chosen);
    const { client, scope, file } = chosen;
    return [
      {
        name,
        server: chosen.server,
        place: { client, scope, file },
        isBrought: chosen.isBrought,
        others: [first, ...rest],
      },
    ];
  });
}

function toNotes({ client, scope, file, servers, invalidServers, notices }: FoundConfig): Note[] {
  const names = [...servers, ...invalidServers].map(({ name }) => name);
  return notices.map((text) => {
    const name = names.find((name) => text.includes(`server "${name}"`));
    return name === undefined ? { text } : { text, about: { name, place: { client, scope, file } } };
  });
}
