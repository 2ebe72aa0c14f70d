import { tell } from "./disk-errors.js";
import { refuse } from "./primordials.js";

/** @typedef {import("./places.js").Located} Located */
/** @typedef {{ append: boolean, createNew: boolean }} WriteMode */

/**
 * Opens files. What was opened is looked at once more: what has another name elsewhere, or is no file, stays untouched.
 * @param {typeof Deno.openSync} openSync
 * @param {ReturnType<typeof import("./looks.js").createLooks>} looks
 * @param {ReturnType<typeof import("./places.js").createPlaces>["toDisk"]} toDisk
 */
export function createOpening(openSync, looks, toDisk) {
  /**
   * @param {Located} at
   * @param {"read" | "remove" | "write"} access
   * @param {Deno.OpenOptions} options
   * @param {string} verb
   * @param {Located} [to]
   */
  function open(at, access, options, verb, to) {
    const real = toDisk(at, access);
    const file = tell(() => openSync(real, options), verb, at, to);
    try {
      const info = looks.withOwnGlobals(() => file.statSync());
      looks.assertPlain(info, at.text);
      if (info.isDirectory) throw refuse("EISDIR", `Cannot ${verb} "${at.text}": is a directory`, at.text);
      return { file, size: info.size };
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** @param {Located} at */
  const openToRead = (at) => open(at, "read", TO_READ, "read");

  /**
   * What is there is emptied only when it was seen to be a file of the folder's own.
   * @param {Located} at
   * @param {WriteMode} mode
   */
  function openToWrite(at, { append, createNew }) {
    const { file } = open(at, "write", append ? toAppend(createNew) : toWrite(createNew), "write");
    if (!append && !createNew) file.truncateSync(0);
    return file;
  }

  /**
   * @param {Located} from
   * @param {Located} to
   * @param {boolean} createNew
   */
  function openToCopy(from, to, createNew) {
    if (from.name === to.name && from.path === to.path)
      throw refuse("EINVAL", `Cannot copy "${from.text}" to itself`, from.text);
    const { file: source } = open(from, "read", TO_READ, "copy", to);
    try {
      return { source, target: openToWrite(to, { append: false, createNew }) };
    } catch (error) {
      source.close();
      throw error;
    }
  }

  return {
    openToRead,
    openToWrite,
    openToCopy,
    /**
     * What is there already, for reading, writing or both, at any place in it.
     * @param {Located} at
     * @param {boolean} reads
     * @param {boolean} writes
     */
    openAny: (at, reads, writes) =>
      open(at, writes ? "write" : "read", openOptions(reads, writes, false, false, false), "open").file,
    /** @param {Located} at @param {boolean} toEmpty */
    openToChange: (at, toEmpty) => open(at, toEmpty ? "remove" : "write", TO_CHANGE, "truncate").file,
  };
}

/**
 * All that Deno looks for, so that it finds nothing of a program's on `Object.prototype`.
 * @param {boolean} read
 * @param {boolean} write
 * @param {boolean} append
 * @param {boolean} create
 * @param {boolean} createNew
 * @returns {Deno.OpenOptions}
 */
function openOptions(read, write, append, create, createNew) {
  const none = { truncate: false, mode: undefined, customFlags: undefined };
  return /** @type {any} */ ({ __proto__: null, ...none, read, write, append, create, createNew });
}

const TO_READ = openOptions(true, false, false, false, false);
const TO_CHANGE = openOptions(false, true, false, false, false);
/** @param {boolean} isNew */
const toWrite = (isNew) => openOptions(false, true, false, !isNew, isNew);
/** @param {boolean} isNew */
const toAppend = (isNew) => openOptions(false, false, true, !isNew, isNew);
