// The one file that may import Node's modules (../../deno/blocked-imports.ts). It calls nothing, so that nothing a program hands
// around can be called from here: code that `eval` makes may import what its caller may.

const LOADERS = {
  assert: () => import("node:assert"),
  "assert/strict": () => import("node:assert/strict"),
  crypto: () => import("node:crypto"),
  events: () => import("node:events"),
  querystring: () => import("node:querystring"),
  readline: () => import("node:readline"),
  "readline/promises": () => import("node:readline/promises"),
  stream: () => import("node:stream"),
  "stream/consumers": () => import("node:stream/consumers"),
  "stream/promises": () => import("node:stream/promises"),
  string_decoder: () => import("node:string_decoder"),
  tls: () => import("node:tls"),
  url: () => import("node:url"),
  util: () => import("node:util"),
  "util/types": () => import("node:util/types"),
  zlib: () => import("node:zlib"),
};

/** @type {typeof LOADERS | undefined} */
let left = LOADERS;

/** For the runner, which is first; a program that imports this file gets nothing. */
export function takeLoaders() {
  const loaders = left;
  left = undefined;
  return loaders;
}
