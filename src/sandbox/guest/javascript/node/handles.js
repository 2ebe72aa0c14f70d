/** @typedef {{ isFile(): boolean, isDirectory(): boolean }} Kind */
/**
 * @typedef {object} Files what of `fs/promises` the functions here are made of
 * @property {(path: unknown, options?: import("./contents.js").Options) => Promise<any>} readFile
 * @property {(path: unknown, data: unknown) => Promise<void>} appendFile
 * @property {(path: unknown, options: { withFileTypes: true }) => Promise<any>} readdir
 * @property {(path: unknown) => Promise<Kind>} stat
 */

/**
 * A handle by the functions that take paths: it reads from where it stands, and writes at the end.
 * @param {Files & { readBytes(path: unknown): Promise<Uint8Array> }} files
 * @param {string} path
 * @param {boolean} isWritable
 */
export function openFile(files, path, isWritable) {
  let position = 0;
  let isOpen = true;

  /** @param {boolean} [toWrite] */
  function assertOpen(toWrite = false) {
    if (isOpen && (isWritable || !toWrite)) return;
    const why = isOpen ? "it was opened to read only" : "it is closed";
    throw Object.assign(new Error(`EBADF: Cannot use the handle of "${path}": ${why}`), { code: "EBADF" });
  }

  async function close() {
    isOpen = false;
  }

  return {
    /** @param {import("./contents.js").Options} [options] */
    async readFile(options) {
      assertOpen();
      return files.readFile(path, options);
    },
    async stat() {
      assertOpen();
      return files.stat(path);
    },
    /**
     * @param {Uint8Array | { buffer?: Uint8Array, offset?: number, length?: number, position?: number | null }} [target]
     * @param {number} [start]
     * @param {number} [count]
     * @param {number | null} [from]
     */
    async read(target = {}, start, count, from) {
      const given =
        target instanceof Uint8Array
          ? { buffer: target, offset: start, length: count, position: from }
          : target;
      assertOpen();
      const { buffer = new Uint8Array(16_384), offset = 0, length = buffer.byteLength - offset } = given;
      const at = given.position ?? position;
      const part = (await files.readBytes(path)).subarray(at, at + length);
      buffer.set(part, offset);
      if (given.position === undefined || given.position === null) position += part.length;
      return { bytesRead: part.length, buffer };
    },
    async *readLines() {
      assertOpen();
      const text = await files.readFile(path, "utf8");
      yield* (text.endsWith("\n") ? text.slice(0, -1) : text).split(/\r?\n/);
    },
    /** @param {unknown} data @param {number | null} [start] @param {unknown} [count] @param {number | null} [to] */
    async write(data, start, count, to) {
      assertOpen(true);
      const isBytes = data instanceof Uint8Array;
      if (typeof (isBytes ? to : start) === "number") {
        throw new TypeError("A handle writes at the end only: write the whole file with writeFile(path, …)");
      }
      const from = start ?? 0;
      const part = isBytes ? data.subarray(from, typeof count === "number" ? from + count : undefined) : data;
      await files.appendFile(path, part);
      const bytesWritten =
        part instanceof Uint8Array ? part.length : new TextEncoder().encode(String(part)).length;
      return { bytesWritten, buffer: data };
    },
    /** @param {unknown} data */
    async writeFile(data) {
      assertOpen(true);
      return files.appendFile(path, data);
    },
    /** @param {unknown} data */
    async appendFile(data) {
      assertOpen(true);
      return files.appendFile(path, data);
    },
    async sync() {},
    async datasync() {},
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * @param {Files} files
 * @param {string} path
 */
export async function openFolder(files, path) {
  const entries = await files.readdir(path, { withFileTypes: true });
  return {
    path,
    read: async () => entries.shift() ?? null,
    async close() {},
    async *[Symbol.asyncIterator]() {
      yield* entries;
    },
  };
}
