import { includes, isError, ownValue } from "./primordials.js";

/** @typedef {import("./places.js").Located} Located */
/** @typedef {{ name: string, entry: Deno.DirEntry }} Found */

/**
 * What is in a folder on disk, links as links. Each folder below is looked at as any path of the program's is.
 * @param {ReturnType<typeof import("./disk.js").createDisk>["sync"]} disk
 * @param {Located} top
 * @param {boolean} recursive
 * @returns {Found[]}
 */
export function listDisk(disk, top, recursive) {
  /** @type {Found[]} */
  const found = [];
  /** @param {Located} at @param {string} prefix @param {Iterable<Deno.DirEntry>} entries */
  function add(at, prefix, entries) {
    for (const entry of entries) {
      const name = prefix + entry.name;
      found.push({ name, entry });
      if (!recursive || !entry.isDirectory) continue;
      const inner = { ...at, path: at.path === "" ? entry.name : `${at.path}/${entry.name}` };
      add(
        inner,
        `${name}/`,
        unlessUnreachable(entry, () => disk.readDir(inner)),
      );
    }
  }
  add(top, "", disk.readDir(top));
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A command can give a folder a name that is no text: nothing leads into it by the name that is told of it.
 * @param {Deno.DirEntry} entry
 * @param {() => Deno.DirEntry[]} list
 */
function unlessUnreachable({ name }, list) {
  try {
    return list();
  } catch (error) {
    if (!includes(name, "\ufffd") || !isError(error) || ownValue(error, "code") !== "ENOENT") throw error;
    return [];
  }
}
