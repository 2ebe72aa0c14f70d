import type { ServerRecord } from "../catalog/tool.ts";
import { type Language, type ServerFile, toRootFiles, toServerFiles } from "./tree.ts";

/** The same files as `toTree` has, each printed when it is read, once for each state of its server's record. */
export type LazyTree = {
  /** The names in a server's folder. Empty when it has none. */
  list(server: ServerRecord): readonly string[];
  read(server: ServerRecord, name: string): string | undefined;
  /** A file beside the folders. */
  readRoot(name: string): string | undefined;
};

type Folder = { readonly files: ReadonlyMap<string, ServerFile>; readonly printed: Map<string, Printed> };
/** `of`: what had been learned of the tool's results by then. */
type Printed = { readonly code: string; readonly of: string };

export function createLazyTree(language: Language): LazyTree {
  const rootFiles = toRootFiles(language);
  // A record is never changed: when its server offers other tools there is another one.
  const folders = new WeakMap<ServerRecord, Folder>();

  function folderOf(server: ServerRecord): Folder {
    const known = folders.get(server);
    if (known !== undefined) return known;
    const folder: Folder = { files: toServerFiles(server, language), printed: new Map() };
    folders.set(server, folder);
    return folder;
  }

  return {
    list: (server) => [...folderOf(server).files.keys()],
    read(server, name) {
      const { files, printed } = folderOf(server);
      const file = files.get(name);
      if (file === undefined) return undefined;
      const of = toLearned(file);
      const known = printed.get(name);
      if (known?.of === of) return known.code;
      const { code } = file.print();
      printed.set(name, { code, of });
      return code;
    },
    readRoot: (name) => rootFiles.get(name),
  };
}

/** The record of a tool stays the same while more is learned of what it returns. */
function toLearned({ tool }: ServerFile): string {
  const contradicted = (tool?.contradictions ?? []).reduce((sum, { count }) => sum + count, 0);
  return `${tool?.observed?.calls ?? 0} ${contradicted}`;
}
