import { badFlags, CONSTANTS, toBytes, toLength, toListing, toOptions, toStats } from "./contents.js";
import { copy } from "./copy.js";
import { openFile, openFolder } from "./handles.js";
import { listDisk } from "./listing.js";
import { toOpenMode } from "./open-flags.js";
import { isError, ownValue, pathText, refuse } from "./primordials.js";

/** @typedef {import("./contents.js").Options} Options */
/** @typedef {import("./places.js").Located} Located */
/** @typedef {import("./listing.js").Found} Found */

/**
 * `fs/promises` as far as programs use it, over the named folders alone.
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 * @param {ReturnType<typeof import("./disk.js").createDisk>} disk
 * @param {ReturnType<typeof import("./host-folders.js").createHostFolders>} host
 * @param {ReturnType<typeof import("./contents.js").createDecode>} decode
 */
export function createFolders(places, disk, host, decode) {
  const { filesIn, locate, nestedIn, noLink, readOnly, rootBelow, toDisk } = places;

  /** @param {unknown} path */
  const isThere = (path) =>
    api.lstat(path).then(
      () => true,
      () => false,
    );

  /**
   * Of a host's folder that lies over one on disk, the host is asked first.
   * @template Value
   * @param {Located} at
   * @param {(at: Located) => Promise<Value>} ofHost
   * @param {(at: Located) => Value | Promise<Value>} ofDisk
   */
  async function read(at, ofHost, ofDisk) {
    if (!at.isHost) return ofDisk(at);
    try {
      return await ofHost(at);
    } catch (error) {
      if (at.below === undefined || codeOf(error) !== "ENOENT") throw error;
      return ofDisk(at.below);
    }
  }

  /** @param {unknown} path */
  async function readBytes(path) {
    return read(locate(path), host.readFile, disk.readFile);
  }

  /**
   * What a folder holds on the disk, and in a host's folder that lies over it or in it.
   * @param {Located} at
   * @param {boolean} recursive
   */
  async function listAll(at, recursive) {
    if (at.isHost && at.below === undefined) return host.list(at, recursive);
    const found = at.isHost ? await orNothing(() => host.list(at, recursive)) : [];
    const onDisk = async () => listDisk(disk.sync, at.below ?? at, recursive);
    addNew(found, await (found.length > 0 ? orNothing(onDisk) : onDisk()), "");
    for (const { name, place } of nestedIn(at)) {
      const inner = await orNothing(() => host.list(place, recursive));
      const entry = { name, isFile: false, isDirectory: true, isSymlink: false };
      if (inner.length > 0) addNew(found, [{ name, entry }], "");
      if (recursive) addNew(found, inner, `${name}/`);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @param {ReturnType<typeof locate>} at
   * @param {string} path
   */
  async function openHostFile(at, path) {
    const { bytes, info } = await read(at, host.keep, async (below) => ({
      bytes: await disk.readFile(below),
      info: disk.sync.stat(below),
    }));
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

  /**
   * One that is there by its files alone, which are the host's.
   * @param {unknown} path
   */
  function isHostsFolder(path) {
    const at = locate(path);
    return at.below !== undefined && at.path === "" && filesIn(at.name).length > 0;
  }

  /**
   * Where to write. In a folder of the host's that lies over one on disk, what the host has is the host's.
   * @param {unknown} path
   */
  async function locateOwn(path) {
    const at = locate(path);
    if (at.below === undefined || at.path === "") return at;
    const isHosts = await host.stat(at).then(
      () => true,
      () => false,
    );
    if (isHosts)
      throw refuse(
        "EROFS",
        `Cannot change "${at.text}": it is a saved result, and read-only. Use another name`,
        at.text,
      );
    // Where the host has files the folder is there, whether it is on the disk or not.
    const root = rootBelow(at);
    if (root && filesIn(at.name).length > 0) disk.sync.mkdir(root, true);
    return at.below;
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
      const at = await locateOwn(path);
      toDisk(at, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      await disk.writeFile(at, toBytes(await collected(data), encoding), mode);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async appendFile(path, data, options) {
      await disk.writeFile(await locateOwn(path), toBytes(data, toOptions(options).encoding), APPEND);
    },
    /** @param {unknown} path @param {Options} [options] */
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      const said = pathText(path);
      return toListing(await listAll(locate(said), recursive), said, withFileTypes);
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
        disk.sync.remove(await locateOwn(path), recursive === true);
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || !(force || isHostsFolder(path))) throw error;
      }
    },
    /** @param {unknown} path */
    async unlink(path) {
      disk.sync.remove(await locateOwn(path), false);
    },
    /** @param {unknown} path @param {Options} [options] */
    async rmdir(path, options) {
      disk.sync.remove(await locateOwn(path), toOptions(options).recursive === true);
    },
    /** @param {unknown} from @param {unknown} to */
    async rename(from, to) {
      const [source, target] = [await locateOwn(from), await locateOwn(to)];
      disk.sync.rename(source, target);
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    async copyFile(from, to, mode = 0) {
      const source = locate(from);
      const target = await locateOwn(to);
      const createNew = (mode & CONSTANTS.COPYFILE_EXCL) !== 0;
      if (!source.isHost) return disk.copyFile(source, target, createNew);
      toDisk(target, "write");
      const bytes = await read(source, host.readFile, disk.readFile);
      return disk.writeFile(target, bytes, { append: false, createNew });
    },
    /** @param {unknown} path */
    async stat(path) {
      return toStats(await read(locate(path), host.stat, disk.sync.stat));
    },
    /** @param {unknown} path */
    async lstat(path) {
      return toStats(await read(locate(path), host.stat, disk.sync.lstat));
    },
    /** @param {unknown} path @param {number} [mode] */
    async access(path, mode = 0) {
      const at = (mode & CONSTANTS.W_OK) === 0 ? locate(path) : await locateOwn(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      await read(at, host.stat, disk.sync.stat);
    },
    /** @param {unknown} path */
    async realpath(path) {
      const at = locate(path);
      await read(at, host.stat, disk.sync.stat);
      return toWhole(at);
    },
    /** @param {unknown} path @param {unknown} [flags] */
    async open(path, flags) {
      const mode = toOpenMode(flags ?? "r");
      const at = mode === "read" ? locate(path) : await locateOwn(path);
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
      throw noLink(path);
    },
    /** @param {unknown} _target @param {unknown} path */
    async link(_target, path) {
      throw noLink(path);
    },
    /** @param {unknown} path @param {number} [length] */
    async truncate(path, length = 0) {
      disk.sync.truncate(await locateOwn(path), toLength(length));
    },
  };
  return Object.freeze(api);
}

const APPEND = { append: true, createNew: false };

/** @param {Located} at */
const toWhole = ({ name, path }) => (path === "" ? `/${name}` : `/${name}/${path}`);

/** @param {unknown} error */
const codeOf = (error) => (isError(error) ? ownValue(error, "code") : undefined);

/**
 * @param {() => Promise<Found[]>} list
 * @returns {Promise<Found[]>}
 */
async function orNothing(list) {
  try {
    return await list();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Adds what is not there by its name.
 * @param {Found[]} found
 * @param {readonly Found[]} others
 * @param {string} prefix
 */
function addNew(found, others, prefix) {
  const names = new Set(found.map(({ name }) => name));
  for (const other of others) {
    const name = `${prefix}${other.name}`;
    if (!names.has(name)) found.push({ ...other, name });
  }
}

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
