/** Node's `perf_hooks` over the global `performance`. */
export function create() {
  const performance = Object.create(globalThis.performance, {
    // Methods of the real one want it as `this`.
    ...Object.fromEntries(
      [
        "now",
        "mark",
        "measure",
        "getEntries",
        "getEntriesByName",
        "getEntriesByType",
        "clearMarks",
        "clearMeasures",
        "toJSON",
      ].map((name) => [
        name,
        { value: Reflect.get(globalThis.performance, name).bind(globalThis.performance), enumerable: true },
      ]),
    ),
    timeOrigin: { value: globalThis.performance.timeOrigin, enumerable: true },
    timerify: { value: (/** @type {unknown} */ work) => work, enumerable: true },
    eventLoopUtilization: { value: () => ({ idle: 0, active: 0, utilization: 0 }), enumerable: true },
  });
  /** Tells nobody anything: what it would observe is the runner's own work too. */
  class PerformanceObserver {
    /** @type {string[]} */
    static supportedEntryTypes = [];
    observe() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  }
  const constants = Object.freeze({});
  return {
    perf_hooks: { performance, PerformanceObserver, constants },
  };
}
