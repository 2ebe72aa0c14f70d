import { badFlags, CONSTANTS, toBytes, toListing, toOptions, toStats } from "./contents.js";
import { copy, openFile, openFolder } from "./handles.js";
import { toOpenMode } from "./open-flags.js";
import { lastIndexOf, pathText, refuse, slice } from "./primordials.js";

/** @typedef {import("./contents.js").Options} Options */

/**
 * `fs/promises` as far as programs use it, over the named folders alone.
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 * @param {ReturnType<typeof import("./disk.js").createDisk>} disk
 * @param {ReturnType<typeof import("./host-folders.js").createHostFolders>} host
 * @param {ReturnType<typeof import("./contents.js").createDecode>} decode
 */
export function createFolders(places, disk, host, decode) {
  const { locate, nestedIn, readOnly, place, placeWithin, toDisk, toReal } = places;

  /** @param {unknown} path */
  const isThere = (path) =>
    api.lstat(path).then(
      () => true,
      () => false,
    );

  /**
   * @param {string} dir
   * @param {string} prefix
   * @param {boolean} recursive
   * @returns {Promise<{ name: string, entry: Deno.DirEntry }[]>}
   */
  async function list(dir, prefix, recursive) {
    const found = [];
    for await (const entry of disk.readDir(dir)) {
      const name = prefix + entry.name;
      found.push({ name, entry });
      if (recursive && entry.isDirectory)
        found.push(...(await list(`${dir}/${entry.name}`, `${name}/`, true)));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Of a host's folder that lies over one on disk, the host is asked first.
   * @template Value
   * @param {ReturnType<typeof locate>} at
   * @param {(at: ReturnType<typeof locate>) => Promise<Value>} ofHost
   * @param {(real: string) => Promise<Value>} ofDisk
   */
  async function read(at, ofHost, ofDisk) {
    if (!at.isHost) return ofDisk(toDisk(at, "read"));
    try {
      return await ofHost(at);
    } catch (error) {
      if (at.below === undefined || codeOf(error) !== "ENOENT") throw error;
      return ofDisk(toDisk(at.below, "read"));
    }
  }

  /** @param {unknown} path */
  async function readBytes(path) {
    return read(locate(path), host.readFile, disk.readFile);
  }

  /**
   * What a folder holds on the disk and in a host's folder that lies over it or in it.
   * @param {ReturnType<typeof locate>} at
   * @param {boolean} recursive
   */
  async function listAll(at, recursive) {
    if (at.isHost && at.below === undefined) return host.list(at, recursive);
    const found = at.isHost ? await orNothing(host.list(at, recursive)) : [];
    const onDisk = list(toDisk(at.below ?? at, "read"), "", recursive);
    const names = new Set(found.map(({ name }) => name));
    for (const one of await (found.length > 0 ? orNothing(onDisk) : onDisk))
      if (!names.has(one.name)) found.push(one);
    for (const { name, place } of nestedIn(at)) {
      const inner = await orNothing(host.list(place, recursive));
      const isThere = found.some((one) => one.name === name);
      if (inner.length > 0 && !isThere)
        found.push({ name, entry: { name, isFile: false, isDirectory: true, isSymlink: false } });
      const known = new Set(found.map((one) => one.name));
      for (const one of recursive ? inner : [])
        if (!known.has(`${name}/${one.name}`)) found.push({ ...one, name: `${name}/${one.name}` });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @param {ReturnType<typeof locate>} at
   * @param {unknown} path
   */
  async function openHostFile(at, path) {
    const { bytes, info } = await read(at, host.keep, async (real) => ({
      bytes: await disk.readFile(real),
      info: await disk.stat(real),
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

  /** @param {unknown} path */
  async function noLink(path) {
    place(path, "write");
    return refuse(
      "EPERM",
      `Cannot make the link "${pathText(path)}": programs make no links`,
      pathText(path),
    );
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
      const real = place(path, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      await disk.writeFile(real, toBytes(await collected(data), encoding), mode);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async appendFile(path, data, options) {
      await disk.writeFile(place(path, "write"), toBytes(data, toOptions(options).encoding), {
        append: true,
      });
    },
    /** @param {unknown} path @param {Options} [options] */
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      return toListing(await listAll(locate(path), recursive), path, withFileTypes);
    },
    /** @param {unknown} path @param {Options} [options] */
    async mkdir(path, options) {
      await disk.mkdir(place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} prefix */
    async mkdtemp(prefix) {
      const text = String(prefix);
      const cut = text.lastIndexOf("/") + 1;
      const dir = await disk.makeTempDir({
        dir: place(text.slice(0, cut), "write"),
        prefix: text.slice(cut),
      });
      return text.slice(0, cut) + slice(dir, lastIndexOf(dir, "/") + 1);
    },
    /** @param {unknown} path @param {Options} [options] */
    async rm(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        await disk.remove(placeWithin(path), { recursive });
      } catch (error) {
        if (!force || !(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    async unlink(path) {
      await disk.remove(placeWithin(path), { recursive: false });
    },
    /** @param {unknown} path @param {Options} [options] */
    async rmdir(path, options) {
      await disk.remove(placeWithin(path), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} from @param {unknown} to */
    async rename(from, to) {
      await disk.rename(placeWithin(from), placeWithin(to));
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    async copyFile(from, to, mode = 0) {
      const at = locate(from);
      if ((mode & 1) !== 0 && (await isThere(to)))
        throw refuse("EEXIST", `"${to}" is there already`, pathText(to));
      if (at.isHost) await disk.writeFile(place(to, "write"), await readBytes(from), {});
      else await disk.copyFile(toDisk(at, "read"), place(to, "write"));
    },
    /** @param {unknown} path */
    async stat(path) {
      return toStats(await read(locate(path), host.stat, disk.stat));
    },
    /** @param {unknown} path */
    async lstat(path) {
      return toStats(await read(locate(path), host.stat, disk.lstat));
    },
    /** @param {unknown} path @param {number} [mode] */
    async access(path, mode = 0) {
      const at = locate(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      await read(at, host.stat, disk.stat);
    },
    /** @param {unknown} path */
    async realpath(path) {
      await api.access(path);
      const { name, path: rest } = locate(path);
      return rest === "" ? `/${name}` : `/${name}/${rest}`;
    },
    /** @param {unknown} path @param {unknown} [flags] */
    async open(path, flags) {
      const at = locate(path);
      const mode = toOpenMode(flags ?? "r");
      if (at.isHost)
        return mode === "read" ? openHostFile(at, path) : Promise.reject(readOnly(at.text, at.name));
      if (mode === "unknown") throw badFlags("open", flags);
      if (mode !== "read") await disk.writeFile(toDisk(at, "write"), new Uint8Array(), mode);
      else if ((await api.stat(path)).isDirectory()) await readBytes(path);
      return openFile({ ...api, readBytes }, path, mode !== "read");
    },
    /** @param {unknown} path */
    opendir: (path) => openFolder(api, path),
    /** @param {unknown} from @param {unknown} to @param {import("./handles.js").CopyOptions} [options] */
    cp: async (from, to, options = {}) =>
      copy({ ...api, toReal: async (path) => toReal(path), isThere }, from, to, options),
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
      await disk.truncate(place(path, "write"), length);
    },
  };
  return Object.freeze(api);
}

/** @param {unknown} error */
const codeOf = (error) => Reflect.get(Object(error), "code");

/**
 * @template Value
 * @param {Promise<Value[]>} listing
 * @returns {Promise<Value[]>}
 */
async function orNothing(listing) {
  try {
    return await listing;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
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
