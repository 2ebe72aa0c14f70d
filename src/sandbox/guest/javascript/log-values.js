import { describeBinary, describeBytes, toBytes } from "./binary.js";

/** How Deno asks a value for its own text. */
const INSPECT = Symbol.for("Deno.customInspect");
const MAX_DEPTH = 8;
const MAX_LOOKED_AT = 10_000;

/** Bytes in a log are what they are and how many, wherever in a value they stand. */
export function teachInspect() {
  for (const { prototype } of [Uint8Array, Uint8ClampedArray, ArrayBuffer, SharedArrayBuffer]) {
    Object.defineProperty(prototype, INSPECT, {
      value: /** @this {unknown} */ function () {
        const bytes = toBytes(this);
        return bytes ? describeBytes(bytes) : "";
      },
      writable: true,
      configurable: true,
    });
  }
}

/**
 * The same value, or a copy in which base64 and blocks that hold it are replaced by words. Looks into plain objects and
 * arrays only, and no further than a log shows.
 * @param {unknown} root
 */
export function withoutBase64(root) {
  let left = MAX_LOOKED_AT;

  /**
   * @param {unknown} value
   * @param {number} depth
   * @returns {unknown}
   */
  function look(value, depth) {
    if (typeof value === "string") return toWords(describeBinary(value)) ?? value;
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH || !isPlain(value)) return value;
    const words = toWords(describeBinary(value));
    if (words) return words;
    /** @type {{ [key: string]: PropertyDescriptor } | undefined} */
    let changed;
    for (const key of Object.keys(value)) {
      if (--left < 0) break;
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      if (descriptor === undefined || !("value" in descriptor)) continue;
      const shown = look(descriptor.value, depth + 1);
      if (shown === descriptor.value) continue;
      changed ??= Object.getOwnPropertyDescriptors(value);
      changed[key] = { ...descriptor, value: shown };
    }
    if (changed === undefined) return value;
    return Array.isArray(value)
      ? Object.defineProperties([], changed)
      : Object.create(Object.getPrototypeOf(value), changed);
  }

  return look(root, 0);
}

/** @param {string | undefined} words */
function toWords(words) {
  return words === undefined ? undefined : { [INSPECT]: () => words };
}

/** @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
