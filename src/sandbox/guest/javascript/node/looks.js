import { assertErrorsUntouched, isError, ownValue, refuse, slice, toOwn } from "./primordials.js";

/**
 * Looks at what stands at a path of this machine, and says of what no program may use why.
 * @param {Pick<typeof Deno, "lstatSync" | "build">} deno
 */
export function createLooks(deno) {
  const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
  const { lstatSync } = deno;
  const { os } = deno.build;
  const ownDate = Date;
  const denoStub = toOwn({ build: { os } });
  const date = toOwn(ownDate);

  /**
   * Puts a global in its place that Deno's own `statSync` looks for, and says how to take it away again.
   * @param {string} name
   * @param {PropertyDescriptor} own
   */
  function put(name, own) {
    const before = getOwnPropertyDescriptor(globalThis, name);
    if (before !== undefined && ownValue(before, "value") === own.value) return nothing;
    if (!defineProperty(globalThis, name, own))
      throw refuse(
        "EPERM",
        `Cannot use files: the program has made a global "${name}" that cannot be replaced`,
        "",
      );
    return () => (before ? defineProperty(globalThis, name, before) : deleteProperty(globalThis, name));
  }

  /**
   * Deno's own `statSync` looks for the operating system under the global `Deno`, which programs do not have, and makes
   * dates by the global `Date`. By another one's word it would leave out how many names a file has, or tell those of another.
   * @template Value
   * @param {() => Value} work
   */
  function withOwnGlobals(work) {
    const takeDeno = put("Deno", denoStub);
    try {
      const takeDate = put("Date", date);
      try {
        return work();
      } finally {
        takeDate();
      }
    } finally {
      takeDeno();
    }
  }

  /**
   * Nothing where there is nothing. What cannot be looked at is refused.
   * @param {string} real
   * @param {string} text the path as the program said it
   * @returns {Deno.FileInfo | undefined}
   */
  function tryLstat(real, text) {
    assertErrorsUntouched();
    try {
      return withOwnGlobals(() => lstatSync(real));
    } catch (error) {
      const code = isError(error) ? ownValue(error, "code") : undefined;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw refuse(typeof code === "string" ? code : "EIO", `Cannot look at "${text}"`, text);
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
    withOwnGlobals,
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

const nothing = () => true;
