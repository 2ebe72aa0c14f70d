/** @typedef {{ signal?: AbortSignal }} TimerOptions */

/** The globals of that name, and the same as promises. They are looked up when called, since Deno loads them then. */
export function create() {
  const world = globalThis;

  /**
   * @template Value
   * @param {(done: () => void) => () => void} begin starts the wait, and gives what ends it
   * @param {Value} value
   * @param {TimerOptions} [options]
   * @returns {Promise<Value>}
   */
  function wait(begin, value, { signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        stop();
        reject(signal?.reason);
      };
      const stop = begin(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve(value);
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  const promises = {
    /** @param {number} [ms] @param {unknown} [value] @param {TimerOptions} [options] */
    setTimeout: (ms, value, options) =>
      wait(
        (done) => {
          const id = world.setTimeout(done, ms);
          return () => world.clearTimeout(id);
        },
        value,
        options,
      ),
    /** @param {unknown} [value] @param {TimerOptions} [options] */
    setImmediate: (value, options) =>
      wait(
        (done) => {
          const id = Reflect.get(world, "setImmediate")(done);
          return () => Reflect.get(world, "clearImmediate")(id);
        },
        value,
        options,
      ),
    /** @param {number} [ms] @param {unknown} [value] @param {TimerOptions} [options] */
    async *setInterval(ms, value, options) {
      for (;;) yield await promises.setTimeout(ms, value, options);
    },
    scheduler: {
      /** @param {number} [ms] @param {TimerOptions} [options] */
      wait: (ms, options) => promises.setTimeout(ms, undefined, options),
      yield: () => promises.setImmediate(),
    },
  };

  const timers = {
    get setTimeout() {
      return world.setTimeout;
    },
    get setInterval() {
      return world.setInterval;
    },
    get setImmediate() {
      return Reflect.get(world, "setImmediate");
    },
    get clearTimeout() {
      return world.clearTimeout;
    },
    get clearInterval() {
      return world.clearInterval;
    },
    get clearImmediate() {
      return Reflect.get(world, "clearImmediate");
    },
    promises,
  };
  return { timers, "timers/promises": promises };
}
