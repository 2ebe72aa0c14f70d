import { indexOf, isError, ownValue, refuse, slice, startsWith, toLowerCase } from "./primordials.js";

/**
 * What of Deno's file functions programs get at, with errors in the program's words: where a folder lies on the machine,
 * or in the sandbox, is nothing to it.
 * @param {typeof Deno} deno
 * @param {readonly import("./places.js").Folder[]} folders
 */
export function createDisk(deno, folders) {
  /** @param {string} path */
  function toProgramPath(path) {
    for (let at = 0; at < folders.length; at++) {
      const folder = folders[at];
      if (folder && (path === folder.dir || startsWith(path, `${folder.dir}/`)))
        return `./${folder.name}${slice(path, folder.dir.length)}`;
    }
    return path;
  }

  /**
   * @param {unknown} error
   * @param {string} verb
   * @param {string} path
   * @param {string} [to]
   */
  function inProgramWords(error, verb, path, to) {
    const code = isError(error) ? ownValue(error, "code") : undefined;
    if (!isError(error) || typeof code !== "string") return error;
    const why = toReason(ownValue(error, "message")) || code;
    const place = toProgramPath(path);
    const what = to === undefined ? `"${place}"` : `"${place}" to "${toProgramPath(to)}"`;
    return refuse(code, `Cannot ${verb} ${what}: ${toLowerCase(slice(why, 0, 1))}${slice(why, 1)}`, place);
  }

  /**
   * @template Value
   * @param {Promise<Value>} doing
   * @param {string} verb
   * @param {string} path
   * @param {string} [to]
   */
  async function tell(doing, verb, path, to) {
    try {
      return await doing;
    } catch (error) {
      throw inProgramWords(error, verb, path, to);
    }
  }

  /**
   * @template Value
   * @param {() => Value} work
   * @param {string} verb
   * @param {string} path
   * @param {string} [to]
   */
  function tellSync(work, verb, path, to) {
    try {
      return work();
    } catch (error) {
      throw inProgramWords(error, verb, path, to);
    }
  }

  const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
  const stub = { value: { build: { os: deno.build.os } }, configurable: true };

  /**
   * Deno's own `statSync` looks for the operating system under the global `Deno`, which programs do not have.
   * @template Value
   * @param {() => Value} work
   */
  function withBuild(work) {
    const before = getOwnPropertyDescriptor(globalThis, "Deno");
    defineProperty(globalThis, "Deno", stub);
    try {
      return work();
    } finally {
      if (before) defineProperty(globalThis, "Deno", before);
      else deleteProperty(globalThis, "Deno");
    }
  }

  const sync = {
    /** @param {string} path */
    readFile: (path) => tellSync(() => deno.readFileSync(path), "read", path),
    /** @param {string} path @param {Uint8Array} data @param {{ append?: boolean, createNew?: boolean }} options */
    writeFile: (path, data, options) =>
      tellSync(() => deno.writeFileSync(path, data, options), "write", path),
    /** @param {string} path */
    readDir: (path) => tellSync(() => [...deno.readDirSync(path)], "list", path),
    /** @param {string} path @param {{ recursive: boolean }} options */
    mkdir: (path, options) => tellSync(() => deno.mkdirSync(path, options), "make the folder", path),
    /** @param {{ dir: string, prefix: string }} options */
    makeTempDir: (options) => tellSync(() => deno.makeTempDirSync(options), "make a folder in", options.dir),
    /** @param {string} path @param {{ recursive: boolean }} options */
    remove: (path, options) => tellSync(() => deno.removeSync(path, options), "remove", path),
    /** @param {string} from @param {string} to */
    rename: (from, to) => tellSync(() => deno.renameSync(from, to), "rename", from, to),
    /** @param {string} from @param {string} to */
    copyFile: (from, to) => tellSync(() => deno.copyFileSync(from, to), "copy", from, to),
    /** @param {string} path */
    stat: (path) => tellSync(() => withBuild(() => deno.statSync(path)), "look at", path),
    /** @param {string} path */
    lstat: (path) => tellSync(() => withBuild(() => deno.lstatSync(path)), "look at", path),
    /** @param {string} path @param {number} length */
    truncate: (path, length) => tellSync(() => deno.truncateSync(path, length), "truncate", path),
  };

  return {
    sync,
    /** @param {string} path */
    readFile: (path) => tell(deno.readFile(path), "read", path),
    /** @param {string} path @param {Uint8Array} data @param {{ append?: boolean, createNew?: boolean }} options */
    writeFile: (path, data, options) => tell(deno.writeFile(path, data, options), "write", path),
    /** @param {string} path */
    async *readDir(path) {
      try {
        yield* deno.readDir(path);
      } catch (error) {
        throw inProgramWords(error, "list", path);
      }
    },
    /** @param {string} path @param {{ recursive: boolean }} options */
    mkdir: (path, options) => tell(deno.mkdir(path, options), "make the folder", path),
    /** @param {{ dir: string, prefix: string }} options */
    makeTempDir: (options) => tell(deno.makeTempDir(options), "make a folder in", options.dir),
    /** @param {string} path @param {{ recursive: boolean }} options */
    remove: (path, options) => tell(deno.remove(path, options), "remove", path),
    /** @param {string} from @param {string} to */
    rename: (from, to) => tell(deno.rename(from, to), "rename", from, to),
    /** @param {string} from @param {string} to */
    copyFile: (from, to) => tell(deno.copyFile(from, to), "copy", from, to),
    /** @param {string} path */
    stat: (path) => tell(deno.stat(path), "look at", path),
    /** @param {string} path */
    lstat: (path) => tell(deno.lstat(path), "look at", path),
    /** @param {string} path @param {number} length */
    truncate: (path, length) => tell(deno.truncate(path, length), "truncate", path),
  };
}

/**
 * Of `No such file or directory (os error 2): readfile '/folders/workspace/a'` the words before the number.
 * @param {unknown} message
 */
function toReason(message) {
  const text = `${message}`;
  const end = indexOf(text, " (os error ");
  const words = end === -1 ? text : slice(text, 0, end);
  const colon = indexOf(words, ": ");
  return colon === -1 ? words : slice(words, 0, colon);
}
