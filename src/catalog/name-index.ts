import type { ServerNames } from "./names.ts";
import type { ServerRecord, ToolRecord } from "./tool.ts";

/** What a spelling means. `many`: it is nobody's own name, and close to those of several. */
export type Meaning<T> =
  | { readonly kind: "one"; readonly value: T }
  | { readonly kind: "many"; readonly values: readonly T[] }
  | { readonly kind: "none" };

export type NamedServer = ServerNames & { readonly name: string };

/**
 * The one place where a spelling becomes a server or a tool, for programs, imports, paths, commands and the library. Any
 * spelling that means exactly one is that one: `google-drive`, `google_drive`, `googleDrive`, `GoogleDrive`. Its own name and
 * the name it is shown under always mean it, even where another is spelled alike. Names are looked up in maps, never searched: a
 * hostile program may ask for as many as it likes.
 */
export type NameIndex<S extends NamedServer> = {
  server(spelling: string): Meaning<S>;
  /** `github__create_issue`, `github.createIssue`, `github/create-issue`, `mcp__github__create_issue`. */
  tool(spelling: string): Meaning<{ readonly server: S; readonly tool: ToolRecord }>;
};

/** `recordOf` is asked at each look-up: the tools of a server may change while its name does not. */
export function createNameIndex<S extends NamedServer>(
  servers: readonly S[],
  recordOf: (server: S) => ServerRecord | undefined,
): NameIndex<S> {
  const spellings = createSpellings(servers, toServerSpellings);

  function cutAt(whole: string, cut: Cut): Found<S>[] {
    const server = spellings.find(whole.slice(0, cut.start));
    const record = server.kind === "one" ? recordOf(server.value) : undefined;
    if (server.kind !== "one" || record === undefined) return [];
    const name = whole.slice(cut.end);
    const tool = findTool(record, name);
    const tools = tool.kind === "one" ? [tool.value] : tool.kind === "many" ? tool.values : [];
    const isOwn = whole === `${record.name}__${tools[0]?.name}`;
    return tools.map((one) => ({ server: server.value, tool: one, isOwn }));
  }

  function findIn(whole: string): Found<S>[] {
    return toCuts(whole).flatMap((cut) => cutAt(whole, cut));
  }

  return {
    server: spellings.find,
    tool(spelling) {
      const asked = findIn(spelling);
      const found = asked.length === 0 ? findIn(spelling.replace(CLIENT_PREFIX, "")) : asked;
      const own = found.filter(({ isOwn }) => isOwn);
      const values = [...new Map((own.length === 1 ? own : found).map((one) => [one.tool, one])).values()];
      return toMeaning(values.map(({ server, tool }) => ({ server, tool })));
    },
  };
}

const byServers = new WeakMap<readonly ServerRecord[], NameIndex<ServerRecord>>();

/** Of records, which are never changed; made once for each list of them. */
export function nameIndexOf(servers: readonly ServerRecord[]): NameIndex<ServerRecord> {
  const known = byServers.get(servers);
  if (known !== undefined) return known;
  const made = createNameIndex(servers, (server) => server);
  byServers.set(servers, made);
  return made;
}

/** The tool of a server that a spelling means, also with the server's name before it, or without where it has that. */
export function findTool(server: ServerRecord, spelling: string): Meaning<ToolRecord> {
  return toolSpellings(server).find(spelling);
}

/** What counts of a spelling. Empty when there is no letter and no digit in it. */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name;
  return name
    .slice(0, MAX_SPELLING)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

const PLAIN = /^[a-z0-9]{1,100}$/;
const MAX_SPELLING = 600;
/** As clients name the tools of their servers. */
const CLIENT_PREFIX = /^mcp(?:__|[./:])/i;
/** Where a server's name can end. A name with more of them can't be cut everywhere: each cut is a look-up. */
const SEPARATOR = /__|[./:_-]/g;
const MAX_CUTS = 24;

type Found<S> = { readonly server: S; readonly tool: ToolRecord; readonly isOwn: boolean };
type Cut = { readonly start: number; readonly end: number };

function toCuts(whole: string): Cut[] {
  if (whole.length > MAX_SPELLING) return [];
  const cuts: Cut[] = [];
  for (const { 0: written, index } of whole.matchAll(SEPARATOR)) {
    if (index > 0) cuts.push({ start: index, end: index + written.length });
    if (cuts.length === MAX_CUTS) break;
  }
  return cuts;
}

/** Of one thing: names that are its own, best first, and others by which it may be called if nobody else is. */
type SpellingsOf = {
  readonly exact: readonly string[];
  readonly loose: readonly string[];
  readonly last: readonly string[];
};

const MOST_NAMES = 4;

type Spellings<T> = { find(spelling: string): Meaning<T> };

function createSpellings<T>(all: readonly T[], spellingsOf: (one: T) => SpellingsOf): Spellings<T> {
  const known = all.map((one) => ({ one, ...spellingsOf(one) }));
  const exact = new Map<string, T>();
  const loose = new Map<string, Set<T>>();
  const last = new Map<string, Set<T>>();
  // All of the first names before any of the second ones: what is shown as one's name can't mean another.
  for (let rank = 0; rank < MOST_NAMES; rank++) {
    for (const { one, exact: names } of known) {
      const name = names[rank];
      if (name !== undefined && !exact.has(name)) exact.set(name, one);
    }
  }
  for (const { one, loose: keys, last: lastKeys } of known) {
    for (const key of keys) add(loose, key, one);
    for (const key of lastKeys) add(last, key, one);
  }
  return {
    find(spelling) {
      if (spelling.length > MAX_SPELLING) return { kind: "none" };
      const own = exact.get(spelling);
      if (own !== undefined) return { kind: "one", value: own };
      const key = foldName(spelling);
      return toMeaning([...(loose.get(key) ?? last.get(key) ?? [])]);
    },
  };
}

function add<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  if (key === "") return;
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function toMeaning<T>(values: readonly T[]): Meaning<T> {
  const [value] = values;
  if (value === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "one", value } : { kind: "many", values };
}

function toServerSpellings({ name, identifiers, folder }: NamedServer): SpellingsOf {
  const exact = [identifiers.typescript, name, identifiers.python, folder];
  return { exact, loose: exact.map(foldName), last: [] };
}

/** A record is never changed: when its server offers other tools there is another one. */
const byRecord = new WeakMap<ServerRecord, Spellings<ToolRecord>>();

function toolSpellings(server: ServerRecord): Spellings<ToolRecord> {
  const known = byRecord.get(server);
  if (known !== undefined) return known;
  const prefix = foldName(server.name);
  const made = createSpellings(server.tools, (tool) => toToolSpellings(tool, prefix));
  byRecord.set(server, made);
  return made;
}

/** What counts of each spelling that may mean the tool. */
export function toolKeys(tool: ToolRecord, server: ServerRecord): ReadonlySet<string> {
  const { loose, last } = toToolSpellings(tool, foldName(server.name));
  return new Set([...loose, ...last]);
}

function toToolSpellings({ name, identifiers }: ToolRecord, prefix: string): SpellingsOf {
  const exact = [identifiers.typescript, name, identifiers.python];
  const loose = exact.map(foldName);
  const own = foldName(name);
  const isPrefixed = prefix !== "" && own.length > prefix.length && own.startsWith(prefix);
  return { exact, loose, last: [`${prefix}${own}`, ...(isPrefixed ? [own.slice(prefix.length)] : [])] };
}
