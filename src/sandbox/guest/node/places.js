import { includes, lastIndexOf, pathText, refuse, slice, startsWith } from "./primordials.js";

/** @typedef {{ name: string, dir: string, access: "read" | "write" }} Folder */
/**
 * @typedef {{ text: string, name: string, path: string, isHost: boolean, below?: Located }} Located `below`: what lies on
 * the disk under a folder of the host's, for what the host does not have
 */

const MAX_PATH = 4096;
const MAX_SHOWN_PATH = 200;

/**
 * What paths mean, over the named folders alone. The process's own permissions draw the same line; this one also holds
 * against links that point out of a folder, which Deno follows. Paths into a host's folder are resolved here, by their
 * text, and never reach Deno.
 * @param {typeof Deno} deno
 * @param {readonly Folder[]} folders
 * @param {readonly string[]} hostFolders
 */
export function createPlaces(deno, folders, hostFolders) {
  const { readLinkSync, realPathSync } = deno;
  const outerHostFolders = hostFolders.filter((name) => !includes(name, "/"));

  /** @param {string} name */
  function findFolder(name) {
    for (let at = 0; at < folders.length; at++) if (folders[at]?.name === name) return folders[at];
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
   * leads above the top.
   * @param {unknown} path
   * @returns {Located}
   */
  function locate(path) {
    const whole = pathText(path);
    const text = whole.length > MAX_SHOWN_PATH ? `${slice(whole, 0, MAX_SHOWN_PATH)}…` : whole;
    if (whole.length > MAX_PATH) throw refuse("ENAMETOOLONG", `"${text}" is too long`, text);
    if (includes(whole, "\0")) throw refuse("EACCES", `Cannot use "${text}": no path has a NUL in it`, text);
    const kept = normalize(whole);
    const cut = firstSlash(kept);
    const name = slice(kept, 0, cut);
    const plain = { text, name, path: slice(kept, cut + 1), isHost: isHostFolder(name) };
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
   * The real place of a path in a folder on disk.
   * @param {Located} at
   * @param {"read" | "write"} access
   */
  function toDisk({ text, name, path, isHost }, access) {
    if (isHost) throw readOnly(text, name);
    const folder = findFolder(name);
    if (!folder) {
      const names = quote(() => true, outerHostFolders);
      const granted = names === "" ? "no folder is granted" : `programs have ${names} only`;
      throw refuse("EACCES", `Cannot use "${text}": ${granted}`, text);
    }
    if (access === "write" && folder.access !== "write") throw readOnly(text, name);
    const real = path === "" ? folder.dir : `${folder.dir}/${path}`;
    stayInside(folder.dir, real, text);
    return real;
  }

  /**
   * @param {string} dir
   * @param {string} path
   * @param {string} text
   */
  function stayInside(dir, path, text) {
    const root = tryRealPath(dir);
    if (root === undefined) throw refuse("ENOENT", `Cannot use "${text}": its folder is gone`, text);
    for (let at = path; at.length > dir.length; at = slice(at, 0, lastIndexOf(at, "/"))) {
      const target = tryRealPath(at);
      if (target === undefined && !isLink(at)) continue;
      if (target === root || (target !== undefined && startsWith(target, `${root}/`))) return;
      throw refuse("EACCES", `Cannot use "${text}": it is a link out of its folder`, text);
    }
  }

  /**
   * Also one that leads nowhere: to write to it would make what it names.
   * @param {string} path
   */
  function isLink(path) {
    try {
      readLinkSync(path);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} path */
  function tryRealPath(path) {
    try {
      return realPathSync(path);
    } catch {
      return undefined;
    }
  }

  return {
    locate,
    nestedIn,
    readOnly,
    toDisk,

    /** @param {unknown} path @param {"read" | "write"} access */
    place: (path, access) => toDisk(locate(path), access),

    /**
     * Of what is to be removed or moved. The folder itself is not the program's: later ones look for it where it lies.
     * @param {unknown} path
     */
    placeWithin(path) {
      const at = locate(path);
      const real = toDisk(at, "write");
      if (at.path !== "") return real;
      throw refuse("EBUSY", `Cannot remove or rename "${at.text}" itself: remove what is in it`, at.text);
    },

    /**
     * The same for all ways to say a path, and for links within a folder. What is not there yet has one too. It begins
     * with the folder's name: where that lies is nothing to a program.
     * @param {unknown} path
     */
    toReal(path) {
      const at = locate(path);
      if (at.isHost) return at.path === "" ? at.name : `${at.name}/${at.path}`;
      const real = toDisk(at, "read");
      const root = tryRealPath(findFolder(at.name)?.dir ?? "") ?? "";
      for (let end = real.length; end > 0; end = lastIndexOf(real, "/", end - 1)) {
        const there = tryRealPath(slice(real, 0, end));
        if (there !== undefined) return at.name + slice(there + slice(real, end), root.length);
      }
      return at.path;
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
