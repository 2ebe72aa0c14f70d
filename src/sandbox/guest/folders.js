/** @typedef {{ name: string, dir: string, access: "read" | "write" }} Folder */
/** @typedef {string | { encoding?: string | null, recursive?: boolean, force?: boolean, withFileTypes?: boolean, flag?: string } | null} Options */

const encoder = new TextEncoder();

/**
 * `fs/promises` as far as programs use it, over the named folders alone. The process's own permissions draw the same
 * line; this one also holds against links that point out of a folder, which Deno follows.
 * @param {typeof Deno} deno
 * @param {readonly Folder[]} folders
 */
export function createFolders(deno, folders) {
  const byName = new Map(folders.map((folder) => [folder.name, folder]));

  /**
   * @param {string} code
   * @param {string} message
   */
  function refuse(code, message) {
    return Object.assign(new Error(`${code}: ${message}`), { code });
  }

  /**
   * The real place of a path as the program says it: `workspace/a`, `./workspace/a` or `/workspace/a`.
   * @param {unknown} path
   * @param {"read" | "write"} access
   */
  async function place(path, access) {
    const text = path instanceof URL ? decodeURIComponent(path.pathname) : String(path);
    /** @type {string[]} */
    const parts = [];
    for (const part of text.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const folder = byName.get(parts[0] ?? "");
    if (!folder || text.includes("\0")) {
      const names = folders.map(({ name }) => `"./${name}"`).join(", ");
      throw refuse(
        "EACCES",
        `Cannot use "${text}": ${names === "" ? "no folder is" : `only ${names} are`} granted`,
      );
    }
    if (access === "write" && folder.access !== "write")
      throw refuse("EROFS", `Cannot write "${text}": "./${folder.name}" is read-only`);
    const real = [folder.dir, ...parts.slice(1)].join("/");
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
        throw refuse("EACCES", `Cannot use "${text}": it is a link out of its folder`);
      }
      return;
    }
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
    return encoder.encode(String(data));
  }

  /**
   * @param {Uint8Array} bytes
   * @param {string | null | undefined} encoding
   */
  function decode(bytes, encoding) {
    if (encoding === undefined || encoding === null || encoding === "buffer") return bytes;
    if (encoding === "base64" || encoding === "hex" || encoding === "latin1" || encoding === "binary") {
      return Reflect.get(globalThis, "Buffer").from(bytes).toString(encoding);
    }
    return new TextDecoder().decode(bytes);
  }

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
    for await (const entry of deno.readDir(dir)) {
      const name = prefix + entry.name;
      found.push({ name, entry });
      if (recursive && entry.isDirectory)
        found.push(...(await list(`${dir}/${entry.name}`, `${name}/`, true)));
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  const api = {
    /** @param {unknown} path @param {Options} [options] */
    async readFile(path, options) {
      return decode(await deno.readFile(await place(path, "read")), toOptions(options).encoding);
    },
    /** @param {unknown} path @param {unknown} data @param {Options} [options] */
    async writeFile(path, data, options) {
      const { flag } = toOptions(options);
      await deno.writeFile(await place(path, "write"), toBytes(data), {
        append: flag === "a",
        createNew: flag === "wx",
      });
    },
    /** @param {unknown} path @param {unknown} data */
    async appendFile(path, data) {
      await deno.writeFile(await place(path, "write"), toBytes(data), { append: true });
    },
    /** @param {unknown} path @param {Options} [options] */
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = toOptions(options);
      const found = await list(await place(path, "read"), "", recursive);
      if (!withFileTypes) return found.map(({ name }) => name);
      return found.map(({ name, entry }) => ({
        name: entry.name,
        parentPath: [String(path), ...name.split("/").slice(0, -1)].join("/"),
        isFile: () => entry.isFile,
        isDirectory: () => entry.isDirectory,
        isSymbolicLink: () => entry.isSymlink,
      }));
    },
    /** @param {unknown} path @param {Options} [options] */
    async mkdir(path, options) {
      await deno.mkdir(await place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} prefix */
    async mkdtemp(prefix) {
      const text = String(prefix);
      const cut = text.lastIndexOf("/") + 1;
      const dir = await deno.makeTempDir({
        dir: await place(text.slice(0, cut), "write"),
        prefix: text.slice(cut),
      });
      return text.slice(0, cut) + dir.slice(dir.lastIndexOf("/") + 1);
    },
    /** @param {unknown} path @param {Options} [options] */
    async rm(path, options) {
      const { recursive = false, force = false } = toOptions(options);
      try {
        await deno.remove(await place(path, "write"), { recursive });
      } catch (error) {
        if (!force || !(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
      }
    },
    /** @param {unknown} path */
    async unlink(path) {
      await deno.remove(await place(path, "write"), { recursive: false });
    },
    /** @param {unknown} path @param {Options} [options] */
    async rmdir(path, options) {
      await deno.remove(await place(path, "write"), { recursive: toOptions(options).recursive ?? false });
    },
    /** @param {unknown} from @param {unknown} to */
    async rename(from, to) {
      await deno.rename(await place(from, "write"), await place(to, "write"));
    },
    /** @param {unknown} from @param {unknown} to */
    async copyFile(from, to) {
      await deno.copyFile(await place(from, "read"), await place(to, "write"));
    },
    /** @param {unknown} path */
    async stat(path) {
      return toStats(await deno.stat(await place(path, "read")));
    },
    /** @param {unknown} path */
    async lstat(path) {
      return toStats(await deno.lstat(await place(path, "read")));
    },
    /** @param {unknown} path */
    async access(path) {
      await deno.stat(await place(path, "read"));
    },
    /** @param {unknown} path @param {number} [length] */
    async truncate(path, length = 0) {
      await deno.truncate(await place(path, "write"), length);
    },
  };
  return Object.freeze(api);
}
