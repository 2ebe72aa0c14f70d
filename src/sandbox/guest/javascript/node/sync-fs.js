import { badFlags, CONSTANTS, toBytes, toLength, toListing, toOptions, toStats } from "./contents.js";
import { assertCopyable } from "./copy.js";
import { toHostInfo } from "./host-folders.js";
import { listDisk } from "./listing.js";
import { toOpenMode } from "./open-flags.js";
import { isError, ownValue, pathText, refuse } from "./primordials.js";

/** @typedef {import("./contents.js").Options} Options */
/** @typedef {import("./places.js").Located} Located */

/**
 * The functions of `fs` that block, in the folders on disk. A host's folder is asked for, which takes a promise: there
 * they say what to use instead.
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 * @param {ReturnType<typeof import("./disk.js").createDisk>["sync"]} disk
 * @param {ReturnType<typeof import("./contents.js").createDecode>} decode
 */
export function createSyncFs(places, disk, decode) {
  const { filesIn, hostBytes, locate, nestedIn, noLink, readOnly, rootBelow, toDisk } = places;

  /**
   * @param {unknown} path
   * @param {string} name the function that was called
   */
  function toRead(path, name) {
    const at = locate(path);
    if (!at.isHost) return at;
    // What a program wrote itself into a folder that the host's lies over, or nobody has.
    if (at.below !== undefined && (isOnDisk(at.below) || !isHosts(at))) return at.below;
    const call = name === "exists" ? "access(…), which throws when there is nothing," : `${name}(…)`;
    const why = `${name}Sync cannot wait for "./${at.name}": use await ${call} of "node:fs/promises"`;
    throw refuse("ENOSYS", why, at.text);
  }

  /** @param {Located} at */
  const isHosts = (at) => hostBytes(at) !== undefined || (at.path === "" && filesIn(at.name).length > 0);

  /**
   * What is known of a file or folder of the host's without asking for it.
   * @param {unknown} path
   * @returns {Deno.FileInfo | undefined}
   */
  function hostInfo(path) {
    const at = locate(path);
    if (at.below === undefined || !isHosts(at) || isOnDisk(at.below)) return undefined;
    return toHostInfo(hostBytes(at));
  }

  /**
   * Where to write: a folder in which the host has files is there, whether it is on the disk or not.
   * @param {unknown} path
   */
  function locateOwn(path) {
    const at = locate(path);
    const root = at.path === "" ? undefined : rootBelow(at);
    if (hostBytes(at) !== undefined && root)
      throw refuse(
        "EROFS",
        `Cannot change "${at.text}": it is a saved result, and read-only. Use another name`,
        at.text,
      );
    if (root && filesIn(at.name).length > 0) disk.mkdir(root, true);
    return at;
  }

  /** @param {Located} at */
  function isOnDisk(at) {
    try {
      disk.lstat(at);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {unknown} path */
  function isThere(path) {
    try {
      if (hostInfo(path) !== undefined) return true;
      disk.lstat(toRead(path, "exists"));
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOSYS") throw error;
      return false;
    }
  }

  /**
   * @param {string} said
   * @param {boolean} recursive
   */
  function list(said, recursive) {
    const at = locate(said);
    const isOver = at.below !== undefined;
    const isThere = isOver && filesIn(at.name).length > 0 && at.path === "";
    const found =
      isThere && !isOnDisk(at.below ?? at) ? [] : listDisk(disk, toRead(said, "readdir"), recursive);
    if (isThere) addFiles(found, at.name, "");
    for (const { name, place } of nestedIn(at)) {
      if (filesIn(place.name).length === 0) continue;
      const entry = { name, isFile: false, isDirectory: true, isSymlink: false };
      if (!found.some((one) => one.name === name)) found.push({ name, entry });
      if (recursive) addFiles(found, place.name, `${name}/`);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @param {import("./listing.js").Found[]} found
   * @param {string} folder
   * @param {string} prefix
   */
  function addFiles(found, folder, prefix) {
    for (const [file] of filesIn(folder)) {
      const name = `${prefix}${file}`;
      const entry = { name: file, isFile: true, isDirectory: false, isSymlink: false };
      if (!found.some((one) => one.name === name)) found.push({ name, entry });
    }
  }

  /** @param {string} path */
  function toWhole(path) {
    const at = locate(path);
    return at.path === "" ? at.name : `${at.name}/${at.path}`;
  }

  const api = {
    existsSync: isThere,
    /** @param {unknown} path @param {Options} [options] */
    readFileSync: (path, options) =>
      decode(disk.readFile(toRead(path, "readFile")), toOptions(options).encoding),
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    writeFileSync(path, data, options) {
      const { flag, encoding } = toOptions(options);
      const mode = toOpenMode(flag ?? "w");
      const at = locateOwn(path);
      toDisk(at, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      disk.writeFile(at, toBytes(data, encoding), mode);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    appendFileSync(path, data, options) {
      disk.writeFile(locateOwn(path), toBytes(data, toOptions(options).encoding), APPEND);
    },
    /** @param {unknown} path @param {Options} [options] */
    readdirSync(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      const said = pathText(path);
      return toListing(list(said, recursive), said, withFileTypes);
    },
    /** @param {unknown} path @param {Options} [options] */
    mkdirSync(path, options) {
      disk.mkdir(locate(path), toOptions(options).recursive === true);
    },
    /** @param {unknown} prefix */
    mkdtempSync: (prefix) => disk.makeTempDir(prefix),
    /** @param {unknown} path @param {Options} [options] */
    rmSync(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        disk.remove(locate(path), recursive === true);
      } catch (error) {
        if (!force || codeOf(error) !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    unlinkSync(path) {
      disk.remove(locate(path), false);
    },
    /** @param {unknown} path @param {Options} [options] */
    rmdirSync(path, options) {
      disk.remove(locate(path), toOptions(options).recursive === true);
    },
    /** @param {unknown} from @param {unknown} to */
    renameSync(from, to) {
      disk.rename(locateOwn(from), locateOwn(to));
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    copyFileSync(from, to, mode = 0) {
      disk.copyFile(toRead(from, "copyFile"), locateOwn(to), (mode & CONSTANTS.COPYFILE_EXCL) !== 0);
    },
    /** @param {unknown} source @param {unknown} target @param {{ recursive?: boolean, force?: boolean, errorOnExist?: boolean }} [options] */
    cpSync(source, target, options = {}) {
      const from = pathText(source);
      const to = pathText(target);
      if (!disk.stat(toRead(from, "cp")).isDirectory) {
        const isKept = options.force === false && isThere(to);
        if (isKept && options.errorOnExist === true) throw refuse("EEXIST", `"${to}" is there already`, to);
        return isKept ? undefined : api.copyFileSync(from, to);
      }
      assertCopyable(from, to, options.recursive === true, toWhole);
      api.mkdirSync(to, { recursive: true });
      for (const { name } of disk.readDir(toRead(from, "cp")))
        api.cpSync(`${from}/${name}`, `${to}/${name}`, options);
      return undefined;
    },
    /** @param {unknown} path @param {{ throwIfNoEntry?: boolean }} [options] */
    statSync: (path, options) => look(() => hostInfo(path) ?? disk.stat(toRead(path, "stat")), options),
    /** @param {unknown} path @param {{ throwIfNoEntry?: boolean }} [options] */
    lstatSync: (path, options) => look(() => hostInfo(path) ?? disk.lstat(toRead(path, "lstat")), options),
    /** @param {unknown} path @param {number} [mode] */
    accessSync(path, mode = 0) {
      const at = locate(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      if (hostInfo(path) === undefined) disk.stat(toRead(path, "access"));
    },
    /** @param {unknown} path */
    realpathSync(path) {
      const at = toRead(path, "realpath");
      disk.stat(at);
      return at.path === "" ? `/${at.name}` : `/${at.name}/${at.path}`;
    },
    /** @param {unknown} path @param {number} [length] */
    truncateSync(path, length = 0) {
      disk.truncate(locate(path), toLength(length));
    },
    /** @param {unknown} _target @param {unknown} path */
    symlinkSync(_target, path) {
      throw noLink(path);
    },
    /** @param {unknown} _target @param {unknown} path */
    linkSync(_target, path) {
      throw noLink(path);
    },
  };
  return api;
}

const APPEND = { append: true, createNew: false };

/** @param {unknown} error */
const codeOf = (error) => (isError(error) ? ownValue(error, "code") : undefined);

/**
 * @param {() => Deno.FileInfo} find
 * @param {{ throwIfNoEntry?: boolean } | undefined} options
 */
function look(find, options) {
  try {
    return toStats(find());
  } catch (error) {
    if (options?.throwIfNoEntry === false && codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
