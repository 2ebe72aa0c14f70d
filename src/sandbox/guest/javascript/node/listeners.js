/** @typedef {(...values: unknown[]) => void} Listener */

/** What of an emitter a `process` has. Nobody emits but the program and its end. */
export function createListeners() {
  /** @type {Map<unknown, Listener[]>} */
  const all = new Map();

  /** @param {unknown} event @param {unknown[]} values */
  function emit(event, ...values) {
    const known = all.get(event) ?? [];
    for (const listener of [...known]) listener(...values);
    return known.length > 0;
  }

  /** @this {object} @param {unknown} event @param {Listener} listener */
  function on(event, listener) {
    if (typeof listener !== "function")
      throw new TypeError('The "listener" argument must be of type function');
    all.set(event, [...(all.get(event) ?? []), listener]);
    return this;
  }

  /** @this {object} @param {unknown} event @param {Listener} listener */
  function off(event, listener) {
    const known = all.get(event) ?? [];
    const at = known.findLastIndex(
      (other) => other === listener || Reflect.get(other, "listener") === listener,
    );
    if (at >= 0) all.set(event, known.toSpliced(at, 1));
    return this;
  }

  /** @this {object} @param {unknown} event @param {Listener} listener */
  function once(event, listener) {
    /** @type {Listener} */
    const wrapped = (...values) => {
      Reflect.apply(off, this, [event, wrapped]);
      listener(...values);
    };
    return Reflect.apply(on, this, [event, Object.assign(wrapped, { listener })]);
  }

  const methods = {
    on,
    addListener: on,
    prependListener: on,
    once,
    off,
    removeListener: off,
    emit,
    /** @this {object} @param {unknown} [event] */
    removeAllListeners(event) {
      if (event === undefined) all.clear();
      else all.delete(event);
      return this;
    },
    /** @param {unknown} event */
    listeners: (event) => [...(all.get(event) ?? [])],
    /** @param {unknown} event */
    listenerCount: (event) => all.get(event)?.length ?? 0,
    /** @this {object} */
    setMaxListeners() {
      return this;
    },
  };
  return { methods, emit };
}
