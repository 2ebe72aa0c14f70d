import { includes, lastIndexOf, pathText, refuse, slice, startsWith } from "./primordials.js";

/**
 * @typedef {object} Folder
 * @property {string} name
 * @property {string} dir
 * @property {"read" | "write"} access
 * @property {string} [full] why nothing more can be written there, in the host's words
 * @property {string} [link] a link that stands in it, if there is any
 */
/**
 * @typedef {{ text: string, name: string, path: string, isHost: boolean, below: Located | undefined }} Located `below`: what
 * lies on the disk under a folder of the host's: what the host does not have, and where programs write. Always its own
 * property: one that is missing would be looked for where programs put what they like
 */

/** @typedef {{ readonly [folder: string]: readonly (readonly [name: string, bytes: number])[] }} HostFiles */

const MAX_PATH = 4096;
const MAX_SHOWN_PATH = 200;

/**
 * What paths mean, over the named folders alone. The process's own permissions draw the same line; this one also holds
 * against links, which Deno follows: none is, wherever it leads. Paths into a host's folder are resolved here, by their
 * text, and never reach Deno.
 * @param {ReturnType<typeof import("./looks.js").createLooks>} looks
 * @param {readonly Folder[]} folders
 * @param {readonly string[]} hostFolders
 * @param {HostFiles} hostFiles
 */
