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

type Folder = { readonly files: ReadonlyMap<string, ServerFile>; readonly printed: Map<string, string> };

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
      const known = printed.get(name);
      if (known !== undefined) return known;
      const code = files.get(name)?.print().code;
      if (code !== undefined) printed.set(name, code);
      return code;
    },
    readRoot: (name) => rootFiles.get(name),
  };
}
