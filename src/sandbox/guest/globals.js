/**
 * What a program finds beside the language itself. All else that Deno puts there is taken away: it could not be used
 * without permissions, but what is not there needs no permission to hold.
 */
const KEPT = new Set(
  `AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey
  CustomEvent DOMException DecompressionStream ErrorEvent Event EventTarget File FormData Headers MessageChannel
  MessageEvent MessagePort PromiseRejectionEvent QuotaExceededError ReadableByteStreamController ReadableStream
  ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader
  Request Response SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream
  TransformStreamDefaultController URL URLPattern URLSearchParams WritableStream WritableStreamDefaultController
  WritableStreamDefaultWriter Buffer atob btoa clearInterval clearTimeout crypto performance Performance
  queueMicrotask setInterval setTimeout structuredClone
  Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl
  ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy
  Reflect FinalizationRegistry WeakRef decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval
  isFinite isNaN Temporal SuppressedError DisposableStack AsyncDisposableStack SharedArrayBuffer WebAssembly`.split(
    /\s+/,
  ),
);

/** Takes away what is not kept, also what the global object inherits as a window; its events stay. */
export function removeGlobals() {
  for (let owner = globalThis; owner !== EventTarget.prototype; owner = Object.getPrototypeOf(owner)) {
    // By name only: under symbols lie the event listeners, the runner's own among them.
    for (const key of Object.getOwnPropertyNames(owner)) {
      const isKept = KEPT.has(key) || (owner !== globalThis && key === "constructor");
      if (!isKept) Reflect.deleteProperty(owner, key);
    }
  }
}

/** @param {{ [name: string]: unknown }} values */
export function defineGlobals(values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

/** JSON has no word for these: bytes go as base64, as MCP has them, and collections as what they hold. */
export function teachJson() {
  const toBase64 = /** @param {Uint8Array} bytes */ (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  };
  define(
    Uint8Array.prototype,
    /** @this {Uint8Array} */ function () {
      return toBase64(this);
    },
  );
  define(
    ArrayBuffer.prototype,
    /** @this {ArrayBuffer} */ function () {
      return toBase64(new Uint8Array(this));
    },
  );
  define(
    Set.prototype,
    /** @this {Set<unknown>} */ function () {
      return [...this];
    },
  );
  define(
    Map.prototype,
    /** @this {Map<unknown, unknown>} */ function () {
      return [...this.keys()].every((key) => typeof key === "string") ? Object.fromEntries(this) : [...this];
    },
  );
  define(
    Error.prototype,
    /** @this {Error} */ function () {
      return { name: this.name, message: this.message };
    },
  );
  define(
    BigInt.prototype,
    /** @this {bigint} */ function () {
      return String(this);
    },
  );
}

/**
 * @param {object} prototype
 * @param {() => unknown} value
 */
function define(prototype, value) {
  if (Object.hasOwn(prototype, "toJSON")) return;
  Object.defineProperty(prototype, "toJSON", { value, writable: true, configurable: true });
}
