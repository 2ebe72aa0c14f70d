import { isError, ownValue, refuse, slice } from "./primordials.js";

/**
 * Looks at what stands at a path of this machine, and says of what no program may use why.
 * @param {Pick<typeof Deno, "lstatSync" | "build">} deno
 */
export function createLooks(deno) {
  const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
  const { lstatSync } = deno;
  const { os } = deno.build;
  /** @type {PropertyDescriptor} */
  const stub = Object.assign(Object.create(null), { value: { build: { os } }, configurable: true });

  /**
   * Deno's own `statSync` looks for the operating system under the global `Deno`, which programs do not have. By another
   * one's word it would leave out how many names a file has.
   * @template Value
   * @param {() => Value} work
   */
  function withBuild(work) {
    const before = getOwnPropertyDescriptor(globalThis, "Deno");
    if (!defineProperty(globalThis, "Deno", stub))
      throw refuse(
        "EPERM",
        'Cannot use files: the program has made a global "Deno" that cannot be replaced',
        "",
      );
    try {
      return work();
    } finally {
      if (before) defineProperty(globalThis, "Deno", before);
      else deleteProperty(globalThis, "Deno");
    }
  }

  /**
   * Nothing where there is nothing. What cannot be looked at is refused.
   * @param {string} real
   * @param {string} text the path as the program said it
   * @returns {Deno.FileInfo | undefined}
   */
  function tryLstat(real, text) {
    try {
      return withBuild(() => lstatSync(real));
    } catch (error) {
      const code = isError(error) ? ownValue(error, "code") : undefined;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw typeof code === "string" ? refuse(code, `Cannot look at "${text}"`, text) : error;
    }
  }

  /**
   * A file with another name elsewhere is what is there as well; a pipe or a socket leads to another process.
   * @param {Deno.FileInfo} info
   * @param {string} text
   */
  function assertPlain(info, text) {
    if (info.isDirectory) return;
    const why = info.isSymlink
      ? "it is a link, and programs follow none"
      : !info.isFile
        ? "it is neither a file nor a folder"
        : os === "windows" || (info.nlink !== null && info.nlink <= 1)
          ? undefined
          : "it is a hard link, with another name somewhere else";
    if (why !== undefined)
      throw refuse("EACCES", `Cannot use "${text}": ${why}. It can be removed with rm`, text);
  }

  return {
    withBuild,
    tryLstat,
    assertPlain,

    /**
     * @param {string} dir
     * @param {string} path below it
     * @param {string} text
     * @param {boolean} isEntry whether its end may be anything: it is not opened
     */
    assertNoLinks(dir, path, text, isEntry) {
      for (let at = 1; at <= path.length; at++) {
        if (at < path.length && path[at] !== "/") continue;
        const isEnd = at === path.length;
        if (isEnd && isEntry) return;
        const info = tryLstat(`${dir}/${slice(path, 0, at)}`, text);
        // What is below nothing is not there either.
        if (info === undefined) return;
        if (isEnd || info.isSymlink) assertPlain(info, text);
      }
    },
  };
}
