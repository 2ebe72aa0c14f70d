// Taken before the program runs: what it does to the language's own prototypes changes nothing that guards a file.

const { apply } = Reflect;
const { create, defineProperty, getOwnPropertyDescriptor } = Object;
const { random: ownRandom } = Math;
const hasInstance = Function.prototype[Symbol.hasInstance];
const OwnError = Error;
const OwnURL = URL;
const OwnBytes = Uint8Array;
const ownString = String;
const ownDecodeURI = decodeURIComponent;
const {
  startsWith: ownStartsWith,
  slice: ownSlice,
  lastIndexOf: ownLastIndexOf,
  includes: ownIncludes,
  indexOf: ownIndexOf,
  toLowerCase: ownToLowerCase,
} = String.prototype;
const getPathname = Object.getOwnPropertyDescriptor(URL.prototype, "pathname")?.get ?? (() => "");
const { decode: ownDecode } = TextDecoder.prototype;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** @param {string} text @param {string} start @returns {boolean} */
export const startsWith = (text, start) => apply(ownStartsWith, text, [start]);
/** @param {string} text @param {number} from @param {number} [to] @returns {string} */
export const slice = (text, from, to) => apply(ownSlice, text, [from, to]);
/** @param {string} text @param {string} part @param {number} [from] @returns {number} */
export const lastIndexOf = (text, part, from) =>
  apply(ownLastIndexOf, text, from === undefined ? [part] : [part, from]);
/** @param {string} text @param {string} part @returns {boolean} */
export const includes = (text, part) => apply(ownIncludes, text, [part]);

/** @param {string} text @param {string} part @returns {number} */
export const indexOf = (text, part) => apply(ownIndexOf, text, [part]);
/** @param {string} text @returns {string} */
export const toLowerCase = (text) => apply(ownToLowerCase, text, []);

/**
 * What an object itself has under a name: no getter of the program's is asked.
 * @param {object} object
 * @param {string} key
 * @returns {unknown}
 */
export const ownValue = (object, key) => getOwnPropertyDescriptor(object, key)?.value;

const errorPrototype = Error.prototype;
const objectPrototype = Object.prototype;

/** Deno assigns `code` to its errors, whose messages name places on this machine: no setter must stand in the way. */
export function assertErrorsUntouched() {
  if (getOwnPropertyDescriptor(errorPrototype, "code") || getOwnPropertyDescriptor(objectPrototype, "code"))
    throw refuse("EPERM", 'Cannot use files: the program has put a "code" on all errors or objects', "");
}

/** @returns {number} */
export const random = () => ownRandom();

/** @param {unknown} value @returns {value is Error} */
export const isError = (value) => apply(hasInstance, OwnError, [value]);

/**
 * A path as `fs` takes it: a text, a URL, or bytes.
 * @param {unknown} path
 * @returns {string}
 */
export function pathText(path) {
  if (typeof path === "string") return path;
  if (apply(hasInstance, OwnURL, [path])) return ownDecodeURI(apply(getPathname, path, []));
  return apply(hasInstance, OwnBytes, [path]) ? apply(ownDecode, utf8, [path]) : ownString(path);
}

/**
 * A property of its own, as an assignment makes it. Without a prototype: what a program puts on that one would be read too.
 * @param {unknown} value
 * @returns {PropertyDescriptor}
 */
export function toOwn(value) {
  const descriptor = create(null);
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.enumerable = true;
  descriptor.configurable = true;
  return descriptor;
}

/**
 * @param {string} code
 * @param {string} message
 * @param {string} path
 */
export function refuse(code, message, path) {
  const error = new OwnError(`${code}: ${message}`);
  // Not by assignment, which asks setters that a program may have put on the way.
  defineProperty(error, "code", toOwn(code));
  defineProperty(error, "path", toOwn(path));
  return /** @type {Error & { code: string, path: string }} */ (error);
}
