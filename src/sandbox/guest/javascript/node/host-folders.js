import { refuse } from "./primordials.js";

/** @typedef {{ text: string, name: string, path: string }} Place `text` as the program said it, `path` within the folder */
/** @typedef {{ name: string, isFile: boolean, isDirectory: boolean, isSymlink: boolean }} Entry */
/** @typedef {(folder: string, path: string, recursive: boolean, from?: number) => Promise<unknown>} Ask */
/** @typedef {{ kind: "file", text?: string, bytes?: number } | { kind: "folder", files: string[], folders: string[] }} Node */

/**
 * Folders that exist nowhere on a disk: each look at one is a question to the host, which answers with a `FolderAnswer`
 * of ../sandbox.ts. Nothing is asked before a program looks.
 * @param {Ask} ask
 */
export function createHostFolders(ask) {
  const encoder = new TextEncoder();

  /**
   * @param {Place} place
   * @returns {Promise<Node>}
   */
  async function find({ text, name, path }, recursive = false) {
    const answer = /** @type {Node | { kind: string, message: string }} */ (await ask(name, path, recursive));
    if ("message" in answer) {
      const isMissing = answer.kind === "missing";
      const what = isMissing ? `There is no "${text}"` : `Cannot read "${text}"`;
      throw refuse(isMissing ? "ENOENT" : "EDQUOT", `${what}. ${answer.message}`, text);
    }
    return answer;
  }

  /**
   * A file that is too large for one answer, or could be.
   * @param {Place} place
   * @param {number} size
   */
  async function readPieces({ text, name, path }, size) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const piece = await ask(name, path, false, at);
      if (!(piece instanceof Uint8Array) || piece.length === 0 || piece.length > size - at)
        throw refuse("EIO", `Cannot read "${text}": it changed, or too much of it was read. Try again`, text);
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** @param {Node} node */
  const toInfo = (node) =>
    toHostInfo(node.kind === "file" ? (node.bytes ?? encoder.encode(node.text).length) : undefined);

  /**
   * @param {Node} node
   * @param {Place} place
   */
  async function toBytes(node, place) {
    if (node.kind === "file")
      return node.bytes === undefined ? encoder.encode(node.text) : readPieces(place, node.bytes);
    throw refuse("EISDIR", `"${place.text}" is a folder: list it with readdir`, place.text);
  }

  return {
    /** @param {Place} place */
    readFile: async (place) => toBytes(await find(place), place),

    /**
     * A file that is asked for once, however often it is looked at from then on.
     * @param {Place} place
     */
    async keep(place) {
      const node = await find(place);
      return { bytes: await toBytes(node, place), info: toInfo(node) };
    },

    /**
     * @param {Place} place
     * @param {boolean} recursive
     * @returns {Promise<{ name: string, entry: Entry }[]>}
     */
    async list(place, recursive) {
      const node = await find(place, recursive);
      if (node.kind === "file") {
        throw refuse("ENOTDIR", `"${place.text}" is a file: read it with readFile`, place.text);
      }
      /** @param {string} path @param {boolean} isDirectory */
      const toEntry = (path, isDirectory) => ({
        name: path,
        entry: {
          name: path.slice(path.lastIndexOf("/") + 1),
          isFile: !isDirectory,
          isDirectory,
          isSymlink: false,
        },
      });
      const found = node.folders.map((path) => toEntry(path, true));
      for (const path of node.files) found.push(toEntry(path, false));
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    /**
     * @param {Place} place
     * @returns {Promise<Deno.FileInfo>}
     */
    stat: async (place) => toInfo(await find(place)),
  };
}

/**
 * @param {number | undefined} bytes of a file; nothing for a folder
 * @returns {Deno.FileInfo}
 */
export function toHostInfo(bytes) {
  const isFile = bytes !== undefined;
  const never = new Date(0);
  return /** @type {Deno.FileInfo} */ ({
    isFile,
    isDirectory: !isFile,
    isSymlink: false,
    size: bytes ?? 0,
    mode: isFile ? 0o100444 : 0o40555,
    nlink: 1,
    mtime: never,
    atime: never,
    ctime: never,
    birthtime: never,
  });
}
