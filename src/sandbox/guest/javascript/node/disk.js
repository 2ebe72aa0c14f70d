import { inProgramWords, tell } from "./disk-errors.js";
import { createOpening } from "./opening.js";
import { lastIndexOf, pathText, random, slice } from "./primordials.js";
import { createRemove } from "./remove.js";

/** @typedef {import("./places.js").Located} Located */
/** @typedef {import("./opening.js").WriteMode} WriteMode */

const COPY_BYTES = 256 * 1024;
const TEMP_NAME_LENGTH = 8;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/**
 * What of Deno's file functions programs get at, by paths that were located; where they lie on the machine stays in here.
 * Each path is looked at and used in one go: only reading and writing what is open already takes a promise, so that
 * nothing a program does meanwhile can put something else in its place. Errors are in the program's words.
 * @param {Pick<typeof Deno, "openSync" | "readDirSync" | "mkdirSync" | "removeSync" | "renameSync" | "lstatSync">} deno
 * @param {ReturnType<typeof import("./looks.js").createLooks>} looks
 * @param {ReturnType<typeof import("./places.js").createPlaces>} places
 */
export function createDisk(deno, looks, places) {
  const { openSync, readDirSync, mkdirSync, renameSync, lstatSync } = deno;
  const remove = createRemove(deno);
  const { locate, toDisk, toEntry, assertMovable } = places;
  const { openToRead, openToWrite, openToCopy, openToChange, openAny } = createOpening(
    openSync,
    looks,
    toDisk,
  );
  const OwnBytes = Uint8Array;

  const sync = {
    openAny,
    /** @param {Located} at */
    readFile(at) {
      const { file, size } = openToRead(at);
      try {
        let bytes = new OwnBytes(size + 1);
        let used = 0;
        for (;;) {
          const count = file.readSync(bytes.subarray(used));
          if (count === null || count === 0) return bytes.subarray(0, used);
          used += count;
          if (used === bytes.length) bytes = grown(bytes);
        }
      } catch (error) {
        throw inProgramWords(error, "read", at);
      } finally {
        file.close();
      }
    },
    /** @param {Located} at @param {Uint8Array} data @param {WriteMode} mode */
    writeFile(at, data, mode) {
      const file = openToWrite(at, mode);
      try {
        for (let done = 0; done < data.length; ) done += file.writeSync(data.subarray(done));
      } catch (error) {
        throw inProgramWords(error, "write", at);
      } finally {
        file.close();
      }
    },
    /** @param {Located} from @param {Located} to @param {boolean} createNew */
    copyFile(from, to, createNew) {
      const { source, target } = openToCopy(from, to, createNew);
      try {
        const part = new OwnBytes(COPY_BYTES);
        for (let count = source.readSync(part); count !== null; count = source.readSync(part))
          for (let done = 0; done < count; ) done += target.writeSync(part.subarray(done, count));
      } catch (error) {
        throw inProgramWords(error, "copy", from, to);
      } finally {
        source.close();
        target.close();
      }
    },
    /** @param {Located} at */
    readDir(at) {
      const real = toDisk(at, "read");
      return tell(() => [...readDirSync(real)], "list", at);
    },
    /** @param {Located} at @param {boolean} recursive */
    mkdir(at, recursive) {
      const real = toDisk(at, "write");
      tell(() => mkdirSync(real, toOptions(recursive)), "make the folder", at);
    },
    /**
     * A folder with a name that nothing has yet.
     * @param {unknown} prefix a path and how the name begins
     * @returns {string} its path, as it was said
     */
    makeTempDir(prefix) {
      let text = pathText(prefix);
      const parent = locate(slice(text, 0, lastIndexOf(text, "/") + 1));
      for (let count = 0; count < TEMP_NAME_LENGTH; count++)
        text += LETTERS[(random() * LETTERS.length) | 0] ?? "";
      const real = toDisk(locate(text), "write");
      tell(() => mkdirSync(real, toOptions(false)), "make a folder in", parent);
      return text;
    },
    /** @param {Located} at @param {boolean} recursive */
    remove(at, recursive) {
      const real = toEntry(at, "remove");
      tell(() => remove(real, toOptions(recursive)), "remove", at);
    },
    /** @param {Located} from @param {Located} to */
    rename(from, to) {
      const source = toEntry(from, "remove");
      const target = toEntry(to, "remove");
      assertMovable(from, source);
      tell(() => renameSync(source, target), "rename", from, to);
    },
    /** @param {Located} at */
    stat(at) {
      const real = toDisk(at, "read");
      return tell(() => looks.withOwnGlobals(() => lstatSync(real)), "look at", at);
    },
    /** @param {Located} at */
    lstat(at) {
      const real = toEntry(at, "read");
      return tell(() => looks.withOwnGlobals(() => lstatSync(real)), "look at", at);
    },
    /** @param {Located} at @param {number} length */
    truncate(at, length) {
      const file = openToChange(at, length === 0);
      try {
        tell(() => file.truncateSync(length), "truncate", at);
      } finally {
        file.close();
      }
    },
  };

  return {
    sync,
    /** @param {Located} at */
    async readFile(at) {
      const { file, size } = openToRead(at);
      try {
        let bytes = new OwnBytes(size + 1);
        let used = 0;
        for (;;) {
          const count = await file.read(bytes.subarray(used));
          if (count === null || count === 0) return bytes.subarray(0, used);
          used += count;
          if (used === bytes.length) bytes = grown(bytes);
        }
      } catch (error) {
        throw inProgramWords(error, "read", at);
      } finally {
        file.close();
      }
    },
    /** @param {Located} at @param {Uint8Array} data @param {WriteMode} mode */
    async writeFile(at, data, mode) {
      const file = openToWrite(at, mode);
      try {
        for (let done = 0; done < data.length; ) done += await file.write(data.subarray(done));
      } catch (error) {
        throw inProgramWords(error, "write", at);
      } finally {
        file.close();
      }
    },
    /** @param {Located} from @param {Located} to @param {boolean} createNew */
    async copyFile(from, to, createNew) {
      const { source, target } = openToCopy(from, to, createNew);
      try {
        const part = new OwnBytes(COPY_BYTES);
        for (let count = await source.read(part); count !== null; count = await source.read(part))
          for (let done = 0; done < count; ) done += await target.write(part.subarray(done, count));
      } catch (error) {
        throw inProgramWords(error, "copy", from, to);
      } finally {
        source.close();
        target.close();
      }
    },
  };
}

/**
 * For a program that must do the same each time: what is read and written comes in the order in which it was asked for.
 * @param {ReturnType<typeof createDisk>} disk
 */
export function inOneGo({ sync }) {
  const { readFile, writeFile, copyFile } = sync;
  return {
    sync,
    /** @param {Parameters<typeof readFile>} given */
    readFile: async (...given) => readFile(...given),
    /** @param {Parameters<typeof writeFile>} given */
    writeFile: async (...given) => writeFile(...given),
    /** @param {Parameters<typeof copyFile>} given */
    copyFile: async (...given) => copyFile(...given),
  };
}

/** It has grown since it was looked at. @param {Uint8Array} bytes */
function grown(bytes) {
  const more = new Uint8Array(bytes.length * 2);
  more.set(bytes);
  return more;
}

/**
 * @param {boolean} recursive
 * @returns {{ recursive: boolean }}
 */
const toOptions = (recursive) => /** @type {any} */ ({ __proto__: null, recursive, mode: undefined });