export function createPlaces(looks, folders, hostFolders, hostFiles) {
  const { getOwnPropertyDescriptor } = Reflect;

  /**
   * The files of the host's in a folder that lies in one on disk.
   * @param {string} folder
   * @returns {readonly (readonly [string, number])[]}
   */
  const filesIn = (folder) => getOwnPropertyDescriptor(hostFiles, folder)?.value ?? [];

  const outerHostFolders = hostFolders.filter((name) => !includes(name, "/"));

  /** @param {string} name */
  function findFolder(name) {
    for (let at = 0; at < folders.length; at++) if (folders[at]?.name === name) return folders[at];
    return undefined;
  }

  /**
   * One on disk that lies in a folder of names alone, `shared/notes`, if the path leads there.
   * @param {string} kept
   */
  function findDeep(kept) {
    for (let at = 0; at < folders.length; at++) {
      const name = folders[at]?.name ?? "";
      if (includes(name, "/") && (kept === name || startsWith(kept, `${name}/`))) return name;
    }
    return undefined;
  }

  /** @param {string} name */
  function isHostFolder(name) {
    for (let at = 0; at < hostFolders.length; at++) if (hostFolders[at] === name) return true;
    return false;
  }

  /**
   * The folder of the host's that lies in one on disk, if the path leads there.
   * @param {string} kept
   */
  function findNested(kept) {
    for (let at = 0; at < hostFolders.length; at++) {
      const name = hostFolders[at] ?? "";
      if (includes(name, "/") && (kept === name || startsWith(kept, `${name}/`))) return name;
    }
    return undefined;
  }

  /** @param {(folder: Folder) => boolean} isMeant @param {readonly string[]} others */
  function quote(isMeant, others) {
    let text = "";
    const add = (/** @type {string} */ name) => {
      text += `${text === "" ? "" : " and "}"./${name}"`;
    };
    for (let at = 0; at < folders.length; at++) {
      const folder = folders[at];
      if (folder && isMeant(folder)) add(folder.name);
    }
    for (let at = 0; at < others.length; at++) add(others[at] ?? "");
    return text;
  }

  /**
   * What a path as the program says it means: `workspace/a`, `./workspace/a` and `/workspace/a` are the same. No `..`
   * leads above the top. A path that is an object is made text here, and only once: it may say something else each time.
   * @param {unknown} path
   * @returns {Located}
   */
  function locate(path) {
    const whole = pathText(path);
    const text = whole.length > MAX_SHOWN_PATH ? `${slice(whole, 0, MAX_SHOWN_PATH)}…` : whole;
    if (whole.length > MAX_PATH) throw refuse("ENAMETOOLONG", `"${text}" is too long`, text);
    if (includes(whole, "\0")) throw refuse("EACCES", `Cannot use "${text}": no path has a NUL in it`, text);
    const kept = normalize(whole);
    const cut = findDeep(kept)?.length ?? firstSlash(kept);
    const name = slice(kept, 0, cut);
    const plain = { text, name, path: slice(kept, cut + 1), isHost: isHostFolder(name), below: undefined };
    const nested = findNested(kept);
    if (nested === undefined) return plain;
    return { text, name: nested, path: slice(kept, nested.length + 1), isHost: true, below: plain };
  }

  /**
   * The folders of the host's in a folder on disk, by their names in it.
   * @param {Located} at
   */
  function nestedIn({ text, name, path, isHost }) {
    /** @type {{ name: string, place: Located }[]} */
    const found = [];
    for (let at = 0; at < hostFolders.length && !isHost && path === ""; at++) {
      const folder = hostFolders[at] ?? "";
      if (!startsWith(folder, `${name}/`)) continue;
      const place = {
        text: `${text}/${slice(folder, name.length + 1)}`,
        name: folder,
        path: "",
        isHost: true,
        below: undefined,
      };
      found[found.length] = { name: slice(folder, name.length + 1), place };
    }
    return found;
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  function readOnly(text, name) {
    const writable = quote(({ access }) => access === "write", []);
    const instead = writable === "" ? "" : `; write to ${writable}`;
    return refuse("EROFS", `Cannot write "${text}": "./${name}" is read-only${instead}`, text);
  }

  /**
   * @param {Located} at
   * @param {"read" | "remove" | "write"} access
   */
  function toFolder({ text, name, path, isHost }, access) {
    if (isHost) throw readOnly(text, name);
    // None that was located has any; nothing else must come this far.
    if (includes(`/${path}/`, "/../")) throw refuse("EACCES", `Cannot use "${text}"`, text);
    const folder = findFolder(name);
    if (!folder) {
      const names = quote(() => true, outerHostFolders);
      const granted = names === "" ? "no folder is granted" : `programs have ${names} only`;
      throw refuse("EACCES", `Cannot use "${text}": ${granted}`, text);
    }
    if (access !== "read" && folder.access !== "write") throw readOnly(text, name);
    if (access === "write" && folder.full !== undefined)
      throw refuse("ENOSPC", `Cannot write "${text}": ${folder.full}`, text);
    return folder;
  }

  /**
   * The real place of a path in a folder on disk. Whoever asks for it uses it at once: nothing else of the program
   * runs between the look at the path and what is done with it.
   * @param {Located} at
   * @param {"read" | "remove" | "write"} access
   * @returns {string}
   */
  function toDisk(at, access) {
    const place = at.below ?? at;
    const { path, text } = place;
    const { dir } = toFolder(place, access);
    looks.assertNoLinks(dir, path, text, false);
    return path === "" ? dir : `${dir}/${path}`;
  }

  return {
    locate,
    nestedIn,
    filesIn,

    /**
     * The bytes of a file of the host's.
     * @param {Located} at
     * @returns {number | undefined}
     */
    hostBytes({ name, path }) {
      const files = filesIn(name);
      for (let at = 0; at < files.length; at++) if (files[at]?.[0] === path) return files[at]?.[1];
      return undefined;
    },

    /**
     * The folder on disk under one of the host's.
     * @param {Located} at
     * @returns {Located | undefined}
     */
    rootBelow: ({ name, below }) => below && { ...below, path: slice(name, below.name.length + 1) },
    readOnly,
    toDisk,

    /**
     * The same of an entry, whatever it is, a link too: it can be looked at and removed.
     * @param {Located} at
     * @param {"read" | "remove"} access
     * @returns {string}
     */
    toEntry(at, access) {
      const place = at.below ?? at;
      const { path, text } = place;
      const { dir } = toFolder(place, access);
      // The folder itself is not the program's: later ones look for it where it lies.
      if (path === "" && access === "remove")
        throw refuse("EBUSY", `Cannot remove or rename "${text}" itself: remove what is in it`, text);
      looks.assertNoLinks(dir, path, text, true);
      return path === "" ? dir : `${dir}/${path}`;
    },

    /**
     * What whoever wants to make a link is told.
     * @param {unknown} path
     */
    noLink(path) {
      const at = locate(path);
      toDisk(at, "write");
      return refuse("EPERM", `Cannot make the link "${at.text}": programs make no links`, at.text);
    },

    /**
     * A link points somewhere else when it is moved, or a folder around it.
     * @param {Located} at
     * @param {string} real
     */
    assertMovable(at, real) {
      const info = looks.tryLstat(real, at.text);
      if (info?.isSymlink)
        throw refuse("EPERM", `Cannot rename "${at.text}": it is a link, and programs move none`, at.text);
      const { name } = at.below ?? at;
      const link = findFolder(name)?.link;
      if (info?.isDirectory && link !== undefined)
        throw refuse(
          "EPERM",
          `Cannot rename the folder "${at.text}": there are links in "./${name}", as "${link}". Remove them, or rename files one by one`,
          at.text,
        );
    },
  };
}

/** @param {string} text */
function firstSlash(text) {
  for (let at = 0; at < text.length; at++) if (text[at] === "/") return at;
  return text.length;
}

/**
 * Without dots, without doubled and outer slashes.
 * @param {string} whole
 */
function normalize(whole) {
  let kept = "";
  let from = 0;
  for (let at = 0; at <= whole.length; at++) {
    if (at < whole.length && whole[at] !== "/") continue;
    const part = slice(whole, from, at);
    from = at + 1;
    const cut = lastIndexOf(kept, "/");
    if (part === "..") kept = cut === -1 ? "" : slice(kept, 0, cut);
    else if (part !== "" && part !== ".") kept += kept === "" ? part : `/${part}`;
  }
  return kept;
}
