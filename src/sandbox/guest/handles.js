/** @typedef {{ isFile(): boolean, isDirectory(): boolean }} Kind */
/**
 * @typedef {object} Files what of `fs/promises` the functions here are made of
 * @property {(path: unknown, options?: import("./folders.js").Options) => Promise<any>} readFile
 * @property {(path: unknown, data: unknown) => Promise<void>} appendFile
 * @property {(path: unknown, options: { withFileTypes: true }) => Promise<any>} readdir
 * @property {(path: unknown, options: { recursive: true }) => Promise<void>} mkdir
 * @property {(from: unknown, to: unknown) => Promise<void>} copyFile
 * @property {(path: unknown) => Promise<Kind>} stat
 */

/**
 * A handle by the functions that take paths: it reads from where it stands, and writes at the end.
 * @param {Files & { readBytes(path: unknown): Promise<Uint8Array> }} files
 * @param {unknown} path
 */
export function openFile(files, path) {
  let position = 0;
  return {
    /** @param {import("./folders.js").Options} [options] */
    readFile: (options) => files.readFile(path, options),
    stat: () => files.stat(path),
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
      const { buffer = new Uint8Array(16_384), offset = 0, length = buffer.byteLength - offset } = given;
      const at = given.position ?? position;
      const part = (await files.readBytes(path)).subarray(at, at + length);
      buffer.set(part, offset);
      if (given.position === undefined || given.position === null) position += part.length;
      return { bytesRead: part.length, buffer };
    },
    async *readLines() {
      const text = await files.readFile(path, "utf8");
      yield* (text.endsWith("\n") ? text.slice(0, -1) : text).split(/\r?\n/);
    },
    /** @param {unknown} data */
    async write(data) {
      await files.appendFile(path, data);
      const bytesWritten =
        data instanceof Uint8Array ? data.length : new TextEncoder().encode(String(data)).length;
      return { bytesWritten, buffer: data };
    },
    /** @param {unknown} data */
    writeFile: (data) => files.appendFile(path, data),
    /** @param {unknown} data */
    appendFile: (data) => files.appendFile(path, data),
    async close() {},
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * @param {Files} files
 * @param {unknown} path
 */
export async function openFolder(files, path) {
  const entries = await files.readdir(path, { withFileTypes: true });
  return {
    path: String(path),
    read: async () => entries.shift() ?? null,
    async close() {},
    async *[Symbol.asyncIterator]() {
      yield* entries;
    },
  };
}

/**
 * @param {Files & { toReal(path: unknown): Promise<string> }} files
 * @param {unknown} from
 * @param {unknown} to
 * @param {{ recursive?: boolean }} options
 */
export async function copy(files, from, to, options) {
  if (!(await files.stat(from)).isDirectory()) return files.copyFile(from, to);
  if (options.recursive !== true) {
    throw Object.assign(new Error(`EISDIR: "${from}" is a folder: copy it with { recursive: true }`), {
      code: "EISDIR",
    });
  }
  // Each folder is looked at, since one of them can be a link to where the copy lies.
  const [source, target] = [await files.toReal(from), await files.toReal(to)];
  if (`${target}/`.startsWith(`${source}/`)) {
    throw Object.assign(new Error(`EINVAL: Cannot copy "${from}" into itself, to "${to}"`), {
      code: "EINVAL",
    });
  }
  await files.mkdir(to, { recursive: true });
  for (const { name } of await files.readdir(from, { withFileTypes: true })) {
    await copy(files, `${from}/${name}`, `${to}/${name}`, options);
  }
}
