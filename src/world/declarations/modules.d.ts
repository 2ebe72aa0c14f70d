// The modules by their names, for `require` and for what stands in place of imports.

interface NodeModules {
  assert: typeof import("assert");
  "assert/strict": typeof import("assert/strict");
  buffer: typeof import("buffer");
  crypto: typeof import("crypto");
  events: typeof import("events");
  fs: typeof import("fs");
  "fs/promises": typeof import("fs/promises");
  os: typeof import("os");
  path: typeof import("path");
  "path/posix": typeof import("path/posix");
  perf_hooks: typeof import("perf_hooks");
  process: typeof import("process");
  querystring: typeof import("querystring");
  readline: typeof import("readline");
  "readline/promises": typeof import("readline/promises");
  stream: typeof import("stream");
  "stream/consumers": typeof import("stream/consumers");
  "stream/promises": typeof import("stream/promises");
  "stream/web": typeof import("stream/web");
  string_decoder: typeof import("string_decoder");
  timers: typeof import("timers");
  "timers/promises": typeof import("timers/promises");
  url: typeof import("url");
  util: typeof import("util");
  "util/types": typeof import("util/types");
  zlib: typeof import("zlib");
}
type ModuleName = keyof NodeModules | `node:${keyof NodeModules}`;
declare function require<N extends ModuleName>(
  name: N,
): NodeModules[N extends `node:${infer M extends keyof NodeModules}` ? M : N & keyof NodeModules];
declare function require(name: string): any;
declare namespace require {
  const main: any;
}
declare var module: any;
declare var exports: any;
declare var __dirname: string;
declare var __filename: string;
