import { foldName } from "../../catalog/name-index.ts";
import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { editDistance } from "../../text/edit-distance.ts";
import type { Work } from "../../text/slices.ts";

type Named = { readonly server: ServerRecord; readonly tool: ToolRecord };

const MAX_ASKED = 64;
const MOST_SLIPS = 8;

/** The spellings under which a program or a person may name a tool, and the documents they name. */
export function* toExactNames(documents: readonly Named[]): Work<Map<string, number[]>> {
  const names = new Map<string, number[]>();
  for (const [index, { server, tool }] of documents.entries()) {
    const own = [tool.name, tool.identifiers.typescript];
    const full = [server.name, server.identifiers.typescript].flatMap((prefix) =>
      own.map((name) => prefix + name),
    );
    for (const name of new Set([...own, ...full].map(foldName))) {
      const found = names.get(name) ?? [];
      names.set(name, found);
      found.push(index);
    }
    yield;
  }
  return names;
}

/** Names near the one asked for, nearest first: half of its letters may differ, but no more than `MOST_SLIPS`. */
export function toNearNames(documents: readonly Named[], query: string, limit: number): string[] {
  const wanted = foldName(query).slice(0, MAX_ASKED);
  const most = Math.min(wanted.length >> 1, MOST_SLIPS);
  const close = documents.flatMap(({ server, tool }) => {
    const names = [
      tool.identifiers.typescript,
      `${server.identifiers.typescript}${tool.identifiers.typescript}`,
    ];
    const distance = Math.min(...names.map((name) => editDistance(wanted, foldName(name), most)));
    return distance <= most
      ? [{ name: `${server.identifiers.typescript}.${tool.identifiers.typescript}`, distance }]
      : [];
  });
  return close
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}
