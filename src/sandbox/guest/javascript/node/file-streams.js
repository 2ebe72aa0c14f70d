import { toOptions } from "./contents.js";
import { toOpenMode } from "./open-flags.js";

/** @typedef {{ new (options: object): object & { path?: unknown, bytesRead?: number, bytesWritten?: number, pending?: boolean } }} StreamClass */
/** @typedef {{ readFile(path: unknown): Promise<any>, writeFile(path: unknown, data: unknown, options: object): Promise<void>, appendFile(path: unknown, data: unknown): Promise<void> }} Files */

const CHUNK = 65_536;

/**
 * Streams over files, by the functions that take paths: what those guard is guarded here. The classes are Node's own,
 * loaded before the program when it names one of these functions.
 * @param {Files} files
 * @param {{ Readable: StreamClass, Writable: StreamClass } | undefined} stream
 */
export function createFileStreams(files, stream) {
  /** @param {string} name */
  function classes(name) {
    if (stream) return stream;
    throw new Error(
      `Cannot make a stream: write fs.${name}(…) with its name written out, or import "node:stream"`,
    );
  }

  return {
    /** @param {unknown} path @param {import("./contents.js").Options} [given] */
    createReadStream(path, given) {
      const options = toOptions(given);
      const { start = 0, end = Number.POSITIVE_INFINITY, highWaterMark = CHUNK, encoding } = options;
      /** @type {Uint8Array | undefined} */
      let bytes;
      let at = start;
      const { Readable } = classes("createReadStream");
      const readable = new Readable({
        ...options,
        highWaterMark,
        ...(encoding ? { encoding } : {}),
        /** @this {{ push(chunk: unknown): boolean, destroy(error: unknown): void, emit(event: string, value?: unknown): void, bytesRead: number }} */
        async read() {
          try {
            if (bytes === undefined) {
              bytes = /** @type {Uint8Array} */ (await files.readFile(path));
              this.emit("open", 0);
              this.emit("ready");
            }
            const stop = Math.min(at + highWaterMark, end + 1, bytes.length);
            if (at >= stop) return void this.push(null);
            const chunk = toBuffer(bytes.subarray(at, stop));
            at = stop;
            this.bytesRead += chunk.length;
            this.push(chunk);
          } catch (error) {
            this.destroy(error);
          }
        },
      });
      return Object.assign(readable, { path, bytesRead: 0 });
    },

    /** @param {unknown} path @param {import("./contents.js").Options & { flags?: unknown } | string} [given] */
    createWriteStream(path, given) {
      const options = toOptions(/** @type {import("./contents.js").Options} */ (given));
      const flags = Reflect.get(options, "flags") ?? "w";
      let isOpen = false;
      const open = async () => {
        if (!isOpen) await files.writeFile(path, "", { flag: flags });
        isOpen = true;
      };
      if (typeof toOpenMode(flags) === "string")
        throw new TypeError(`Cannot write with the flags "${flags}": there are "w", "wx", "a" and "ax"`);
      const { Writable } = classes("createWriteStream");
      const writable = new Writable({
        ...options,
        decodeStrings: true,
        /** @param {(error?: unknown) => void} done @this {{ emit(event: string, value?: unknown): void }} */
        construct(done) {
          open().then(
            () => {
              this.emit("open", 0);
              this.emit("ready");
              done();
            },
            (error) => done(error),
          );
        },
        /** @param {Uint8Array} chunk @param {unknown} _encoding @param {(error?: unknown) => void} done @this {{ bytesWritten: number }} */
        write(chunk, _encoding, done) {
          this.bytesWritten += chunk.length;
          files.appendFile(path, chunk).then(() => done(), done);
        },
        /** @param {{ chunk: Uint8Array }[]} chunks @param {(error?: unknown) => void} done @this {{ bytesWritten: number }} */
        writev(chunks, done) {
          const parts = chunks.map(({ chunk }) => chunk);
          for (const part of parts) this.bytesWritten += part.length;
          files.appendFile(path, Reflect.get(globalThis, "Buffer").concat(parts)).then(() => done(), done);
        },
      });
      return Object.assign(writable, { path, bytesWritten: 0 });
    },
  };
}

/** @param {Uint8Array} bytes */
function toBuffer(bytes) {
  return Reflect.get(globalThis, "Buffer").from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
