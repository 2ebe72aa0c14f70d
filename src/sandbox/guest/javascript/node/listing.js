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
  /** @param {Located} at @param {string} prefix */
  function add(at, prefix) {
    for (const entry of disk.readDir(at)) {
      const name = prefix + entry.name;
      found.push({ name, entry });
      if (recursive && entry.isDirectory)
        add({ ...at, path: at.path === "" ? entry.name : `${at.path}/${entry.name}` }, `${name}/`);
    }
  }
  add(top, "");
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
