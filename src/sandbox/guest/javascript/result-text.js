import { explainDepth } from "./nesting.js";

const { stringify } = JSON;

/**
 * A result as JSON. The program's work is done by now, so nothing but the result itself may be lost over what it is.
 * @param {unknown} value
 * @returns {string | undefined}
 */
export function toResultText(value) {
  if (isHandle(value)) return undefined;
  try {
    return stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw explainDepth(error, value, "The result");
    return stringify(value, withoutCircles());
  }
}

/**
 * A timer, a stream, whatever has listeners: `setTimeout(…)` or `lines.on("line", …)` as the last statement means no
 * result, and its insides are none.
 * @param {unknown} value
 */
function isHandle(value) {
  if (typeof value !== "object" || value === null) return false;
  const has = (/** @type {string} */ name) => typeof Reflect.get(value, name) === "function";
  return (has("on") && has("emit")) || (has("ref") && has("unref"));
}

/** What closes a circle becomes a word; what only occurs twice does not. */
function withoutCircles() {
  /** @type {unknown[]} */
  const around = [];
  /** @type {(this: unknown, key: string, value: unknown) => unknown} */
  return function (_key, value) {
    if (typeof value !== "object" || value === null) return value;
    while (around.length > 0 && around.at(-1) !== this) around.pop();
    if (around.includes(value)) return "[Circular]";
    around.push(value);
    return value;
  };
}
