import { createHash } from "node:crypto";

/**
 * Names of servers and tools, which may be any text, become identifiers. The result depends only on the names themselves,
 * never on their order. When several names want the same identifier, one that already is that identifier keeps it; every
 * other gets an ending computed from its own name. So a tool that appears tomorrow may take a name away, but can never
 * make an existing name mean another tool.
 */
export function toIdentifiers(names: readonly string[], style: NameStyle): Map<string, string> {
  const wanted = new Map([...new Set(names)].map((name) => [name, STYLES[style](name)]));
  const rivals = new Map<string, { all: number; exact: number }>();
  for (const [name, identifier] of wanted) {
    const { all, exact } = rivals.get(foldCase(identifier)) ?? { all: 0, exact: 0 };
    rivals.set(foldCase(identifier), { all: all + 1, exact: exact + (name === identifier ? 1 : 0) });
  }
  const taken = new Set<string>();
  const identifiers = new Map<string, string>();
  for (const [name, identifier] of wanted) {
    const { all, exact } = rivals.get(foldCase(identifier)) ?? { all: 1, exact: 0 };
    const keeps = all === 1 || (exact === 1 && name === identifier);
    const short = keeps ? identifier : withEnding(identifier, name);
    // Two names whose short hashes agree were made to; the whole hash can't be.
    const unique = taken.has(foldCase(short)) ? withEnding(identifier, name, 64) : short;
    taken.add(foldCase(unique));
    identifiers.set(name, unique);
  }
  return identifiers;
}

export type NameStyle = "server" | "typescript" | "python";

const STYLES: Record<NameStyle, (name: string) => string> = {
  /** One name for both languages: the server's own, with what can't stand in an identifier replaced. */
  server: (name) => finish(name, replaceForbidden(name), SERVER_RESERVED),
  typescript: (name) => finish(name, toCamelCase(name), TYPESCRIPT_RESERVED),
  python: (name) => finish(name, toSnakeCase(name), PYTHON_RESERVED),
};

function replaceForbidden(name: string): string {
  return name.normalize("NFKC").replace(/[^\p{ID_Continue}$]|\$/gu, "_");
}

function toCamelCase(name: string): string {
  const [first = "", ...rest] = toWords(name);
  return lowerFirst(first) + rest.map(upperFirst).join("");
}

function toSnakeCase(name: string): string {
  return toWords(name)
    .flatMap((word) => word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u))
    .join("_")
    .toLowerCase();
}

function toWords(name: string): string[] {
  return name
    .normalize("NFKC")
    .split(/[^\p{ID_Continue}]+|_+/u)
    .filter((word) => word !== "");
}

/** `getUser` keeps its inner capitals, `HTTPGet` becomes `httpGet`, `SEARCH` becomes `search`. */
function lowerFirst(word: string): string {
  const capitals = /^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u.exec(word)?.[0] ?? "";
  return capitals.toLowerCase() + word.slice(capitals.length);
}

function upperFirst(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

/** Makes sure that it starts like an identifier, is not empty, not too long for a file name, and no reserved word. */
function finish(name: string, candidate: string, reserved: ReadonlySet<string>): string {
  if (!/\p{ID_Continue}/u.test(candidate.replaceAll("_", ""))) return `_${hashOf(name)}`;
  const started = /^[\p{ID_Start}_]/u.test(candidate) ? candidate : `_${candidate}`;
  const bounded = started.length > 100 ? withEnding(started.slice(0, 100), name) : started;
  return reserved.has(bounded) || WINDOWS_DEVICES.test(bounded) ? `${bounded}_` : bounded;
}

/** Two underscores: no name of a tool comes out with them by itself, so an ending can't collide in its turn. */
function withEnding(identifier: string, name: string, digits = 6): string {
  return `${identifier}__${hashOf(name, digits)}`;
}

function hashOf(name: string, digits = 6): string {
  return createHash("sha256").update(name).digest("hex").slice(0, digits);
}

/** Each identifier also is a file name, and some file systems don't tell `getUser` from `getuser`. */
function foldCase(identifier: string): string {
  return identifier.toLowerCase();
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

/** A server is a global in programs of both languages, and a folder beside `_keyhole`. */
const SERVER_RESERVED = new Set([
  ...JAVASCRIPT_WORDS,
  ...PYTHON_RESERVED,
  ...OBJECT_WORDS,
  ...words(`
    __proto__ _keyhole __init__ AbortController Array ArrayBuffer BigInt Blob Boolean Buffer Date Deno Error Function
    Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol ToolError URL WeakMap WebAssembly
    atob btoa builtins callMCPTool clearInterval clearTimeout console crypto emit exports fetch fs global module open
    performance process queueMicrotask require searchTools search_tools self servers setInterval setTimeout skills
    structuredClone window workspace
  `),
]);
