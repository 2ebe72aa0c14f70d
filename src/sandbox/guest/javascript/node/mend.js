/**
 * Deno's `util` where it would look at the environment or write to the process's own output.
 * @param {{ [name: string]: unknown }} util
 */
export function mendUtil(util) {
  const custom = Symbol.for("nodejs.util.promisify.custom");
  const promisifyOther = /** @type {(original: unknown) => unknown} */ (util["promisify"]);

  /** @param {unknown} original */
  function promisify(original) {
    // Timers are the program's globals, which know nothing of promises.
    if (original === globalThis.setTimeout)
      return (/** @type {number} */ ms, /** @type {unknown} */ value) =>
        new Promise((resolve) => globalThis.setTimeout(() => resolve(value), ms));
    if (original === Reflect.get(globalThis, "setImmediate"))
      return (/** @type {unknown} */ value) =>
        new Promise((resolve) => Reflect.get(globalThis, "setImmediate")(() => resolve(value)));
    return promisifyOther(original);
  }

  const debuglog = () => Object.assign(() => {}, { enabled: false });
  const deprecate = (/** @type {unknown} */ work) => work;
  return {
    ...util,
    promisify: Object.assign(promisify, { custom }),
    debuglog,
    debug: debuglog,
    deprecate,
  };
}

/**
 * For a program that must do the same each time: what `gzip` and `gzipSync` are two ways to, is done at once in both.
 * @param {{ [name: string]: unknown }} module
 */
export function doneAtOnce(module) {
  const changed = { ...module };
  for (const [name, work] of Object.entries(module)) {
    const atOnce = module[`${name}Sync`];
    // Keys are random, and are told in another form.
    if (typeof work !== "function" || typeof atOnce !== "function" || name.startsWith("generate")) continue;
    changed[name] = (/** @type {unknown[]} */ ...given) => {
      const callback = given.pop();
      if (typeof callback !== "function") return Reflect.apply(work, module, [...given, callback]);
      try {
        const result = Reflect.apply(atOnce, module, given);
        queueMicrotask(() => callback(null, result));
      } catch (error) {
        queueMicrotask(() => callback(error));
      }
      return undefined;
    };
  }
  return changed;
}

/**
 * Deno's `crypto` asks the global one for these, which is this module itself once a program has it as a global.
 * @param {{ [name: string]: unknown }} module
 * @param {boolean} isSteady whether random numbers are those of steady.js
 */
export function mendCrypto(module, isSteady) {
  const web = globalThis.crypto;
  return {
    ...module,
    ...(isSteady ? toRandom(web) : {}),
    webcrypto: web,
    subtle: web.subtle,
    randomUUID: () => web.randomUUID(),
    getRandomValues: (/** @type {Uint8Array<ArrayBuffer>} */ array) => web.getRandomValues(array),
  };
}

const MAX_AT_ONCE = 65_536;

/**
 * Node's own functions for random numbers, over the web's.
 * @param {Crypto} web
 */
function toRandom(web) {
  const Bytes = /** @type {any} */ (globalThis).Buffer;
  const soon = (/** @type {() => void} */ work) => queueMicrotask(work);

  /** @param {ArrayBufferView} view @param {number} [offset] @param {number} [size] */
  function randomFillSync(view, offset = 0, size = view.byteLength - offset) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, size);
    for (let at = 0; at < size; at += MAX_AT_ONCE)
      web.getRandomValues(/** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(at, at + MAX_AT_ONCE)));
    return view;
  }

  /** @param {number} size @param {(error: null, bytes: Uint8Array) => void} [callback] */
  function randomBytes(size, callback) {
    const bytes = Bytes.alloc(size);
    randomFillSync(bytes);
    if (callback === undefined) return bytes;
    soon(() => callback(null, bytes));
    return undefined;
  }

  /** @param {ArrayBufferView} view @param {unknown[]} rest an offset and a size, and what is called with it */
  function randomFill(view, ...rest) {
    const callback = rest.pop();
    const [offset, size] = /** @type {number[]} */ (rest);
    randomFillSync(view, offset, size);
    if (typeof callback === "function") soon(() => callback(null, view));
  }

  /** @param {number} from @param {unknown} [to] @param {unknown} [callback] */
  function randomInt(from, to, callback) {
    const [low, high] = typeof to === "number" ? [from, to] : [0, from];
    const told = typeof to === "function" ? to : callback;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || low >= high)
      throw new RangeError(
        `The value of "max" is out of range. It must be greater than the value of "min" (${low})`,
      );
    const value = low + Math.floor(Math.random() * (high - low));
    if (typeof told !== "function") return value;
    soon(() => told(null, value));
    return undefined;
  }

  return { randomBytes, randomFill, randomFillSync, randomInt };
}
