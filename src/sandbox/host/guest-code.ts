import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { isOutOfFiles, outOfFiles } from "../../process/open-files.ts";
import { originOf } from "../../world/modules.ts";

/** What the guest loads before the program, beside its own files: `Wanted` of guest/load-modules.js. */
export type GuestModules = {
  readonly modules: readonly string[];
  /** Those of Deno's own Node layer. */
  readonly builtIn: readonly string[];
  /** Of the same, what is for our own code and not for the program. */
  readonly inner: readonly string[];
  /** The code of ours, each as a function's body with `exports` and `require`. */
  readonly files: { readonly [name: string]: string };
  /** The files that make modules. */
  readonly entries: readonly string[];
};

const cache = new Map<string, GuestModules>();

/**
 * The code of the modules that a program mentions. It is sent along with the program: in the runner's own graph it would
 * cost each start of a process some milliseconds, whether the program needs it or not.
 */
export function toGuestModules(
  names: readonly string[],
  { isSteady = false, hasNetwork = false } = {},
): GuestModules {
  const key = [...names, ...(isSteady ? [STEADY] : []), ...(hasNetwork ? [FETCH] : [])].join(" ");
  const known = cache.get(key);
  if (known !== undefined) return known;
  const origins = names.map((name) => [name, originOf(name)] as const);
  const builtIn = origins.flatMap(([name, origin]) => (origin && "builtIn" in origin ? [name] : []));
  const own = origins.flatMap(([, origin]) => (origin && "file" in origin ? [origin.file] : []));
  // Deno's Node layer looks for a global `process`: it must find ours.
  const extra = builtIn.length === 0 && !hasNetwork ? [] : ["built-in.js", "process.js"];
  // First: the others take clocks and timers from the globals.
  const first = isSteady ? [STEADY] : [];
  const entries = [...new Set([...first, ...own, ...extra, ...(hasNetwork ? [FETCH] : [])])];
  const inner = hasNetwork ? FETCH_MODULES : [];
  const files: { [name: string]: string } = {};
  for (const entry of entries) addFile(entry, files);
  const made = { modules: names, builtIn, inner, files, entries };
  if (cache.size < MAX_CACHED) cache.set(key, made);
  return made;
}

const STEADY = "steady.js";
const FETCH = "fetch.js";
/** TLS ends in the program's process. */
const FETCH_MODULES = ["stream", "tls"];

/** Programs choose among the combinations; few are ever used. */
const MAX_CACHED = 200;

function addFile(name: string, files: { [name: string]: string }): void {
  if (name in files) return;
  const { code, needs } = readGuestFile(name);
  files[name] = code;
  for (const other of needs) addFile(other, files);
}

type GuestFile = { readonly code: string; readonly needs: readonly string[] };
const read = new Map<string, GuestFile>();

function readGuestFile(name: string): GuestFile {
  const known = read.get(name);
  if (known !== undefined) return known;
  const path = fileURLToPath(new URL(`../guest/javascript/node/${name}`, import.meta.url));
  const file = toFunctionBody(name, readSource(path));
  read.set(name, file);
  return file;
}

function readSource(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw isOutOfFiles(error) ? outOfFiles("load a module for a program", error) : error;
  }
}

/** Of a module with named imports and exports, which is all that these files have. */
function toFunctionBody(name: string, source: string): GuestFile {
  const { module } = parseSync(name, source, { lang: "js", sourceType: "module" });
  const needs: string[] = [];
  const cuts: { start: number; end: number; text: string }[] = [];
  for (const { start, end, moduleRequest, entries } of module.staticImports) {
    const names = entries.map(({ importName, localName }) => `${importName.name}: ${localName.value}`);
    needs.push(moduleRequest.value.replace("./", ""));
    cuts.push({ start, end, text: `const { ${names.join(", ")} } = require("${moduleRequest.value}");` });
  }
  const exported: string[] = [];
  for (const { start, entries } of module.staticExports) {
    exported.push(...entries.flatMap(({ localName }) => (localName.name === null ? [] : [localName.name])));
    cuts.push({ start, end: start + "export".length, text: "" });
  }
  let code = "";
  let done = 0;
  for (const { start, end, text } of cuts.sort((a, b) => a.start - b.start)) {
    code += source.slice(done, start) + text;
    done = end;
  }
  code += source.slice(done);
  return { code: `"use strict";${code}\nObject.assign(exports, { ${exported.join(", ")} });`, needs };
}
