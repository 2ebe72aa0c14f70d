/**
 * `node:fs` itself: the promises, the same with callbacks, and for each one that would block an error that names the
 * way that works. A program waits for the host by a promise or not at all.
 * @param {{ readonly [name: string]: unknown }} promises
 */
export function createWholeFs(promises) {
  /** @type {{ [name: string]: unknown }} */
  const whole = { promises, constants: promises["constants"] };
  for (const [name, run] of Object.entries(promises)) {
    if (typeof run !== "function") continue;
    whole[name] = withCallback(name, run);
    whole[`${name}Sync`] = () => {
      throw noSync(`${name}Sync`, `await ${name}(…)`);
    };
  }
  whole["exists"] = (/** @type {unknown} */ path, /** @type {(isThere: boolean) => void} */ callback) => {
    Reflect.apply(/** @type {() => Promise<void>} */ (promises["access"]), undefined, [path]).then(
      () => callback(true),
      () => callback(false),
    );
  };
  whole["existsSync"] = () => {
    throw noSync("existsSync", "await access(…), which throws when there is nothing,");
  };
  return Object.freeze(whole);
}

/**
 * @param {string} name
 * @param {Function} run
 */
function withCallback(name, run) {
  return (/** @type {unknown[]} */ ...given) => {
    const callback = given.pop();
    if (typeof callback !== "function") {
      throw new TypeError(
        `${name} of "node:fs" takes a callback; use await ${name}(…) of "node:fs/promises"`,
      );
    }
    Reflect.apply(run, undefined, given).then(
      (/** @type {unknown} */ value) => callback(null, value),
      (/** @type {unknown} */ error) => callback(error),
    );
  };
}

/**
 * @param {string} name
 * @param {string} instead
 */
function noSync(name, instead) {
  const message = `${name} is not there: use ${instead} of "node:fs/promises"`;
  return Object.assign(new Error(`ENOSYS: ${message}`), { code: "ENOSYS" });
}
