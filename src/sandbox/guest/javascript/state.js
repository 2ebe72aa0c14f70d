/** @typedef {(tool: string, args: unknown, options?: unknown) => Promise<unknown>} CallOwn */
/** @typedef {{ value?: unknown, version: number }} Found */
/** @typedef {{ isWritten: boolean, current?: Found }} Written */
/** @typedef {{ scope?: "session", shared?: unknown }} Where */

/**
 * `state` of a program: of its workspace, of its session (`state.session`), of a workspace that is shared (`state.shared(name)`).
 * @param {CallOwn} callOwn
 */
export function createState(callOwn) {
  const inWorkspace = toMethods({}, callOwn);
  return Object.freeze({
    ...inWorkspace,
    session: Object.freeze(toMethods({ scope: "session" }, callOwn)),
    /** @param {unknown} name */
    shared: (name) => Object.freeze(toMethods({ shared: name }, callOwn)),
  });
}

/**
 * @param {Where} where
 * @param {CallOwn} callOwn
 */
function toMethods(where, callOwn) {
  /** @param {unknown} key */
  const read = async (key) => /** @type {Found} */ (await callOwn("stateGet", { ...where, key }));
  return {
    /**
     * @param {unknown} key
     * @param {unknown} [otherwise]
     */
    get: async (key, otherwise) => {
      const { version, value } = await read(key);
      return version === 0 ? otherwise : value;
    },
    /**
     * @param {unknown} key
     * @param {unknown} value
     */
    set: async (key, value) => {
      await callOwn("stateSet", { ...where, key, value });
    },
    /** @param {unknown} key */
    delete: (key) => callOwn("stateDelete", { ...where, key }),
    /** @param {unknown} [prefix] */
    list: (prefix) => callOwn("stateList", { ...where, prefix }),
    /**
     * Others write at the same time: where one was faster, the function is called again with what is there now.
     * @param {unknown} key
     * @param {unknown} change
     */
    update: async (key, change) => {
      if (typeof change !== "function")
        throw new TypeError("state.update takes a key and a function from the old value to the new one");
      let found = await read(key);
      for (;;) {
        const value = await change(found.value);
        if (value === undefined)
          throw new TypeError(
            "The function given to state.update returned nothing: return the new value; state.delete removes a key",
          );
        const args = { ...where, key, value, expected: found.version };
        const written = /** @type {Written} */ (await callOwn("stateSet", args));
        if (written.isWritten) return value;
        found = written.current ?? { version: 0 };
      }
    },
  };
}
