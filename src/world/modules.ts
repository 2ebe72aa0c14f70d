/** Where a module of Node's comes from in the guest: a file of ours in `sandbox/guest/javascript/node`, or Deno's own Node layer. */
type Origin = { readonly file: string } | { readonly builtIn: true };

const BUILT_IN: Origin = { builtIn: true };

/** Every module that a program can have, by its name without `node:`. What each holds is in `declarations/`. */
const MODULES: ReadonlyMap<string, Origin> = new Map<string, Origin>([
  ["assert", BUILT_IN],
  ["assert/strict", BUILT_IN],
  ["buffer", { file: "buffer.js" }],
  ["crypto", BUILT_IN],
  ["events", BUILT_IN],
  ["fs", { file: "fs.js" }],
  ["fs/promises", { file: "fs.js" }],
  ["os", { file: "os.js" }],
  ["path", { file: "path.js" }],
  ["path/posix", { file: "path.js" }],
  ["perf_hooks", { file: "perf-hooks.js" }],
  ["process", { file: "process.js" }],
  ["querystring", BUILT_IN],
  ["readline", BUILT_IN],
  ["readline/promises", BUILT_IN],
  ["stream", BUILT_IN],
  ["stream/consumers", BUILT_IN],
  ["stream/promises", BUILT_IN],
  ["stream/web", { file: "stream-web.js" }],
  ["string_decoder", BUILT_IN],
  ["timers", { file: "timers.js" }],
  ["timers/promises", { file: "timers.js" }],
  ["url", BUILT_IN],
  ["util", BUILT_IN],
  ["util/types", BUILT_IN],
  ["zlib", BUILT_IN],
]);

export const MODULE_NAMES: readonly string[] = [...MODULES.keys()];

export const originOf = (module: string): Origin | undefined => MODULES.get(module);

/** The module's name in this list of what a program writes: with or without `node:`. */
export function toModuleName(specifier: string): string | undefined {
  const name = specifier.startsWith("node:") ? specifier.slice("node:".length) : specifier;
  return MODULES.has(name) ? name : undefined;
}

/** Modules that programs use without importing them, as in `node -e`. `crypto` is the web's too, so it is not here. */
export const GLOBAL_MODULES: readonly string[] = [
  "assert",
  "buffer",
  "events",
  "fs",
  "os",
  "path",
  "perf_hooks",
  "process",
  "querystring",
  "readline",
  "stream",
  "string_decoder",
  "timers",
  "url",
  "util",
  "zlib",
];

/**
 * What else a program needs loaded, by the words in it: streams over files are Node's own, and what a file holds is a
 * `Buffer` only where the program uses what only a `Buffer` has.
 */
const NEEDS: readonly { readonly words: RegExp; readonly with: string; readonly module: string }[] = [
  { words: /\bcreate(?:Read|Write)Stream\b/, with: "fs", module: "stream" },
  { words: /\bstdin\b|\.pipe\b|\bpipeline\b/, with: "process", module: "stream" },
  {
    words: /\bBuffer\b|\b(?:read|write)(?:U?Int|Big|Float|Double)\w+|\.(?:equals|copy|compare|swap\d\d)\b/,
    with: "fs",
    module: "buffer",
  },
];

/** The modules with those that they need for this program, each once and in order. */
export function withNeeds(modules: Iterable<string>, source: string): string[] {
  const all = new Set(modules);
  for (const { words, with: user, module } of NEEDS) {
    const isUsed = all.has(user) || all.has(`${user}/promises`);
    if (isUsed && words.test(source)) all.add(module);
  }
  return [...all].sort();
}
