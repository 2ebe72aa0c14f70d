import type { StateDir } from "../store/state-dir.ts";
import type { NamedServer } from "./name-index.ts";

const FOLDERS = ["catalog", "observed"];

/**
 * What is remembered of a server lies under the name of its folder: `google-drive.json`. It used to lie under the name it
 * had in code, `google_drive.json`, and is moved, unless that could be another server's.
 */
export async function moveOldState(state: StateDir, servers: readonly NamedServer[]): Promise<void> {
  const current = new Set(servers.map(({ folder }) => folder.toLowerCase()));
  const claims = new Map<string, NamedServer[]>();
  for (const server of servers) {
    const key = toOldKey(server.name).toLowerCase();
    claims.set(key, [...(claims.get(key) ?? []), server]);
  }
  const moves = [...claims].flatMap(([key, [server, ...rivals]]) =>
    server === undefined || rivals.length > 0 || current.has(key) ? [] : [server],
  );
  await Promise.all(
    moves.flatMap(({ name, folder }) =>
      FOLDERS.map((of) => state.move(`${of}/${toOldKey(name)}.json`, `${of}/${folder}.json`)),
    ),
  );
}

function toOldKey(name: string): string {
  const plain = name.normalize("NFKC").replace(/\P{ID_Continue}/gu, "_");
  return /^[\p{ID_Start}_]/u.test(plain) ? plain : `_${plain}`;
}
