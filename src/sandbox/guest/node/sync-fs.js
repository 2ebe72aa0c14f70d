import { badFlags, CONSTANTS, toBytes, toListing, toOptions, toStats } from "./contents.js";
import { toOpenMode } from "./open-flags.js";
import { lastIndexOf, pathText, refuse, slice } from "./primordials.js";

/** @typedef {import("./contents.js").Options} Options */

/**
 * The functions of `fs` that block, in the folders on disk. A host's folder is asked for, which takes a promise: there
 * they say what to use instead.
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 * @param {ReturnType<typeof import("./disk.js").createDisk>["sync"]} disk
 * @param {ReturnType<typeof import("./contents.js").createDecode>} decode
 */
export function createSyncFs(places, disk, decode) {
  const { locate, readOnly, place, placeWithin, toDisk, toReal } = places;

  /**
   * @param {unknown} path
   * @param {string} name the function that was called
   */
  function toRead(path, name) {
    const at = locate(path);
    if (!at.isHost) return toDisk(at, "read");
    const call = name === "exists" ? "access(…), which throws when there is nothing," : `${name}(…)`;
    const why = `${name}Sync cannot wait for "./${at.name}": use await ${call} of "node:fs/promises"`;
    throw refuse("ENOSYS", why, at.text);
  }

  /**
   * @param {string} dir
   * @param {string} prefix
   * @param {boolean} recursive
   * @returns {{ name: string, entry: Deno.DirEntry }[]}
   */
  function list(dir, prefix, recursive) {
    const found = [];
    for (const entry of disk.readDir(dir)) {
      const name = prefix + entry.name;
      found.push({ name, entry });
      if (recursive && entry.isDirectory) found.push(...list(`${dir}/${entry.name}`, `${name}/`, true));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @param {unknown} path */
  function isThere(path) {
    try {
      disk.lstat(toRead(path, "exists"));
      return true;
    } catch (error) {
      if (Reflect.get(Object(error), "code") === "ENOSYS") throw error;
      return false;
    }
  }

  /** @param {unknown} path */
  function noLink(path) {
    place(path, "write");
    return refuse(
      "EPERM",
      `Cannot make the link "${pathText(path)}": programs make no links`,
      pathText(path),
    );
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
      const real = place(path, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      disk.writeFile(real, toBytes(data, encoding), mode);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    appendFileSync(path, data, options) {
      disk.writeFile(place(path, "write"), toBytes(data, toOptions(options).encoding), { append: true });
    },
    /** @param {unknown} path @param {Options} [options] */
    readdirSync(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      return toListing(list(toRead(path, "readdir"), "", recursive), path, withFileTypes);
    },
    /** @param {unknown} path @param {Options} [options] */
    mkdirSync(path, options) {
      disk.mkdir(place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} prefix */
    mkdtempSync(prefix) {
      const text = String(prefix);
      const cut = text.lastIndexOf("/") + 1;
      const dir = disk.makeTempDir({ dir: place(text.slice(0, cut), "write"), prefix: text.slice(cut) });
      return text.slice(0, cut) + slice(dir, lastIndexOf(dir, "/") + 1);
    },
    /** @param {unknown} path @param {Options} [options] */
    rmSync(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        disk.remove(placeWithin(path), { recursive });
      } catch (error) {
        if (!force || Reflect.get(Object(error), "code") !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    unlinkSync(path) {
      disk.remove(placeWithin(path), { recursive: false });
    },
    /** @param {unknown} path @param {Options} [options] */
    rmdirSync(path, options) {
      disk.remove(placeWithin(path), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} from @param {unknown} to */
    renameSync(from, to) {
      disk.rename(placeWithin(from), placeWithin(to));
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    copyFileSync(from, to, mode = 0) {
      const source = toRead(from, "copyFile");
      const target = place(to, "write");
      if ((mode & CONSTANTS.COPYFILE_EXCL) !== 0 && isThere(to))
        throw refuse("EEXIST", `"${pathText(to)}" is there already`, pathText(to));
      disk.copyFile(source, target);
    },
    /** @param {unknown} from @param {unknown} to @param {{ recursive?: boolean, force?: boolean, errorOnExist?: boolean }} [options] */
    cpSync(from, to, options = {}) {
      if (!disk.stat(toRead(from, "cp")).isDirectory) {
        const isKept = options.force === false && isThere(to);
        if (isKept && options.errorOnExist === true)
          throw refuse("EEXIST", `"${pathText(to)}" is there already`, pathText(to));
        return isKept ? undefined : api.copyFileSync(from, to);
      }
      const [source, target] = [toReal(from), toReal(to)];
      if (options.recursive !== true)
        throw refuse(
          "EISDIR",
          `"${pathText(from)}" is a folder: copy it with { recursive: true }`,
          pathText(from),
        );
      if (`${target}/`.startsWith(`${source}/`))
        throw refuse(
          "EINVAL",
          `Cannot copy "${pathText(from)}" into itself, to "${pathText(to)}"`,
          pathText(from),
        );
      api.mkdirSync(to, { recursive: true });
      for (const { name } of disk.readDir(toRead(from, "cp")))
        api.cpSync(`${pathText(from)}/${name}`, `${pathText(to)}/${name}`, options);
      return undefined;
    },
    /** @param {unknown} path @param {{ throwIfNoEntry?: boolean }} [options] */
    statSync: (path, options) => look(() => disk.stat(toRead(path, "stat")), options),
    /** @param {unknown} path @param {{ throwIfNoEntry?: boolean }} [options] */
    lstatSync: (path, options) => look(() => disk.lstat(toRead(path, "lstat")), options),
    /** @param {unknown} path @param {number} [mode] */
    accessSync(path, mode = 0) {
      const at = locate(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      disk.stat(toRead(path, "access"));
    },
    /** @param {unknown} path */
    realpathSync(path) {
      api.accessSync(path);
      const { name, path: rest } = locate(path);
      return rest === "" ? `/${name}` : `/${name}/${rest}`;
    },
    /** @param {unknown} path @param {number} [length] */
    truncateSync(path, length = 0) {
      disk.truncate(place(path, "write"), length);
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

/**
 * @param {() => Deno.FileInfo} find
 * @param {{ throwIfNoEntry?: boolean } | undefined} options
 */
function look(find, options) {
  try {
    return toStats(find());
  } catch (error) {
    if (options?.throwIfNoEntry === false && Reflect.get(Object(error), "code") === "ENOENT")
      return undefined;
    throw error;
  }
}
