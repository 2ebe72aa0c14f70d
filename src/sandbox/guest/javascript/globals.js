import { KEPT_GLOBALS } from "./kept-globals.js";

/** The names of the language itself. */
const LANGUAGE = `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl
  ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy
  Reflect FinalizationRegistry WeakRef decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval
  isFinite isNaN Temporal SuppressedError DisposableStack AsyncDisposableStack SharedArrayBuffer`;

/**
 * What a program finds beside the language itself. All else that Deno puts there is taken away: it could not be used
 * without permissions, but what is not there needs no permission to hold.
 */
const KEPT = new Set(`${KEPT_GLOBALS} ${LANGUAGE}`.split(/\s+/));

/**
 * Takes away what is not kept, also what the global object inherits as a window; its events stay. What comes back has
 * them there again while something is done: Deno's Node layer looks for them while it loads. Only who took them away has
 * it, since programs can import this file.
 */
export function removeGlobals() {
  /** @type {{ owner: object, key: string, descriptor: PropertyDescriptor }[]} */
  const removed = [];
  for (let owner = globalThis; owner !== EventTarget.prototype; owner = Object.getPrototypeOf(owner)) {
    // By name only: under symbols lie the event listeners, the runner's own among them.
    for (const key of Object.getOwnPropertyNames(owner)) {
      const isKept = KEPT.has(key) || (owner !== globalThis && key === "constructor");
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (isKept || !descriptor) continue;
      removed.push({ owner, key, descriptor });
      Reflect.deleteProperty(owner, key);
    }
  }
  return /** @param {() => Promise<unknown>} work */ async (work) => {
    for (const { owner, key, descriptor } of removed) Object.defineProperty(owner, key, descriptor);
    try {
      await work();
    } finally {
      for (const { owner, key } of removed) Reflect.deleteProperty(owner, key);
    }
  };
}

/** `await` asks a promise for its constructor, and where that is another one for its `then`: of Deno's own promises too. */
export function guardPromises() {
  Object.defineProperty(Promise.prototype, "constructor", { writable: false, configurable: false });
}

/**
 * What is under these names now is there again when the answer is called.
 * @param {readonly string[]} names
 */
export function keepGlobals(names) {
  const kept = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  return () => {
    for (const [at, name] of names.entries()) {
      const descriptor = kept[at];
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
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
