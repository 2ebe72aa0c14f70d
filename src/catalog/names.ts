import { hash } from "node:crypto";

/** What a server is called: a global in programs, a package, a folder. */
export type ServerNames = {
  readonly identifiers: { readonly typescript: string; readonly python: string };
  /** Under `./servers`, and for what is remembered of it: its own name where that can be a folder's. */
  readonly folder: string;
};

/** The two ways in which the catalogue names things: `getUser`, and `get_user`. */
export type LanguageNaming = keyof ServerNames["identifiers"];

export function toServerNames(names: readonly string[]): ReadonlyMap<string, ServerNames> {
  const typescript = toIdentifiers(names, "typescriptServer");
  const python = toIdentifiers(names, "pythonServer");
  const folders = toIdentifiers(names, "folder");
  return new Map(
    names.map((name) => [
      name,
      {
        identifiers: { typescript: typescript.get(name) ?? name, python: python.get(name) ?? name },
        folder: folders.get(name) ?? name,
      },
    ]),
  );
}

/**
 * Names of servers and tools, which may be any text, become identifiers. The result depends only on the names themselves,
 * never on their order. When several names want the same identifier, one that already is that identifier keeps it; every
 * other gets an ending computed from its own name. So a newcomer may take an identifier away, but only one that is
 * called exactly that can take it over.
 */
export function toIdentifiers(names: readonly string[], style: NameStyle): Map<string, string> {
  const wishes = [...new Set(names)].map((name) => ({ name, identifier: STYLES[style](name) }));
  // The rest are names of files too, and some file systems don't tell `getUser` from `getuser`.
  const fold = style === "typescriptServer" ? (identifier: string) => identifier : foldCase;
  const rivals = countRivals(wishes, fold);
  const short = wishes.map(({ name, identifier: wish }) => {
    const { all = 1, exact = 0 } = rivals.get(fold(wish)) ?? {};
    const keeps = !ENDING.test(wish) && (all === 1 || (exact === 1 && name === wish));
    return { name, wish, identifier: keeps ? wish : withEnding(wish, name) };
  });
  const taken = countRivals(short, fold);
  return new Map(
    short.map(({ name, wish, identifier }) => {
      const isUnique = taken.get(fold(identifier))?.all === 1;
      // Two names whose short hashes agree were made to; the whole hash can't be.
      return [name, isUnique ? identifier : withEnding(wish, name, 64)];
    }),
  );
}

export type NameStyle = "typescript" | "python" | "typescriptServer" | "pythonServer" | "folder";

const STYLES: Record<NameStyle, (name: string) => string> = {
  typescript: (name) => finish(name, toCamelCase(name), TYPESCRIPT_RESERVED),
  python: (name) => finish(name, toSnakeCase(name), PYTHON_RESERVED),
  typescriptServer: (name) => finish(name, toCamelCase(name), PROGRAM_RESERVED),
  pythonServer: (name) => finish(name, toSnakeCase(name), PACKAGE_RESERVED),
  folder: toFolder,
};

/** Whether a program has something else under this name: a word of the language, or a global. */
export function isReservedInPrograms(word: string): boolean {
  return PROGRAM_RESERVED.has(word);
}

/** How many want an identifier, and how many of them are called that themselves. */
type Rivals = { all: number; exact: number };

function countRivals(
  wishes: readonly { name: string; identifier: string }[],
  fold: (identifier: string) => string,
): Map<string, Rivals> {
  const counts = new Map<string, Rivals>();
  for (const { name, identifier } of wishes) {
    const key = fold(identifier);
    const rivals = counts.get(key) ?? { all: 0, exact: 0 };
    rivals.all++;
    if (name === identifier) rivals.exact++;
    counts.set(key, rivals);
  }
  return counts;
}

/** So much of a name is looked at; its hash is of all of it. */
const MAX_READ = 500;
/** Most names are plain, and far faster to read as such; a server may have thousands of long ones. */
const LOWER_CASE = /^[a-z0-9]*$/;
const NOT_ASCII = /[^\x00-\x7f]/;

function toCamelCase(name: string): string {
  const [first = "", ...rest] = toWords(name);
  return lowerFirst(first) + rest.map(upperFirst).join("");
}

function toSnakeCase(name: string): string {
  return toWords(name)
    .flatMap((word) =>
      LOWER_CASE.test(word)
        ? [word]
        : word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u),
    )
    .join("_")
    .toLowerCase();
}

