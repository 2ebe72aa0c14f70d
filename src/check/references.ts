import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { toTypeScriptTypeNames } from "../codegen/print/typescript-wrapper.ts";

/** The servers that a program mentions, each with those of its tools that it mentions. */
export type References = ReadonlyMap<ServerRecord, ReadonlySet<ToolRecord>>;

const NONE: ReadonlySet<ToolRecord> = new Set();

/**
 * Finds them by their names alone, wherever these stand: too many do no harm, and no alias, destructuring or string is
 * missed. A catalogue may have thousands of tools; a program is checked against the few it can mean.
 */
export function toReferences(source: string, servers: readonly ServerRecord[]): References {
  const words = toWords(source);
  const references = new Map<ServerRecord, ReadonlySet<ToolRecord>>();
  // There may be hundreds of servers: what few programs do is looked for once, not for each of them.
  const hasPaths = source.includes("servers/");
  const hasWireNames = source.includes("__");
  for (const server of servers) {
    const called = hasWireNames ? calledByName(source, server) : NONE;
    const isImported = hasPaths && source.includes(`/${server.name}`);
    if (!words.has(server.identifier) && called.size === 0 && !isImported) continue;
    const mentioned = server.tools.filter((tool) => isMentioned(tool, server, words));
    references.set(server, new Set([...mentioned, ...called]));
  }
  return references;
}

function toWords(source: string): Set<string> {
  // An identifier may be written with escapes, as `git\u0068ub`.
  const text = source.replace(/\\u(?:\{0*([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/g, (written, long, short) => {
    const code = Number.parseInt(long ?? short, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
  return new Set(text.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu));
}

function isMentioned(tool: ToolRecord, server: ServerRecord, words: ReadonlySet<string>): boolean {
  if (words.has(tool.identifiers.typescript)) return true;
  const { input, response } = toTypeScriptTypeNames(tool, server);
  return words.has(input) || words.has(response);
}

/** The tools in strings like "github__create_issue". */
function calledByName(source: string, server: ServerRecord): Set<ToolRecord> {
  const called = new Set<ToolRecord>();
  const prefix = `${server.name}__`;
  for (let at = source.indexOf(prefix); at !== -1; at = source.indexOf(prefix, at + 1)) {
    const start = at + prefix.length;
    for (const tool of server.tools) if (source.startsWith(tool.name, start)) called.add(tool);
  }
  return called;
}
