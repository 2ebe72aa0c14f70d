import { createClock, installClock } from "./steady-clock.js";
import { installMessages } from "./steady-messages.js";
import { createOrder } from "./steady-order.js";
import { createRandom } from "./steady-random.js";

/**
 * A world in which a program does the same each time: its clock, its random numbers and the order in which things happen
 * to it are the host's. It stands before all other modules, which take these from the globals.
 * @param {import("../load-modules.js").Context} context
 */
export function create({ deno, steady, onSteady }) {
  if (steady === undefined) return {};
  const realNow = Date.now;
  const random = createRandom(fromHex(steady.seed));
  const clock = createClock(steady.time);
  const order = createOrder({ past: steady.past, clock, realNow, deno });
  installClock(clock);
  installTimers(order);
  installRandom(random);
  followWork(order);
  installMessages(order);
  installFile(clock);
  onSteady(order);
  return {};
}

/** @param {string} text */
function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
    Number.parseInt(text.slice(at * 2, at * 2 + 2), 16),
  );
}

/** @param {ReturnType<typeof createOrder>} order */
function installTimers({ addTimer, removeTimer }) {
  const values = {
    setTimeout: (
      /** @type {unknown} */ callback,
      /** @type {unknown} */ ms,
      /** @type {unknown[]} */ ...rest
    ) => addTimer(callback, ms, rest, {}),
    setInterval: (
      /** @type {unknown} */ callback,
      /** @type {unknown} */ ms,
      /** @type {unknown[]} */ ...rest
    ) => addTimer(callback, ms, rest, { repeats: true }),
    clearTimeout: removeTimer,
    clearInterval: removeTimer,
  };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  Object.defineProperty(AbortSignal, "timeout", {
    writable: true,
    configurable: true,
    value: (/** @type {unknown} */ ms) => {
      const ending = new AbortController();
      const end = () => ending.abort(new DOMException("Signal timed out.", "TimeoutError"));
      addTimer(end, ms, [], { isQuiet: true });
      return ending.signal;
    },
  });
}

/** @param {ReturnType<typeof createRandom>} random */
function installRandom({ fill, number }) {
  Math.random = number;
  const define = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    Object.defineProperty(Crypto.prototype, name, { value, writable: true, configurable: true });
  define("getRandomValues", (/** @type {ArrayBufferView} */ array) => {
    if (!ArrayBuffer.isView(array)) throw new TypeError("getRandomValues takes a typed array of integers");
    if (array.byteLength > 65_536)
      throw new DOMException("More than 65536 bytes were asked for", "QuotaExceededError");
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  });
  define("randomUUID", () => {
    const bytes = fill(new Uint8Array(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  });
}

/** What another thread of Deno's does: it may take any time. @type {readonly (readonly [object, string])[]} */
const WORK = [
  [SubtleCrypto.prototype, "encrypt decrypt sign verify digest generateKey deriveKey deriveBits"],
  [SubtleCrypto.prototype, "importKey exportKey wrapKey unwrapKey"],
  [Blob.prototype, "arrayBuffer bytes text"],
];

/** @param {ReturnType<typeof createOrder>} order */
function followWork({ follow }) {
  for (const [owner, names] of WORK)
    for (const name of names.split(" ")) {
      const work = Reflect.get(owner, name);
      if (typeof work !== "function") continue;
      /** @this {unknown} @param {unknown[]} given */
      const value = function (...given) {
        return follow(Reflect.apply(work, this, given));
      };
      Object.defineProperty(owner, name, { value, writable: true, configurable: true });
    }
}

/** @param {ReturnType<typeof createClock>} clock */
function installFile(clock) {
  const Real = globalThis.File;
  const value = class File extends Real {
    /** @param {BlobPart[]} parts @param {string} name @param {FilePropertyBag} [options] */
    constructor(parts, name, options) {
      super(parts, name, { lastModified: clock.now(), ...options });
    }
  };
  Object.defineProperty(globalThis, "File", { value, writable: true, configurable: true });
}
