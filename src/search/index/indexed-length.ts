import type { ServerRecord } from "../../catalog/tool.ts";

/** Descriptions can be essays; what a tool does stands at the beginning. */
const MAX_INDEXED = 2_000;
/** Of a catalogue too large, so much of each description is read even so. */
const MIN_INDEXED = 60;
/** Characters: several times what thousands of real tools have. An index takes memory by what it reads. */
const MAX_OF_ALL = 3_000_000;
const MAX_OF_ONE = 1_000_000;

/**
 * How much of each description is read, server by server. All of a server with little to say; those that say most share
 * what is left, so that a talkative one costs its own words. The lengths are halved, not fitted: when one server changes, the
 * words of the others can be kept.
 */
export function toIndexedLengths(servers: readonly ServerRecord[]): Map<ServerRecord, number> {
  const wishes = servers
    .map((server) => ({ server, characters: Math.min(MAX_OF_ONE, count(server, MAX_INDEXED)) }))
    .sort((a, b) => a.characters - b.characters);
  const lengths = new Map<ServerRecord, number>();
  let left = MAX_OF_ALL;
  for (const [at, { server, characters }] of wishes.entries()) {
    const room = Math.min(MAX_OF_ONE, left / (wishes.length - at));
    lengths.set(server, toLength(server, room));
    left -= Math.min(characters, room);
  }
  return lengths;
}

function toLength(server: ServerRecord, room: number): number {
  let length = MAX_INDEXED;
  while (length > MIN_INDEXED && count(server, length) > room) length = Math.max(MIN_INDEXED, length >> 1);
  return length;
}

function count({ tools }: ServerRecord, length: number): number {
  let sum = 0;
  for (const { description } of tools) sum += Math.min(length, description.length);
  return sum;
}
