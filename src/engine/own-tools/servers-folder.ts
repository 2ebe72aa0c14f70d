import type { CatalogEntry } from "../../catalog/entry.ts";
import { findTool, type Meaning, type NamedServer } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import { createLazyTree } from "../../codegen/lazy-tree.ts";
import { OWN_WORDS } from "../../codegen/own-words.ts";
import { isFolderName } from "../../codegen/print/identifiers.ts";
import type { Printer } from "../../codegen/printer.ts";
import type { FolderAnswer, FolderRequest } from "../../sandbox/sandbox.ts";
import { couldMean, didYouMean } from "../../text/did-you-mean.ts";
import type { Names } from "../call/find-tool.ts";

/** `./servers` as programs read it: what `keyhole generate` would write, without a file being written. */
export type ServersFolder = {
  /** A reader for one run, with the bounds of one run. */
  open(): (request: unknown) => FolderAnswer;
};

/** How programs call it. */
export const SERVERS_FOLDER = "servers";

const MAX_PATH = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const TOO_MUCH = { kind: "refused", message: "One program can read 64 MB of ./servers" } as const;
const MAX_LISTED = 100_000;
const TOO_MANY = {
  kind: "refused",
  message: `There are more than ${MAX_LISTED} files: list one server at a time`,
} as const;
/** Looking for near names goes over all names, and a program can ask for wrong ones in a loop. */
const MAX_EXPLAINED = 5;
const MAX_COMPARED = 50_000;
const MAX_COMPARED_NAME = 200;

type Node = { readonly kind: "file"; readonly text: string } | FolderNode;
type FolderNode = {
  readonly kind: "folder";
  readonly files: readonly string[];
  readonly folders: readonly string[];
};
/** `reason` is sure; without one the nearest of the known names is told, and where none is near, `otherwise`. */
type Missing = {
  readonly kind: "missing";
  readonly name: string;
  /** There can be very many. */
  known(): readonly string[];
  readonly reason?: string;
  otherwise(): string;
};

/** @param printer of the language in which the programs are written that read it */
export function createServersFolder({ names, entry, entries }: Names, printer: Printer): ServersFolder {
  const tree = createLazyTree(printer);
  const { extension, folder: toFolder } = printer;

  /** A folder or file that is spelled otherwise is found all the same: `./servers/googleDrive/get_sheet.ts`. */
  function readFile(server: ServerRecord, name: string): string | undefined {
    const text = tree.read(server, name);
    if (text !== undefined || !name.endsWith(extension)) return text;
    const tool = findTool(server, name.slice(0, -extension.length));
    const file = tool.kind === "one" ? tree.fileOf(server, tool.value) : undefined;
    return file === undefined ? undefined : tree.read(server, file);
  }

  /** Known names are looked up in maps; a path is never used for anything else. */
  function find(path: string): Node | Missing {
    if (path === "")
      return { kind: "folder", files: [], folders: toServers(entries(), printer).map(toFolder) };
    const cut = path.indexOf("/");
    const first = cut === -1 ? path : path.slice(0, cut);
    const root = tree.readRoot(path);
    if (root !== undefined) return { kind: "file", text: root };
    const meant = names.server(first);
    const found = meant.kind === "one" ? entry(meant.value.name) : undefined;
    const server = found && isThere(found, printer) ? found.record : undefined;
    if (server === undefined) {
      const known = () => toServers(entries(), printer).map(toFolder);
      const reason = whyNoServer(meant, found, printer);
      return { kind: "missing", name: first, known, reason, otherwise: () => toList(known()) };
    }
    const name = path.slice(first.length + 1);
    const text = readFile(server, name);
    if (text !== undefined) return { kind: "file", text };
    const known = () => tree.list(server);
    if (cut === -1) return { kind: "folder", files: known(), folders: [] };
    const otherwise = () => `${OWN_WORDS[printer.naming].list(`./servers/${first}`)} lists what is there`;
    return { kind: "missing", name, known, otherwise };
  }

  function listAll(): FolderNode | typeof TOO_MANY {
    const servers = toServers(entries(), printer);
    const count = servers.reduce((sum, server) => sum + tree.list(server).length, 0);
    if (count > MAX_LISTED) return TOO_MANY;
    const files = servers.flatMap((server) => tree.list(server).map((name) => `${toFolder(server)}/${name}`));
    return { kind: "folder", files, folders: servers.map(toFolder) };
  }

  return {
    open() {
      let bytes = 0;
      let explained = 0;
      let compared = 0;

      function explain({ name, known, reason, otherwise }: Missing): string {
        if (reason !== undefined) return reason;
        if (name.length > MAX_COMPARED_NAME || ++explained > MAX_EXPLAINED || compared > MAX_COMPARED)
          return otherwise();
        const names = known();
        compared += names.length;
        return didYouMean(name, names) ?? otherwise();
      }

      return (raw) => {
        const request = readRequest(raw);
        if (!request) return { kind: "missing", message: "No path in ./servers looks like this" };
        if (bytes > MAX_BYTES) return TOO_MUCH;
        const { path, recursive } = request;
        const found = recursive && path === "" ? listAll() : find(path);
        if (found.kind === "missing") return { kind: "missing", message: explain(found) };
        if (found.kind === "refused") return found;
        if (found.kind === "folder" && found.files.length > MAX_LISTED) return TOO_MANY;
        bytes += found.kind === "file" ? found.text.length : sizeOf(found);
        return bytes > MAX_BYTES ? TOO_MUCH : found;
      };
    },
  };
}

/** As `keyhole generate` has them: those that are switched on and whose tools are known, also from an earlier time. */
function toServers(entries: readonly CatalogEntry[], printer: Printer): readonly ServerRecord[] {
  return entries.flatMap((entry) => (entry.record && isThere(entry, printer) ? [entry.record] : []));
}

function isThere({ record, status }: CatalogEntry, { folder }: Printer): boolean {
  return record !== undefined && status !== "disabled" && isFolderName(folder(record));
}

function whyNoServer(
  meant: Meaning<NamedServer>,
  entry: CatalogEntry | undefined,
  { folder }: Printer,
): string | undefined {
  if (meant.kind === "many") return couldMean(meant.values.map(folder));
  if (entry?.status === "disabled") return `The server "${entry.name}" is disabled`;
  return entry?.record ? undefined : entry?.error?.message;
}

function toList(servers: readonly string[]): string {
  return `Servers: ${servers.slice(0, 20).join(", ")}${servers.length > 20 ? ", …" : ""}`;
}

function readRequest(request: unknown): FolderRequest | undefined {
  if (typeof request !== "object" || request === null) return undefined;
  const path = "path" in request ? request.path : undefined;
  const isOurs = "folder" in request && request.folder === SERVERS_FOLDER;
  if (!isOurs || typeof path !== "string" || path.length > MAX_PATH) return undefined;
  return { folder: SERVERS_FOLDER, path, recursive: "recursive" in request && request.recursive === true };
}

function sizeOf({ files, folders }: FolderNode): number {
  return [...files, ...folders].reduce((sum, name) => sum + name.length + 3, 0);
}
