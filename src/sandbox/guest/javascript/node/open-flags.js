/** As on Linux; what programs know these numbers by is `constants` of `fs`. */
export const OPEN_CONSTANTS = Object.freeze({
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
});

const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = OPEN_CONSTANTS;
const ACCESS = O_WRONLY | O_RDWR;
const CHANGES = ACCESS | O_CREAT | O_EXCL | O_TRUNC | O_APPEND;

/** @typedef {"read" | { append: boolean, createNew: boolean } | "unknown"} OpenMode `unknown` may be meant to write */

/**
 * What a file is opened for, by a word or a number.
 * @param {unknown} flags
 * @returns {OpenMode}
 */
export function toOpenMode(flags) {
  if (typeof flags === "number") return fromNumber(flags);
  if (flags === "r" || flags === "rs" || flags === "sr") return "read";
  const [, kind, exclusive] = /^([wa])(x?)\+?$/.exec(String(flags)) ?? [];
  return kind === undefined ? "unknown" : { append: kind === "a", createNew: exclusive === "x" };
}

/**
 * @param {number} flags
 * @returns {OpenMode}
 */
function fromNumber(flags) {
  const has = (/** @type {number} */ bits) => (flags & bits) !== 0;
  if (!Number.isInteger(flags)) return "unknown";
  if (!has(CHANGES)) return "read";
  const isWritten = has(ACCESS) && (flags & ACCESS) !== ACCESS;
  // Not new, not emptied and not appended to: it would be written in its middle, which there is no way to do.
  if (!isWritten || !has(O_CREAT) || !has(O_EXCL | O_TRUNC | O_APPEND)) return "unknown";
  return { append: has(O_APPEND) && !has(O_TRUNC), createNew: has(O_EXCL) };
}
