/**
 * What of Deno's file functions programs get at, with errors in the program's words: where a folder lies on the machine,
 * or in the sandbox, is nothing to it.
 * @param {typeof Deno} deno
 * @param {readonly import("./folders.js").Folder[]} folders
 * @param {(code: string, message: string, path: string) => Error} refuse
 */
export function createDisk(deno, folders, refuse) {
  /** @param {string} path */
  function toProgramPath(path) {
    const folder = folders.find(({ dir }) => path === dir || path.startsWith(`${dir}/`));
    return folder === undefined ? path : `./${folder.name}${path.slice(folder.dir.length)}`;
  }

  /**
   * @param {unknown} error
   * @param {string} verb
   * @param {string} path
   * @param {string} [to]
   */
  function inProgramWords(error, verb, path, to) {
    const code = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (!(error instanceof Error) || typeof code !== "string") return error;
    // `No such file or directory (os error 2): readfile '/folders/workspace/a'`
    const [why = code] = error.message.split(/ \(os error |: /);
    const place = toProgramPath(path);
    const what = to === undefined ? `"${place}"` : `"${place}" to "${toProgramPath(to)}"`;
    return refuse(code, `Cannot ${verb} ${what}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`, place);
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

  return {
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
