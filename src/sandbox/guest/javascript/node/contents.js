import { OPEN_CONSTANTS } from "./open-flags.js";

/** @typedef {string | { encoding?: string | null, recursive?: boolean, force?: boolean, withFileTypes?: boolean, flag?: string | number, start?: number, end?: number, highWaterMark?: number } | null} Options */
/** @typedef {{ name: string, isFile: boolean, isDirectory: boolean, isSymlink: boolean }} Entry */
/** @typedef {{ from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array }} BufferClass */

export const CONSTANTS = Object.freeze({
  F_OK: 0,
  X_OK: 1,
  W_OK: 2,
  R_OK: 4,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE_FORCE: 4,
  ...OPEN_CONSTANTS,
});

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a file holds: bytes that turn into text as a `Buffer` does, without Deno's loading its Node layer for it. */
class FileBytes extends Uint8Array {
  /**
   * @override
   * @param {string} [encoding]
   */
  toString(encoding = "utf8") {
    return isUtf8(encoding) ? utf8.decode(this) : asBuffer(this).toString(encoding);
  }
}

/** @param {string} encoding */
const isUtf8 = (encoding) => /^utf-?8$/i.test(encoding);

/** @param {Uint8Array} bytes */
const asBuffer = (bytes) =>
  Reflect.get(globalThis, "Buffer").from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Turns bytes into what `readFile` gives: text in an encoding, else bytes; as a `Buffer` where the program uses what
 * only a `Buffer` has.
 * @param {boolean} hasBuffer
 */
export function createDecode(hasBuffer) {
  /**
   * @param {Uint8Array} bytes
   * @param {string | null | undefined} encoding
   */
  return (bytes, encoding) => {
    if (encoding === undefined || encoding === null || encoding === "buffer") {
      return hasBuffer
        ? asBuffer(bytes)
        : new FileBytes(/** @type {ArrayBuffer} */ (bytes.buffer), bytes.byteOffset, bytes.byteLength);
    }
    return isUtf8(encoding) ? utf8.decode(bytes) : asBuffer(bytes).toString(encoding);
  };
}

/**
 * @param {Options | undefined} options
 * @returns {Exclude<Options, string | null>}
 */
export const toOptions = (options) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

/** @param {unknown} data @param {string | null | undefined} [encoding] */
export function toBytes(data, encoding) {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === "object" && data !== null) {
    throw new TypeError("Cannot write an object to a file: write JSON.stringify(…) of it, a text, or bytes");
  }
  if (typeof encoding === "string" && typeof data === "string" && !isUtf8(encoding)) {
    return /** @type {Uint8Array} */ (Reflect.get(globalThis, "Buffer").from(data, encoding));
  }
  return encoder.encode(String(data));
}

/**
 * How long a file is to be: a number that is the same each time it is looked at.
 * @param {unknown} length
 */
export const toLength = (length) => Number(length);

/** @param {Deno.FileInfo} info */
export const toStats = (info) => ({
  size: info.size,
  mode: info.mode ?? 0,
  mtime: info.mtime,
  mtimeMs: info.mtime?.getTime() ?? 0,
  atime: info.atime,
  atimeMs: info.atime?.getTime() ?? 0,
  ctime: info.ctime,
  ctimeMs: info.ctime?.getTime() ?? 0,
  birthtime: info.birthtime,
  birthtimeMs: info.birthtime?.getTime() ?? 0,
  isFile: () => info.isFile,
  isDirectory: () => info.isDirectory,
  isSymbolicLink: () => info.isSymlink,
  isFIFO: () => false,
  isSocket: () => false,
  isBlockDevice: () => false,
  isCharacterDevice: () => false,
});

/**
 * What `readdir` gives of what was found.
 * @param {readonly { name: string, entry: Entry }[]} found
 * @param {string} path
 * @param {boolean} withFileTypes
 */
export function toListing(found, path, withFileTypes) {
  if (!withFileTypes) return found.map(({ name }) => name);
  const top = path.replace(/\/+$/, "");
  const toParent = (/** @type {string} */ name) => [top, ...name.split("/").slice(0, -1)].join("/");
  return found.map(({ name, entry }) => ({
    name: entry.name,
    parentPath: toParent(name),
    path: toParent(name),
    isFile: () => entry.isFile,
    isDirectory: () => entry.isDirectory,
    isSymbolicLink: () => entry.isSymlink,
  }));
}

/**
 * @param {string} verb
 * @param {unknown} flags
 */
export const badFlags = (verb, flags) =>
  new TypeError(`Cannot ${verb} with the flags "${flags}": there are "r", "w", "wx", "a" and "ax"`);
