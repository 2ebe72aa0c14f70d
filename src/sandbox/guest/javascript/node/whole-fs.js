/**
 * `node:fs` itself: the promises, the same with callbacks, what blocks, and streams. Without a callback a function
 * returns its promise: `await fs.writeFile(…)` is what programs write.
 * @param {{ readonly [name: string]: unknown }} promises
 * @param {{ readonly [name: string]: unknown }} more
 */
export function createWholeFs(promises, more) {
  /** @type {{ [name: string]: unknown }} */
  const whole = { ...more, promises, constants: promises["constants"] };
  for (const [name, run] of Object.entries(promises)) {
    if (typeof run === "function") whole[name] = withCallback(run);
  }
  const access = /** @type {(path: unknown) => Promise<void>} */ (promises["access"]);
  /** @param {unknown} path @param {unknown} [callback] */
  whole["exists"] = (path, callback) => {
    const found = access(path).then(
      () => true,
      () => false,
    );
    if (typeof callback !== "function") return found;
    return void found.then((isThere) => callback(isThere));
  };
  return Object.freeze(whole);
}

/** @param {Function} run */
function withCallback(run) {
  return (/** @type {unknown[]} */ ...given) => {
    const callback = given.at(-1);
    if (typeof callback !== "function") return Reflect.apply(run, undefined, given);
    Reflect.apply(run, undefined, given.slice(0, -1)).then(
      (/** @type {unknown} */ value) => callback(null, value),
      (/** @type {unknown} */ error) => callback(error),
    );
    return undefined;
  };
}
