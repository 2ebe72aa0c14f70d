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
 * Deno's `crypto` asks the global one for these, which is this module itself once a program has it as a global.
 * @param {{ [name: string]: unknown }} module
 */
export function mendCrypto(module) {
  const web = globalThis.crypto;
  return {
    ...module,
    webcrypto: web,
    subtle: web.subtle,
    randomUUID: () => web.randomUUID(),
    getRandomValues: (/** @type {Uint8Array<ArrayBuffer>} */ array) => web.getRandomValues(array),
  };
}
