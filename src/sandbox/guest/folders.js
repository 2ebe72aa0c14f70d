import { createDisk } from "./disk.js";
import { copy, openFile, openFolder } from "./handles.js";
import { createHostFolders } from "./host-folders.js";
import { OPEN_CONSTANTS, toOpenMode } from "./open-flags.js";

/** @typedef {{ name: string, dir: string, access: "read" | "write" }} Folder */
/** @typedef {string | { encoding?: string | null, recursive?: boolean, force?: boolean, withFileTypes?: boolean, flag?: string | number } | null} Options */

const MAX_PATH = 4096;
const MAX_SHOWN_PATH = 200;

const CONSTANTS = Object.freeze({ F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, ...OPEN_CONSTANTS });

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a file holds: bytes that turn into text as a `Buffer` does, without Deno's loading its Node layer for it. */
class FileBytes extends Uint8Array {
  /**
   * @override
   * @param {string} [encoding]
   */
  toString(encoding = "utf8") {
    return String(decode(this, encoding));
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {string | null | undefined} encoding
 */
function decode(bytes, encoding) {
  if (encoding === undefined || encoding === null || encoding === "buffer") {
    return new FileBytes(/** @type {ArrayBuffer} */ (bytes.buffer), bytes.byteOffset, bytes.byteLength);
  }
  if (/^utf-?8$/i.test(encoding)) return utf8.decode(bytes);
  return Reflect.get(globalThis, "Buffer").from(bytes).toString(encoding);
}

/**
 * @param {string} code
 * @param {string} message
 * @param {string} path
 */
function refuse(code, message, path) {
  return Object.assign(new Error(`${code}: ${message}`), { code, path });
}

/**
 * `fs/promises` as far as programs use it, over the named folders alone. The process's own permissions draw the same
 * line; this one also holds against links that point out of a folder, which Deno follows. Paths into a host's folder
 * are resolved here, by their text, and never reach Deno.
 * @param {typeof Deno} deno
 * @param {readonly Folder[]} folders
 * @param {readonly string[]} hostFolders
 * @param {import("./host-folders.js").Ask} ask
 */
export function createFolders(deno, folders, hostFolders, ask) {
  const byName = new Map(folders.map((folder) => [folder.name, folder]));
  const hosts = new Set(hostFolders);
  const host = createHostFolders(ask, refuse);
  const disk = createDisk(deno, folders, refuse);
  const quote = (/** @type {readonly string[]} */ names) => names.map((name) => `"./${name}"`).join(" and ");

  /** @param {unknown} path */
  function toText(path) {
    if (path instanceof URL) return decodeURIComponent(path.pathname);
    return path instanceof Uint8Array ? utf8.decode(path) : String(path);
  }

  /**
   * What a path as the program says it means: `workspace/a`, `./workspace/a` and `/workspace/a` are the same. No `..`
   * leads above the top.
   * @param {unknown} path
   */
  function locate(path) {
    const whole = toText(path);
    const text = whole.length > MAX_SHOWN_PATH ? `${whole.slice(0, MAX_SHOWN_PATH)}…` : whole;
    if (whole.length > MAX_PATH) throw refuse("ENAMETOOLONG", `"${text}" is too long`, text);
    if (whole.includes("\0")) throw refuse("EACCES", `Cannot use "${text}": no path has a NUL in it`, text);
    /** @type {string[]} */
    const parts = [];
    for (const part of whole.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const name = parts[0] ?? "";
    return { text, name, path: parts.slice(1).join("/"), isHost: hosts.has(name) };
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  function readOnly(text, name) {
    const writable = folders.filter(({ access }) => access === "write").map((folder) => folder.name);
    const instead = writable.length === 0 ? "" : `; write to ${quote(writable)}`;
    return refuse("EROFS", `Cannot write "${text}": "./${name}" is read-only${instead}`, text);
  }

  /**
   * The real place of a path in a folder on disk.
   * @param {unknown} path
   * @param {"read" | "write"} access
   */
  async function place(path, access) {
    return realPlace(locate(path), access);
  }

  /**
   * @param {ReturnType<typeof locate>} at
   * @param {"read" | "write"} access
   */
  async function realPlace({ text, name, path, isHost }, access) {
    if (isHost) throw readOnly(text, name);
    const folder = byName.get(name);
    if (!folder) {
      const names = [...byName.keys(), ...hosts];
      const granted = names.length === 0 ? "no folder is granted" : `programs have ${quote(names)} only`;
      throw refuse("EACCES", `Cannot use "${text}": ${granted}`, text);
    }
    if (access === "write" && folder.access !== "write") throw readOnly(text, name);
    const real = path === "" ? folder.dir : `${folder.dir}/${path}`;
    await stayInside(folder.dir, real, text);
    return real;
  }

  /**
   * @param {string} dir
   * @param {string} path
   * @param {string} text
   */
  async function stayInside(dir, path, text) {
    const root = await deno.realPath(dir);
    for (let at = path; at.length > dir.length; at = at.slice(0, at.lastIndexOf("/"))) {
      const info = await deno.lstat(at).catch(() => undefined);
      if (!info) continue;
      const target = await deno.realPath(at).catch(() => undefined);
      if (target === undefined || (target !== root && !target.startsWith(`${root}/`))) {
        throw refuse("EACCES", `Cannot use "${text}": it is a link out of its folder`, text);
      }
      return;
    }
  }

  /**
   * The same for all ways to say a path, and for links within a folder. What is not there yet has one too.
   * @param {unknown} path
   */
  async function toReal(path) {
    const at = locate(path);
    if (at.isHost) return at.path === "" ? at.name : `${at.name}/${at.path}`;
    const real = await realPlace(at, "read");
    for (let end = real.length; end > 0; end = real.lastIndexOf("/", end - 1)) {
      const there = await deno.realPath(real.slice(0, end)).catch(() => undefined);
      if (there !== undefined) return there + real.slice(end);
    }
    return real;
  }

  /**
   * @param {Options | undefined} options
   * @returns {Exclude<Options, string | null>}
   */
  const toOptions = (options) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

  /** @param {unknown} data */
  function toBytes(data) {
    if (data instanceof Uint8Array) return data;
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (typeof data === "object" && data !== null) {
      throw new TypeError(
        "Cannot write an object to a file: write JSON.stringify(…) of it, a text, or bytes",
      );
    }
    return encoder.encode(String(data));
  }

  /** @param {unknown} path */
  const isThere = (path) =>
    api.lstat(path).then(
      () => true,
      () => false,
    );

  /** @param {Deno.FileInfo} info */
  const toStats = (info) => ({
    size: info.size,
    mode: info.mode ?? 0,
    mtime: info.mtime,
    mtimeMs: info.mtime?.getTime() ?? 0,
    atime: info.atime,
    ctime: info.ctime,
    birthtime: info.birthtime,
    isFile: () => info.isFile,
    isDirectory: () => info.isDirectory,
    isSymbolicLink: () => info.isSymlink,
  });

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

  /** @param {unknown} path */
  async function readBytes(path) {
    const at = locate(path);
    return at.isHost ? host.readFile(at) : disk.readFile(await realPlace(at, "read"));
  }

  /**
   * @param {ReturnType<typeof locate>} at
   * @param {unknown} path
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

  /**
   * @param {string} verb
   * @param {unknown} flags
   */
  const badFlags = (verb, flags) =>
    new TypeError(`Cannot ${verb} with the flags "${flags}": there are "r", "w", "wx", "a" and "ax"`);

  /** @param {unknown} path */
  async function noLink(path) {
    await place(path, "write");
    return refuse("EPERM", `Cannot make the link "${toText(path)}": programs make no links`, toText(path));
  }

  const api = {
    constants: CONSTANTS,
    /** @param {unknown} path @param {Options} [options] */
    async readFile(path, options) {
      return decode(await readBytes(path), toOptions(options).encoding);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async writeFile(path, data, options) {
      const { flag } = toOptions(options);
      const mode = toOpenMode(flag ?? "w");
      const real = await place(path, "write");
      if (typeof mode === "string") throw badFlags("write", flag);
      await disk.writeFile(real, toBytes(data), mode);
    },
    /** @param {unknown} path @param {unknown} data */
    async appendFile(path, data) {
      await disk.writeFile(await place(path, "write"), toBytes(data), { append: true });
    },
    /** @param {unknown} path @param {Options} [options] */
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      const at = locate(path);
      const found = at.isHost
        ? await host.list(at, recursive)
        : await list(await realPlace(at, "read"), "", recursive);
      if (!withFileTypes) return found.map(({ name }) => name);
      const top = toText(path).replace(/\/+$/, "");
      const toParent = (/** @type {string} */ name) => [top, ...name.split("/").slice(0, -1)].join("/");
      return found.map(({ name, entry }) => ({
        name: entry.name,
        parentPath: toParent(name),
        path: toParent(name),
        isFile: () => entry.isFile,
        isDirectory: () => entry.isDirectory,
        isSymbolicLink: () => entry.isSymlink,
      }));
    },
    /** @param {unknown} path @param {Options} [options] */
    async mkdir(path, options) {
      await disk.mkdir(await place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} prefix */
    async mkdtemp(prefix) {
      const text = String(prefix);
      const cut = text.lastIndexOf("/") + 1;
      const dir = await disk.makeTempDir({
        dir: await place(text.slice(0, cut), "write"),
        prefix: text.slice(cut),
      });
      return text.slice(0, cut) + dir.slice(dir.lastIndexOf("/") + 1);
    },
    /** @param {unknown} path @param {Options} [options] */
    async rm(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        await disk.remove(await place(path, "write"), { recursive });
      } catch (error) {
        if (!force || !(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    async unlink(path) {
      await disk.remove(await place(path, "write"), { recursive: false });
    },
    /** @param {unknown} path @param {Options} [options] */
    async rmdir(path, options) {
      await disk.remove(await place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} from @param {unknown} to */
    async rename(from, to) {
      await disk.rename(await place(from, "write"), await place(to, "write"));
    },
    /** @param {unknown} from @param {unknown} to @param {number} [mode] 1 is `COPYFILE_EXCL` */
    async copyFile(from, to, mode = 0) {
      const at = locate(from);
      if ((mode & 1) !== 0 && (await isThere(to)))
        throw refuse("EEXIST", `"${to}" is there already`, toText(to));
      if (at.isHost) await disk.writeFile(await place(to, "write"), await host.readFile(at), {});
      else await disk.copyFile(await realPlace(at, "read"), await place(to, "write"));
    },
    /** @param {unknown} path */
    async stat(path) {
      const at = locate(path);
      return toStats(at.isHost ? await host.stat(at) : await disk.stat(await realPlace(at, "read")));
    },
    /** @param {unknown} path */
    async lstat(path) {
      const at = locate(path);
      return toStats(at.isHost ? await host.stat(at) : await disk.lstat(await realPlace(at, "read")));
    },
    /** @param {unknown} path @param {number} [mode] */
    async access(path, mode = 0) {
      const at = locate(path);
      if (at.isHost && (mode & CONSTANTS.W_OK) !== 0) throw readOnly(at.text, at.name);
      await (at.isHost ? host.stat(at) : disk.stat(await realPlace(at, "read")));
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
      if (mode !== "read") await disk.writeFile(await realPlace(at, "write"), new Uint8Array(), mode);
      else if ((await api.stat(path)).isDirectory()) await readBytes(path);
      return openFile({ ...api, readBytes }, path, mode !== "read");
    },
    /** @param {unknown} path */
    opendir: (path) => openFolder(api, path),
    /** @param {unknown} from @param {unknown} to @param {import("./handles.js").CopyOptions} [options] */
    cp: (from, to, options = {}) => copy({ ...api, toReal, isThere }, from, to, options),
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
      await disk.truncate(await place(path, "write"), length);
    },
  };
  return Object.freeze(api);
}
