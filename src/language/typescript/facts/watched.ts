import { type FileArgument, toWatched, type Walk } from "../../facts/watched.ts";

/** What is looked at in programs in TypeScript and JavaScript. What each rule means is in `policy/validate/rules.ts`. */
export const TYPESCRIPT_WATCHED = toWatched([
  ["global", ["eval"], { rule: "dynamic-eval", on: "mention", does: "evaluate" }],
  ["global", ["Function"], { rule: "dynamic-eval", on: "call", does: "evaluate" }],
  // They have no name: only by the constructor of a function does one come to them.
  [
    "global",
    ["AsyncFunction", "GeneratorFunction"],
    { rule: "constructor-walk", on: "call", does: "evaluate" },
  ],
  // What all functions have: `Function.prototype.toString.call(f)`.
  ["global", ["Function.prototype"], { on: "call" }],
  [
    "global",
    [
      "WebAssembly.instantiate",
      "WebAssembly.instantiateStreaming",
      "WebAssembly.compile",
      "WebAssembly.compileStreaming",
      "WebAssembly.Module",
    ],
    { rule: "dynamic-eval", on: "call" },
  ],
  ["global", ["setTimeout", "setInterval", "setImmediate"], { on: "call", does: "evaluate-text" }],
  [
    "global",
    ["import", "require", "process.getBuiltinModule"],
    { rule: "computed-import", on: "call", does: "import" },
  ],
  ["module", ["vm"], { rule: "dynamic-eval", on: "mention", does: "evaluate" }],
  [
    "global",
    ["atob", "unescape", "String.fromCharCode", "String.fromCodePoint"],
    { on: "call", does: "decode" },
  ],
  ["global", ["Buffer.from", "decodeURIComponent", "TextDecoder"], { on: "call", does: "decode" }],
  ["module", ["zlib.inflateSync", "zlib.gunzipSync"], { on: "call", does: "decode" }],
  [
    "global",
    ["Reflect.get", "Object.getOwnPropertyDescriptor", "Reflect.getOwnPropertyDescriptor"],
    { on: "call", does: "take" },
  ],
  [
    "global",
    ["Object.keys", "Object.getOwnPropertyNames", "Reflect.ownKeys", "Reflect.has", "Object.hasOwn"],
    { on: "call", does: "list-names" },
  ],
  ["global", ["Reflect.apply", "Reflect.construct"], { on: "call", does: "apply" }],
  [
    "global",
    [
      "Object.assign",
      "Object.defineProperty",
      "Object.defineProperties",
      "Object.setPrototypeOf",
      "Reflect.set",
      "Reflect.defineProperty",
    ],
    { on: "call", does: "extend" },
  ],
  ["global", ["JSON.parse"], { on: "call", does: "parse-json" }],
  [
    "module",
    ["child_process", "worker_threads", "cluster", "shelljs", "zx"],
    { rule: "process", on: "mention" },
  ],
  [
    "module",
    pair("child_process", ["exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "fork"]),
    { rule: "process", on: "mention", does: "command" },
  ],
  [
    "module",
    ["execa", "shelljs.exec", "cross-spawn", "zx.$"],
    { rule: "process", on: "mention", does: "command" },
  ],
  [
    "global",
    ["Deno.Command", "Deno.run", "Bun.spawn", "Bun.spawnSync", "Bun.$"],
    { rule: "process", on: "mention", does: "command" },
  ],
  ["global", ["Deno.kill", "Deno.dlopen", "Worker", "SharedWorker"], { rule: "process", on: "mention" }],
  [
    "global",
    ["process.binding", "process._linkedBinding", "process.dlopen", "process.mainModule", "process.kill"],
    { rule: "process", on: "mention" },
  ],
  ["module", ["inspector", "module", "v8", "repl", "wasi"], { rule: "process", on: "mention" }],
  [
    "module",
    [
      "net",
      "tls",
      "dgram",
      "dns",
      "dns/promises",
      "http",
      "https",
      "http2",
      "ws",
      "axios",
      "node-fetch",
      "undici",
      "got",
      "socket.io-client",
    ],
    { rule: "raw-network", on: "mention" },
  ],
  [
    "global",
    [
      "WebSocket",
      "XMLHttpRequest",
      "EventSource",
      "WebTransport",
      "RTCPeerConnection",
      "navigator.sendBeacon",
    ],
    { rule: "raw-network", on: "mention", does: "fetch" },
  ],
  [
    "global",
    ["Deno.connect", "Deno.connectTls", "Deno.listen", "Deno.serve", "Bun.serve", "Bun.connect"],
    { rule: "raw-network", on: "mention" },
  ],
  ["global", ["fetch"], { rule: "network-fetch", on: "call", does: "fetch" }],
  [
    "global",
    ["document", "localStorage", "sessionStorage", "indexedDB", "cookieStore", "importScripts"],
    { rule: "browser", on: "mention" },
  ],
  ["global", ["alert", "confirm", "prompt"], { rule: "browser", on: "call" }],
  ["global", ["__keyhole"], { rule: "keyhole-internals", on: "mention" }],
  ["global", ["callMCPTool"], { on: "call", does: "call-tool" }],
  ["global", ["runCommand"], { on: "call", does: "command" }],
  ...toFiles("read", [
    "readFile",
    "readFileSync",
    "readdir",
    "readdirSync",
    "stat",
    "statSync",
    "lstat",
    "lstatSync",
    "access",
    "accessSync",
    "existsSync",
    "exists",
    "createReadStream",
    "opendir",
    "readlink",
    "realpath",
    "watch",
    "glob",
    "openAsBlob",
  ]),
  ...toFiles("write", [
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "mkdir",
    "mkdirSync",
    "createWriteStream",
    "truncate",
    "chmod",
    "utimes",
    "mkdtemp",
  ]),
  ...toFiles("delete", ["rm", "rmSync", "rmdir", "rmdirSync", "unlink", "unlinkSync"]),
  ...["fs", "fs/promises"].flatMap((module) => [
    [
      "module",
      pair(module, [
        "copyFile",
        "copyFileSync",
        "cp",
        "cpSync",
        "link",
        "symlink",
        "symlinkSync",
        "linkSync",
      ]),
      { on: "call", files: [at(0, "read"), at(1, "write")] },
    ] as const,
    [
      "module",
      pair(module, ["rename", "renameSync"]),
      { on: "call", files: [at(0, "delete"), at(1, "write")] },
    ] as const,
    ["module", pair(module, ["open", "openSync"]), { on: "call", does: "open" }] as const,
  ]),
  [
    "global",
    ["Deno.readFile", "Deno.readTextFile", "Deno.readDir", "Deno.open", "Deno.stat"],
    { on: "call", files: [at(0, "read")] },
  ],
  ["global", ["Deno.writeFile", "Deno.writeTextFile", "Deno.mkdir"], { on: "call", files: [at(0, "write")] }],
  ["global", ["Deno.remove"], { on: "call", files: [at(0, "delete")] }],
]);

function at(index: number, access: FileArgument["access"]): FileArgument {
  return { index, access };
}

function pair(module: string, names: readonly string[]): string[] {
  return names.map((name) => `${module}.${name}`);
}

function toFiles(access: FileArgument["access"], names: readonly string[]) {
  return ["fs", "fs/promises"].map(
    (module) => ["module", pair(module, names), { on: "call", files: [at(0, access)] }] as const,
  );
}

/** `x.constructor.constructor` is looked at by itself: each alone is ordinary. */
export const TYPESCRIPT_WALKS: ReadonlyMap<string, Walk> = new Map([
  ["__lookupGetter__", "chained"],
  ["__defineGetter__", "chained"],
]);

/** Another name that looks like one of these is there to be mistaken for it. */
export const TYPESCRIPT_LEGIBLE: ReadonlySet<string> = new Set(
  "eval Function require process globalThis constructor __proto__ prototype child_process exec spawn fetch callMCPTool console Object Array".split(
    " ",
  ),
);

export const TYPESCRIPT_ITERATING: ReadonlySet<string> = new Set(
  "map forEach flatMap filter reduce reduceRight some every find findLast findIndex sort at concat entries setInterval".split(
    " ",
  ),
);
