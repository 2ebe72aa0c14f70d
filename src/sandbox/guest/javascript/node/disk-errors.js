import {
  assertErrorsUntouched,
  indexOf,
  isError,
  ownValue,
  refuse,
  slice,
  toLowerCase,
} from "./primordials.js";

/** @typedef {import("./places.js").Located} Located */

/**
 * An error of Deno's without the places on this machine that it names. What was refused by us comes with the program's
 * own path, and stays as it is.
 * @param {unknown} error
 * @param {string} verb
 * @param {Located} at
 * @param {Located} [to]
 */
export function inProgramWords(error, verb, at, to) {
  if (!isError(error) || ownValue(error, "path") !== undefined) return error;
  const own = ownValue(error, "code");
  // Without a code it is nothing that we know, and may name anything.
  const code = typeof own === "string" ? own : "EIO";
  const why = own === code ? toReason(ownValue(error, "message")) || code : "it failed";
  const place = toProgramPath(at);
  const what = to === undefined ? `"${place}"` : `"${place}" to "${toProgramPath(to)}"`;
  return refuse(code, `Cannot ${verb} ${what}: ${toLowerCase(slice(why, 0, 1))}${slice(why, 1)}`, place);
}

/**
 * @template Value
 * @param {() => Value} work
 * @param {string} verb
 * @param {Located} at
 * @param {Located} [to]
 */
export function tell(work, verb, at, to) {
  assertErrorsUntouched();
  try {
    return work();
  } catch (error) {
    throw inProgramWords(error, verb, at, to);
  }
}

/** @param {Located} at */
const toProgramPath = ({ name, path }) => (path === "" ? `./${name}` : `./${name}/${path}`);

/**
 * Of `No such file or directory (os error 2): readfile '/folders/workspace/a'` the words before the number.
 * @param {unknown} message
 */
function toReason(message) {
  const text = `${message}`;
  const end = indexOf(text, " (os error ");
  const words = end === -1 ? text : slice(text, 0, end);
  const colon = indexOf(words, ": ");
  return colon === -1 ? words : slice(words, 0, colon);
}
