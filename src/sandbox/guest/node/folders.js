import { badFlags, CONSTANTS, toBytes, toLength, toListing, toOptions, toStats } from "./contents.js";
import { copy } from "./copy.js";
import { openFile, openFolder } from "./handles.js";
import { listDisk } from "./listing.js";
import { toOpenMode } from "./open-flags.js";
import { pathText, refuse } from "./primordials.js";

/** @typedef {import("./contents.js").Options} Options */

/**
 * `fs/promises` as far as programs use it, over the named folders alone.
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 * @param {ReturnType<typeof import("./disk.js").createDisk>} disk
 * @param {ReturnType<typeof import("./host-folders.js").createHostFolders>} host
 * @param {ReturnType<typeof import("./contents.js").createDecode>} decode
 */
export function createFolders(places, disk, host, decode) {
  const { locate, readOnly, toDisk } = places;

  /** @param {unknown} path */
  const isThere = (path) =>
    api.lstat(path).then(
      () => true,
      () => false,
    );

  /** @param {unknown} path */
  async function readBytes(path) {
    const at = locate(path);
    return at.isHost ? host.readFile(at) : disk.readFile(at);
  }

  /**
   * @param {ReturnType<typeof locate>} at
   * @param {string} path
   */
  async function openHostFile(at, path) {
    const { bytes, info } = await host.keep(at);
    const files = {
      ...api,
      readBytes: async () => bytes,
      /** @param {unknown} _path @param {Options} [options] */
      readFile: async (_path, options) => decode(bytes.slice(), toOptions(options).encoding),
      stat: async () => toStats(info),
    };
    // Writing is refused by the path, with the words on where to write.
    return openFile(files, path, true);
  }

  /** @param {unknown} path */
  async function noLink(path) {
    const at = locate(path);
    toDisk(at, "write");
    return refuse("EPERM", `Cannot make the link "${at.text}": programs make no links`, at.text);
  }

  const api = {
    constants: CONSTANTS,
    /** @param {unknown} path @param {Options} [options] */
    async readFile(path, options) {
      return decode(await readBytes(path), toOptions(options).encoding);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async writeFile(path, data, options) {
      const { flag, encoding } = toOptions(options);
      const mode = toOpenMode(flag ?? "w");
      const at = locate(path);
      toDisk(at, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      await disk.writeFile(at, toBytes(await collected(data), encoding), mode);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async appendFile(path, data, options) {
      await disk.writeFile(locate(path), toBytes(data, toOptions(options).encoding), APPEND);
    },
    /** @param {unknown} path @param {Options} [options] */
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      const said = pathText(path);
      const at = locate(said);
      const found = at.isHost ? await host.list(at, recursive) : listDisk(disk.sync, at, recursive);
      return toListing(found, said, withFileTypes);
    },
    /** @param {unknown} path @param {Options} [options] */
    async mkdir(path, options) {
      disk.sync.mkdir(locate(path), toOptions(options).recursive === true);
    },
    /** @param {unknown} prefix */
    mkdtemp: async (prefix) => disk.sync.makeTempDir(prefix),
    /** @param {unknown} path @param {Options} [options] */
    async rm(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        disk.sync.remove(locate(path), recursive === true);
      } catch (error) {
        if (!force || !(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    async unlink(path) {
      disk.sync.remove(locate(path), false);
    },
    /** @param {unknown} path @param {Options} [options] */
    async rmdir(path, options) {
      disk.sync.remove(locate(path), toOptions(options).recursive === true);
    },
    /** @param {unknown} from @param {unknown} to */
    async rename(from, to) {
      disk.sync.rename(locate(from), locate(to));
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    async copyFile(from, to, mode = 0) {
      const source = locate(from);
      const target = locate(to);
      const createNew = (mode & CONSTANTS.COPYFILE_EXCL) !== 0;
      if (!source.isHost) return disk.copyFile(source, target, createNew);
      toDisk(target, "write");
      return disk.writeFile(target, await host.readFile(source), { append: false, createNew });
    },
    /** @param {unknown} path */
    async stat(path) {
      const at = locate(path);
      return toStats(at.isHost ? await host.stat(at) : disk.sync.stat(at));
    },
    /** @param {unknown} path */
    async lstat(path) {
      const at = locate(path);
      return toStats(at.isHost ? await host.stat(at) : disk.sync.lstat(at));
    },
    /** @param {unknown} path @param {number} [mode] */
    async access(path, mode = 0) {
      const at = locate(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      await (at.isHost ? host.stat(at) : disk.sync.stat(at));
    },
    /** @param {unknown} path */
    async realpath(path) {
      const at = locate(path);
      await (at.isHost ? host.stat(at) : disk.sync.stat(at));
      return toWhole(at);
    },
    /** @param {unknown} path @param {unknown} [flags] */
    async open(path, flags) {
      const at = locate(path);
      const mode = toOpenMode(flags ?? "r");
      const whole = toWhole(at);
      if (at.isHost)
        return mode === "read" ? openHostFile(at, whole) : Promise.reject(readOnly(at.text, at.name));
      if (mode === "unknown") throw badFlags("open", flags);
      if (mode !== "read") await disk.writeFile(at, new Uint8Array(), mode);
      else if (disk.sync.stat(at).isDirectory) await readBytes(whole);
      return openFile({ ...api, readBytes }, whole, mode !== "read");
    },
    /** @param {unknown} path */
    opendir: async (path) => openFolder(api, pathText(path)),
    /** @param {unknown} from @param {unknown} to @param {import("./copy.js").CopyOptions} [options] */
    cp: async (from, to, options = {}) =>
      copy(
        { ...api, isThere, toWhole: (path) => toWhole(locate(path)) },
        pathText(from),
        pathText(to),
        options,
      ),
    /** @param {unknown} _target @param {unknown} path */
    async symlink(_target, path) {
      throw await noLink(path);
    },
    /** @param {unknown} _target @param {unknown} path */
    async link(_target, path) {
      throw await noLink(path);
    },
    /** @param {unknown} path @param {number} [length] */
    async truncate(path, length = 0) {
      disk.sync.truncate(locate(path), toLength(length));
    },
  };
  return Object.freeze(api);
}

const APPEND = { append: true, createNew: false };

/** @param {import("./places.js").Located} at */
const toWhole = ({ name, path }) => (path === "" ? `/${name}` : `/${name}/${path}`);

/**
 * A stream, or anything else that gives its parts one after the other, as one text or bytes.
 * @param {unknown} data
 */
async function collected(data) {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data)) return data;
  const iterates = Symbol.asyncIterator in data || Symbol.iterator in data;
  if (!iterates) return data;
  /** @type {Uint8Array[]} */
  const parts = [];
  for await (const part of /** @type {AsyncIterable<unknown>} */ (data)) parts.push(toBytes(part));
  return new Blob(/** @type {Uint8Array<ArrayBuffer>[]} */ (parts)).bytes();
}
