import { isError, ownValue, random } from "./primordials.js";

/**
 * Deno holds each folder open while it removes what is in it. A tree that is deeper than files can be open is taken apart: its
 * folders are moved to the top of it, and removed one by one.
 * @param {Pick<typeof Deno, "readDirSync" | "removeSync" | "renameSync">} deno
 */
export function createRemove({ readDirSync, removeSync, renameSync }) {
  /** @param {string} top @param {{ recursive: boolean }} options */
  function takeApart(top, options) {
    const name = `${top}/${random()}-`;
    let count = 0;
    /** Of which the top is the first, and goes last. */
    const folders = [top];
    for (let at = 0; at < folders.length; at++) {
      const folder = folders[at] ?? top;
      for (const entry of [...readDirSync(folder)]) {
        if (!entry.isDirectory) continue;
        const place = name + count++;
        renameSync(`${folder}/${entry.name}`, place);
        folders[folders.length] = place;
      }
      if (at > 0) removeSync(folder, options);
    }
    removeSync(top, options);
  }

  /** @param {string} real @param {{ recursive: boolean }} options */
  return (real, options) => {
    try {
      removeSync(real, options);
    } catch (error) {
      if (!options.recursive || !isError(error) || ownValue(error, "code") !== "EMFILE") throw error;
      takeApart(real, options);
    }
  };
}
