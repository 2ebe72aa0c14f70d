import type { JsonSchema, ServerRecord, ToolRecord } from "../catalog/tool.ts";
import type { Printer } from "./printer.ts";
import { type ServerFile, toServerFiles } from "./tree.ts";

/**
 * The same files as `toTree` has, each printed when it is read, once for each state of its server's record. How many
 * calls a type was observed in may lag behind by a tenth.
 */
export type LazyTree = {
  /** The names in a server's folder. Empty when it has none. */
  list(server: ServerRecord): readonly string[];
  read(server: ServerRecord, name: string): string | undefined;
  /** The name of a tool's file. */
  fileOf(server: ServerRecord, tool: ToolRecord): string | undefined;
  /** A file beside the folders. */
  readRoot(name: string): string | undefined;
};

type Folder = {
  readonly names: readonly string[];
  readonly files: ReadonlyMap<string, ServerFile>;
  readonly byTool: ReadonlyMap<ToolRecord, string>;
  readonly printed: Map<string, Printed>;
};
type Printed = { readonly code: string; readonly of: Learned };
/** What had been learned of a tool's results: a type and from how many results, or how they contradict the declared one. */
type Learned = {
  readonly schema: JsonSchema | undefined;
  readonly contradictions: number;
  readonly results: number;
};

export function createLazyTree(printer: Printer): LazyTree {
  const rootFiles = new Map(printer.rootFiles);
  // A record is never changed: when its server offers other tools there is another one.
  const folders = new WeakMap<ServerRecord, Folder>();

  function folderOf(server: ServerRecord): Folder {
    const known = folders.get(server);
    if (known !== undefined) return known;
    const files = toServerFiles(server, printer);
    const byTool = new Map([...files].flatMap(([name, { tool }]) => (tool ? [[tool, name] as const] : [])));
    const folder: Folder = { names: Object.freeze([...files.keys()]), files, byTool, printed: new Map() };
    folders.set(server, folder);
    return folder;
  }

  return {
    list: (server) => folderOf(server).names,
    fileOf: (server, tool) => folderOf(server).byTool.get(tool),
    read(server, name) {
      const { files, printed } = folderOf(server);
      const file = files.get(name);
      if (file === undefined) return undefined;
      const of = toLearned(file);
      const known = printed.get(name);
      if (known !== undefined && isMuchTheSame(known.of, of)) return known.code;
      const { code } = file.print();
      printed.set(name, { code, of });
      return code;
    },
    readRoot: (name) => rootFiles.get(name),
  };
}

/** The record of a tool stays the same while more is learned of what it returns. */
function toLearned({ tool }: ServerFile): Learned {
  const observed = tool?.observed;
  const contradictions = tool?.contradictions ?? [];
  const contradicted = contradictions.reduce((sum, { count }) => sum + count, 0);
  return {
    schema: observed?.schema,
    contradictions: contradictions.length,
    results: (observed?.calls ?? 0) + contradicted,
  };
}

/** Were the count exact, a program that calls and reads by turns would have its file printed each time. */
function isMuchTheSame(printed: Learned, now: Learned): boolean {
  if (printed.schema !== now.schema || printed.contradictions !== now.contradictions) return false;
  return Math.abs(now.results - printed.results) <= printed.results / 10;
}