function toWords(name: string): string[] {
  return name
    .slice(0, MAX_READ)
    .normalize("NFKC")
    .split(NOT_ASCII.test(name) ? /[^\p{ID_Continue}]+|_+/u : /[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
}

/** `getUser` keeps its inner capitals, `HTTPGet` becomes `httpGet`, `SEARCH` becomes `search`. */
function lowerFirst(word: string): string {
  const capitals = /^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u.exec(word)?.[0] ?? "";
  return capitals.toLowerCase() + word.slice(capitals.length);
}

function upperFirst(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  return first.toUpperCase() + word.slice(first.length);
}

/** Makes sure that it starts like an identifier, is not empty, not too long for a file name, and no reserved word. */
function finish(name: string, candidate: string, reserved: ReadonlySet<string>): string {
  if (!/(?!_)\p{ID_Continue}/u.test(candidate)) return `_${hashOf(name)}`;
  const started = /^[\p{ID_Start}_]/u.test(candidate) ? candidate : `_${candidate}`;
  const bounded = toBounded(name, started);
  return reserved.has(bounded) || WINDOWS_DEVICES.test(bounded) ? `${bounded}_` : bounded;
}

/** The name itself where every file system can have it, else what is left of it. */
function toFolder(name: string): string {
  const plain = name
    .slice(0, MAX_READ)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/^[.-]+/, "");
  const candidate = withoutDots(plain);
  if (!/[\p{L}\p{N}]/u.test(candidate)) return `_${hashOf(name)}`;
  const bounded = toBounded(name, candidate);
  const [stem = ""] = bounded.split(".");
  return FOLDERS_RESERVED.test(bounded) || WINDOWS_DEVICES.test(stem) ? `_${bounded}` : bounded;
}

function withoutDots(text: string): string {
  let end = text.length;
  while (text[end - 1] === ".") end--;
  return text.slice(0, end);
}

const MAX_LENGTH = 100;
const MAX_BYTES = 180;

/** Within what a file name can have, beside an ending and an extension. No character is cut in two. */
function toBounded(name: string, candidate: string): string {
  if (candidate.length <= MAX_LENGTH && Buffer.byteLength(candidate) <= MAX_BYTES) return candidate;
  if (!NOT_ASCII.test(candidate)) return withEnding(candidate.slice(0, MAX_LENGTH), name);
  let kept = "";
  let bytes = 0;
  for (const character of candidate) {
    bytes += Buffer.byteLength(character);
    if (kept.length + character.length > MAX_LENGTH || bytes > MAX_BYTES) break;
    kept += character;
  }
  return withEnding(kept, name);
}

/** Two underscores: what looks like an ending gets one of its own, so an ending can't collide in its turn. */
function withEnding(identifier: string, name: string, digits = 6): string {
  return `${identifier}__${hashOf(name, digits)}`;
}

const ENDING = /__(?:[0-9a-f]{6}|[0-9a-f]{64})$/i;

function hashOf(name: string, digits = 6): string {
  return hash("sha256", name).slice(0, digits);
}

/** Each identifier also is a file name, and some file systems don't tell `getUser` from `getuser`. */
function foldCase(identifier: string): string {
  if (!NOT_ASCII.test(identifier)) return identifier.toLowerCase();
  return identifier.normalize("NFKC").toUpperCase().toLowerCase();
}

const WINDOWS_DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

const words = (text: string) => text.trim().split(/\s+/);

const JAVASCRIPT_WORDS = words(`
  arguments async await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield NaN Infinity globalThis
`);

/** Properties that every object has, or that give an object a meaning of its own: `then` makes a promise of a module. */
const OBJECT_WORDS = words(`
  constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype proto then toJSON toLocaleString toString valueOf
`);

/** What a wrapper's file uses itself. `index` is the file beside it. */
const TYPESCRIPT_RESERVED = new Set([
  ...JAVASCRIPT_WORDS,
  ...OBJECT_WORDS,
  ...words("callMCPTool index input"),
]);

const PYTHON_WORDS = words(`
  False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield match case type
`);

const PYTHON_RESERVED = new Set([
  ...PYTHON_WORDS,
  ...words(
    "annotations call_mcp_tool overload typing mapping any literal not_required typed_dict unpack init main",
  ),
  ...words("bool bytes dict float int list object set str tuple print"),
]);

/** A server's package in Python. */
const PACKAGE_RESERVED = new Set([
  ...PYTHON_RESERVED,
  ...words(
    "_keyhole builtins call_mcp_tool emit fs open save_skill search_tools servers skills state workspace",
  ),
]);

/** What else there is in a TypeScript program without an import: a server of this name gets another one there. */
const PROGRAM_GLOBALS = words(`
  AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array
  BigUint64Array Blob Boolean Buffer Bun ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey
  CustomEvent DOMException DataView Date DecompressionStream Deno DisposableStack Error ErrorEvent EvalError Event
  EventTarget File FinalizationRegistry Float16Array Float32Array Float64Array FormData Function Headers Int16Array
  Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel MessageEvent MessagePort Number Object Performance
  Promise PromiseRejectionEvent Proxy QuotaExceededError RangeError ReadableByteStreamController ReadableStream
  ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader
  ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String SubtleCrypto SuppressedError Symbol
  SyntaxError Temporal TextDecoder TextDecoderStream TextEncoder TextEncoderStream ToolError TransformStream
  TransformStreamDefaultController TypeError URIError URL URLPattern URLSearchParams Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WritableStream WritableStreamDefaultController
  WritableStreamDefaultWriter
  addEventListener assert atob btoa buffer callMCPTool clearImmediate clearInterval clearTimeout console crypto decodeURI
  decodeURIComponent dispatchEvent emit encodeURI encodeURIComponent escape events exports fetch fs global isFinite isNaN module os
  parseFloat parseInt path performance pii process querystring queueMicrotask readline removeEventListener require runCommand runs saveSkill searchTools self servers
  setImmediate setInterval setTimeout skills state stream structuredClone timers unescape url util window workspace zlib
`);

const PROGRAM_RESERVED = new Set([
  ...JAVASCRIPT_WORDS,
  ...OBJECT_WORDS,
  ...PROGRAM_GLOBALS,
  ...words("__dirname __filename __keyhole __proto__"),
]);

/** `index` and `_keyhole` are files beside the folders, and imports go without their extensions. */
const FOLDERS_RESERVED = /^(?:index|_keyhole|__init__|node_modules)(?:\.[cm]?[jt]s)?$/i;
